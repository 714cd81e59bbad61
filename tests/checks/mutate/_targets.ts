/** What is mutated, and the tests that have to notice. Chosen by folders, so that files may be moved within them. */

/** A part of the source with its tests. */
export interface Target {
  readonly name: string;
  readonly sources: RegExp;
  /** Tests of these modules. */
  readonly tests: RegExp;
  /** Slower tests, run on what survives the former. */
  readonly more?: RegExp;
}

export const TARGETS: readonly Target[] = [
  {
    name: "checksums",
    sources: /^src\/(io\/digest\/|datasets\/verify_)[^/]*\.ts$/,
    tests: /^tests\/(io\/digest\/|datasets\/verify_)[^/]*_test\.ts$/,
  },
  {
    name: "csv",
    sources: /^src\/io\/csv\/[^/]*\.ts$/,
    tests: /^tests\/io\/csv\/[^/]*_test\.ts$/,
    more: /^tests\/tables\/from\/from_csv[^/]*_test\.ts$/,
  },
  {
    name: "fasta",
    sources: /^src\/fasta\/(records|scan)\/[^/]*(?<!_wasm)\.ts$/,
    tests: /^tests\/fasta\/(records\/|scan\/|scanners_)[^/]*_test\.ts$/,
    more: /^tests\/fasta\/((ranges|index)\/[^/]*|abort)_test\.ts$/,
  },
  {
    name: "values",
    sources: /^src\/contract\/values\/[^/]*\.ts$/,
    tests: /^tests\/contract\/values\/[^/]*_test\.ts$/,
  },
  {
    name: "paging",
    sources: /^src\/registry\/plan\/[^/]*\.ts$/,
    tests: /^tests\/registry\/plan\/[^/]*_test\.ts$/,
    more: /^tests\/registry\/(operations\/search_all|registry)_test\.ts$/,
  },
  {
    name: "ledger",
    sources: /^src\/contract\/(pages\/)?ledger[^/]*\.ts$/,
    tests: /^tests\/contract\/(pages\/)?ledger[^/]*_test\.ts$/,
  },
  {
    name: "engine",
    sources: /^src\/engine\/(plan|spark_sql)\/[^/]*\.ts$/,
    tests: /^tests\/engine\/(plan|spark_sql)\/[^/]*_test\.ts$/,
  },
];
