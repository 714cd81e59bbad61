/** The files of an index: names, layout, and the manifest that describes them. */
import { isRecord } from "@seqreg/core/options/is_record";

/** Version of the layout, and of the hash. */
export const INDEX_VERSION = 1;

/** Names of the files; `index.json` is the manifest. */
export const INDEX_FILES = {
  manifest: "index.json",
  postings: "postings.bin",
  /** For each block three numbers, f64: first code, offset, checksum; then one more that has the end. */
  blocks: "blocks.bin",
  /** For each record eight numbers, u32: hashes at shift 0 to 4, bases, shift, end of its id. */
  records: "records.bin",
  /** Ids of the records, without separators. */
  ids: "ids.bin",
  /** For each record the digest of its bases, u32. */
  digests: "digests.bin",
} as const;

export const BLOCK_POSTINGS = 512;
/** A varint of 39 bits and three bytes of the record. */
export const MOST_POSTING_BYTES = 9;
/** Numbers for each block, and for each record. */
export const BLOCK_NUMBERS = 3;
export const RECORD_NUMBERS = 8;
/** Records of an index at most: 23 bits. */
export const MOST_RECORDS = 2 ** 23;

/** One of the files that are read when an index is opened. */
export interface IndexFile {
  /** Size. */
  readonly bytes: number;
  /** CRC-32. */
  readonly crc32: number;
}

/** The manifest: how the index was made, and the sizes and checksums of its files. */
export interface IndexManifest {
  /** Version of the layout and of the hash. */
  readonly alikeIndex: number;
  /** Bases of a k-mer. */
  readonly k: number;
  /** One of 2^shift hashes is kept of a long sequence. */
  readonly shift: number;
  /** Number of records. */
  readonly records: number;
  /** Hashes of all records. */
  readonly postings: number;
  /** What was indexed; its path, absolute, is null if it was not a file. */
  readonly source: {
    readonly name: string;
    readonly path: string | null;
    readonly bytes: number;
    readonly sha256: string | null;
  };
  /** Size of `postings.bin`. */
  readonly postingBytes: number;
  /** `blocks.bin`. */
  readonly blocks: IndexFile;
  /** `records.bin`. */
  readonly recordTable: IndexFile;
  /** `ids.bin`. */
  readonly ids: IndexFile;
  /** `digests.bin`; absent in an index that an older toolkit wrote. */
  readonly digests?: IndexFile;
  /** Version of the toolkit that wrote it. */
  readonly toolkit: string;
}

/** Whether a value of a file is a manifest of this version's layout. */
export function isManifest(value: unknown): value is IndexManifest {
  if (!isRecord(value)) return false;
  const isFile = (file: unknown) => isRecord(file) && areNumbers(file.bytes, file.crc32);
  return areNumbers(value.alikeIndex, value.k, value.shift, value.records, value.postings, value.postingBytes) &&
    isRecord(value.source) && (value.source.path === null || typeof value.source.path === "string") &&
    isFile(value.blocks) && isFile(value.recordTable) && isFile(value.ids) &&
    (value.digests === undefined || isFile(value.digests));
}

function areNumbers(...values: readonly unknown[]): boolean {
  return values.every((value) => Number.isSafeInteger(value));
}
