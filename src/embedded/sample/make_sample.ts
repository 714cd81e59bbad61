/** Makes a synthetic archive set from a seed. */
import type { OnProgress } from "@seqreg/core/io/tasks";
import { type Naming, NAMING_RULE, SPECIFICATION_NAMING } from "@seqreg/core/contract/naming";
import type { FieldDefinition } from "@seqreg/core/contract";
import { defineAccession, defineField, FIELD_NAMES } from "@seqreg/core/contract/fields/public_fields";
import { Genomes } from "./_genomes.ts";
import { BaseCounts } from "./base_counts.ts";
import { ManifestCounts, type SampleManifest } from "./_manifest.ts";
import { planSample } from "./_plan.ts";
import { sampleAccession, SampleRows } from "./_rows.ts";
import { SPECIES } from "./_taxa.ts";
import { writeArchives } from "./write_archives.ts";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { checkOptions } from "@seqreg/core/options/check_options";

/** Default number of records of a sample. */
export const SAMPLE_RECORDS = 5000;

/** Default seed of a sample. */
export const SAMPLE_SEED = 1;

/** Greatest number of records of a sample. */
export const MAX_SAMPLE_RECORDS = 1_000_000;

/** Greatest seed. */
export const MAX_SAMPLE_SEED = 4_294_967_295;

/** Options of {@linkcode makeSample}. */
export interface MakeSampleOptions {
  /** Number of records, 1 to 1,000,000; {@linkcode SAMPLE_RECORDS} by default. */
  readonly records?: number;
  /** Whole number from 0 to 4,294,967,295; {@linkcode SAMPLE_SEED} by default. */
  readonly seed?: number;
  /** What the deployment calls things; the specification's spellings by default. */
  readonly naming?: Naming;
  /** Ends the work; nothing is left behind then. */
  readonly signal?: AbortSignal;
  /** Receives the progress of the work. */
  readonly onProgress?: OnProgress;
}

export const MAKE_SAMPLE_OPTIONS = {
  records: rule.wholeNumber({ from: 1, to: MAX_SAMPLE_RECORDS }),
  seed: rule.wholeNumber({ from: 0, to: MAX_SAMPLE_SEED }),
  naming: NAMING_RULE,
  signal: rule.signal,
  onProgress: rule.callback(),
} satisfies OptionRules<MakeSampleOptions>;

/** A sample that was made. */
export interface Sample {
  /** The sixteen file names, in the order of the specification. */
  readonly files: readonly string[];
  /** What the sample holds, as `manifest.json` says it. */
  readonly manifest: SampleManifest;
}

/**
 * Makes a synthetic archive set: the sixteen files, `definitions.json` and `manifest.json`.
 *
 * The same seed and number of records give the same bytes on every machine. Everything is invented and says so: the
 * field `Data Source` of every record, `Sequence Name`, `Submitter`, the second word of every species, the manifest.
 * The data are as awkward as real ones, in the ways that the manifest counts. From 2,000 records on a sample has at
 * least 300 species, 60 countries, ten sequences of 150,000 nt or more, and each kind of awkwardness in 2 % of its
 * records.
 *
 * Records of a species are mutants of one ancestor, in three lineages, so that distances and clusters mean something.
 *
 * @param folder Where to write; see {@linkcode writeArchives} for what may stand there already.
 * @param options Number of records, seed, naming, signal, progress.
 * @returns The file names and the manifest.
 * @throws {RangeError} If the number of records or the seed is not an integer in its range.
 * @throws {RegistryError} With code `disk` if the folder holds other things or cannot be written.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { makeSample } from "./make_sample.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const { files, manifest } = await makeSample(folder, { records: 10 });
 *
 * assertEquals(files.length, 16);
 * assertEquals(manifest.records, 10);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function makeSample(folder: string, options: MakeSampleOptions = {}): Promise<Sample> {
  checkOptions("makeSample()", options, MAKE_SAMPLE_OPTIONS);
  const { records = SAMPLE_RECORDS, seed = SAMPLE_SEED, naming = SPECIFICATION_NAMING, signal, onProgress } = options;
  const plan = planSample(records, seed);
  const genomes = new Genomes(plan);
  const bases = new BaseCounts();
  const counts = new ManifestCounts();
  let manifest: SampleManifest | undefined;
  const files = await writeArchives(folder, {
    fields: sampleDefinitions(naming),
    recordCount: records,
    taxonMap: taxonMap(),
    *sequences() {
      for (let record = 0; record < records; record++) {
        const sequence = genomes.sequenceOf(record);
        bases.add(sequence);
        counts.addSequence(sequence);
        yield { accession: sampleAccession(record), sequence };
      }
    },
    *rows(clusters) {
      for (const row of new SampleRows(plan, bases, clusters).all()) {
        counts.addRow(row);
        yield row;
      }
    },
    manifest: (clusters) => manifest = counts.close(seed, clusters, naming),
  }, { naming, compression: "portable", signal, onProgress });
  return { files, manifest: manifest! };
}

function sampleDefinitions(naming: Naming): FieldDefinition[] {
  const fields = FIELD_NAMES.map((name) => {
    const field = defineField(name);
    return { ...field, description: `${field.description} (synthetic)` };
  });
  return [defineAccession(naming), ...fields];
}

function* taxonMap(): Generator<[string, string, string, string]> {
  for (const { name, genus, index } of SPECIES) {
    // Every seventh species has only its genus in the other taxonomy, as names fall out of step in life.
    if (index % 7 === 3) yield [name, "species", genus, "broader"];
    else yield [name, "species", `Synthetic ${genus} ${name.split(" ")[1]}`, "exact"];
  }
}
