/** Files that an engine reads are those of the manifest, or the error says which are not. */
import { assertThrows } from "@std/assert";
import type { EngineTable } from "../../../src/core/engine/engine.ts";
import { RegistryError } from "../../../src/core/errors.ts";
import { checkParts } from "../../../src/spark/engine/lake_views.ts";

const parts = [0, 1, 2].map((at) => ({
  name: `part-0000${at}.parquet`,
  location: `/${at}`,
  rows: 10,
  bytes: 100 + at,
}));
const table: EngineTable = {
  name: "full",
  rows: 30,
  columns: [],
  parts,
  scan: () => {
    throw new Error("not scanned");
  },
};

Deno.test("checkParts() names files that are absent, new, longer, shorter or swapped", () => {
  checkParts(table, [...parts].reverse(), "the engine");
  const faults: Readonly<Record<string, readonly (typeof parts)[number][]>> = {
    "20 rows instead of 30, part-00001.parquet is missing, which has 10 rows in 101 bytes": [parts[0], parts[2]],
    "part-00000.parquet has 101 bytes instead of 100": [{ ...parts[1], name: parts[0].name }, parts[1], parts[2]],
    "31 rows instead of 30, part-00002.parquet has 11 rows instead of 10": [
      parts[0],
      parts[1],
      { ...parts[2], rows: 11 },
    ],
    "part-00009.parquet is new": [...parts, { ...parts[0], name: "part-00009.parquet" }],
  };
  for (const [words, found] of Object.entries(faults)) {
    assertThrows(() => checkParts(table, found, "the engine"), RegistryError, words);
  }
});
