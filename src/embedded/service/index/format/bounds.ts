/** Bounds as they are outside tests. */
import type { IndexBounds } from "./types.ts";

/** Bounds: about 300 MB of memory while fifteen million records are indexed. */
export const BOUNDS: IndexBounds = {
  dictionaryValues: 1 << 17,
  dictionaryBytes: 64 << 20,
  readValues: 512,
  allValues: 600_000,
  blockRows: 1 << 16,
  textBytes: 1 << 18,
  tokens: 1 << 20,
  verifiedRows: 512,
  denseShare: 64,
  hashBits: 32,
  sortBytes: 24 << 20,
  jointCodes: 1 << 14,
  tableRecords: 50_000,
  listedRows: 1 << 14,
  threadRecords: 20_000,
};
