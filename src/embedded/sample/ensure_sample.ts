/** The built-in sample: made once, kept in the cache. */
import { join } from "node:path";
import { cacheFolder } from "@seqreg/core/io/files/cache_folder";
import type { OnProgress } from "@seqreg/core/io/tasks";
import { type Naming, SPECIFICATION_NAMING } from "@seqreg/core/contract/naming";
import { VERSION } from "@seqreg/core/contract/version";
import { keepArchives, namingSuffix } from "./cached_archives.ts";
import { RECIPE } from "./_manifest.ts";
import { MAKE_SAMPLE_OPTIONS, makeSample, SAMPLE_RECORDS, SAMPLE_SEED } from "./make_sample.ts";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { checkOptions } from "@seqreg/core/options/check_options";

/** Options of {@linkcode ensureSample}. */
export interface EnsureSampleOptions {
  /** The cache; the user's own by default, see {@linkcode cacheFolder}. */
  readonly cacheFolder?: string;
  /** Number of records; {@linkcode SAMPLE_RECORDS} by default. */
  readonly records?: number;
  /** Seed; {@linkcode SAMPLE_SEED} by default. */
  readonly seed?: number;
  /** What the deployment calls things; the specification's spellings by default. */
  readonly naming?: Naming;
  /** Ends the work; nothing is left behind then. */
  readonly signal?: AbortSignal;
  /** Receives the progress of the work; silent when the sample is there already. */
  readonly onProgress?: OnProgress;
}

const ENSURE_SAMPLE_OPTIONS = {
  ...MAKE_SAMPLE_OPTIONS,
  cacheFolder: rule.path,
} satisfies OptionRules<EnsureSampleOptions>;

/**
 * Returns the folder of the built-in sample, and makes the sample if the cache does not have it.
 *
 * Several processes may ask at once: each makes its own, the first to end gives the folder its name, the others use it.
 * The folder is `sample/VERSION.RECIPE-SEED-RECORDS` in the cache, with the start of a digest when the naming is not
 * the specification's.
 *
 * @param options Cache, size, seed, naming, signal, progress.
 * @returns Path of a folder with the sixteen files, `definitions.json` and `manifest.json`.
 * @throws {RangeError} If the number of records or the seed is not an integer in its range.
 * @throws {RegistryError} With code `disk` if the cache cannot be written.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { ensureSample } from "./ensure_sample.ts";
 *
 * const cacheFolder = await Deno.makeTempDir();
 * const folder = await ensureSample({ cacheFolder, records: 10 });
 *
 * assertEquals(await ensureSample({ cacheFolder, records: 10 }), folder);
 * await Deno.remove(cacheFolder, { recursive: true });
 * ```
 */
export async function ensureSample(options: EnsureSampleOptions = {}): Promise<string> {
  checkOptions("ensureSample()", options, ENSURE_SAMPLE_OPTIONS);
  const { records = SAMPLE_RECORDS, seed = SAMPLE_SEED, naming = SPECIFICATION_NAMING, signal, onProgress } = options;
  const name = `${VERSION}.${RECIPE}-${seed}-${records}${namingSuffix(naming)}`;
  const folder = join(options.cacheFolder ?? cacheFolder(), "sample", name);
  await keepArchives(folder, {
    naming,
    signal,
    make: () => makeSample(folder, { records, seed, naming, signal, onProgress }),
  });
  return folder;
}
