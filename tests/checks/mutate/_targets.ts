/** What is mutated, and the tests that have to notice. Chosen by folders, so that files may be moved within them. */

/** A part of the source with its tests. */
export interface Target {
  readonly name: string;
  readonly sources: RegExp;
  readonly tests: RegExp;
  /** Slower tests, run on what survives the former. */
  readonly more?: RegExp;
}

export const TARGETS: readonly Target[] = [
  {
    name: "checksums",
    sources: /^src\/core\/(io\/digest\/|datasets\/verify_)[^/]*\.ts$/,
    tests: /^tests\/core\/(io\/digest\/|datasets\/verify_)[^/]*_test\.ts$/,
  },
  {
    name: "csv",
    sources: /^src\/core\/io\/csv\/[^/]*\.ts$/,
    tests: /^tests\/core\/io\/csv\/[^/]*_test\.ts$/,
    more: /^tests\/core\/tables\/from\/from_csv[^/]*_test\.ts$/,
  },
  {
    name: "fasta",
    sources: /^src\/core\/fasta\/(records|scan)\/[^/]*(?<!_wasm)\.ts$/,
    tests: /^tests\/core\/fasta\/(records\/|scan\/|scanners_)[^/]*_test\.ts$/,
    more: /^tests\/core\/fasta\/((ranges|index)\/[^/]*|abort)_test\.ts$/,
  },
  {
    name: "values",
    sources: /^src\/core\/contract\/values\/[^/]*\.ts$/,
    tests: /^tests\/core\/contract\/values\/[^/]*_test\.ts$/,
  },
  {
    name: "paging",
    sources: /^src\/core\/registry\/plan\/[^/]*\.ts$/,
    tests: /^tests\/core\/registry\/plan\/[^/]*_test\.ts$/,
    more: /^tests\/core\/registry\/(operations\/search_all|registry)_test\.ts$/,
  },
  {
    name: "ledger",
    sources: /^src\/core\/contract\/(pages\/)?ledger[^/]*\.ts$/,
    tests: /^tests\/core\/contract\/(pages\/)?ledger[^/]*_test\.ts$/,
  },
  {
    name: "engine",
    sources: /^src\/(core\/engine\/plan|spark\/sql)\/[^/]*\.ts$/,
    tests: /^tests\/(core\/engine\/plan|spark\/sql)\/[^/]*_test\.ts$/,
  },
];
