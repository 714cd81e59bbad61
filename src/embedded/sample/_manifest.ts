/** Counts what a sample holds, from its rows as they are written. */
import type { Naming } from "@seqreg/core/contract";
import { archiveFiles } from "@seqreg/core/contract/datasets";
import type { Clusters } from "./clusters.ts";
import { FIELD_NAMES } from "@seqreg/core/contract/fields/public_fields";
import { LARGE_LENGTH } from "./_plan.ts";
import { OVER_SEQUENCED, SPECIES } from "./_taxa.ts";

/** Number of the sample's recipe: it grows whenever the same seed would give other bytes. */
export const RECIPE = 1;

/** What a sample says of itself in `manifest.json`. */
export interface SampleManifest {
  /** Always true. */
  readonly synthetic: true;
  /** The same in words. */
  readonly notice: string;
  /** Number of the recipe; the same recipe, seed and number of records give the same bytes. */
  readonly recipe: number;
  /** The seed. */
  readonly seed: number;
  /** Number of records. */
  readonly records: number;
  /** Number of public fields, the accession included. */
  readonly fields: number;
  /** Number of species. */
  readonly species: number;
  /** Number of countries. */
  readonly countries: number;
  /** Lengths of the sequences in nt; `large` counts those of at least 150,000. */
  readonly lengths: { readonly min: number; readonly median: number; readonly max: number; readonly large: number };
  /** The species that has far more records than others. */
  readonly overSequencedSpecies: string;
  /** Rows of each archive, by its file name. */
  readonly rows: Readonly<Record<string, number>>;
  /** Records with each kind of awkwardness. */
  readonly awkward: Readonly<Record<Awkwardness, number>>;
}

/** Kinds of awkwardness that real data has, and a sample too. */
export type Awkwardness =
  | "year_only_date"
  | "year_and_month_date"
  | "unknown_day_date"
  | "empty_host_species"
  | "quote_in_name"
  | "comma_in_name"
  | "newline_in_name"
  | "pipe_in_name"
  | "joined_list"
  | "leading_zeros"
  | "number_with_unit"
  | "segmented"
  | "duplicate_sequence"
  | "in_cluster_of_several"
  | "representative_of_several"
  | "over_sequenced_species"
  | "ambiguous_letters"
  | "lower_case_letters";

/** The words of {@linkcode SampleManifest.notice}. */
export const NOTICE =
  "Everything here is synthetic: no record, sequence, virus, laboratory or person was observed. Hosts and countries " +
  "are real names, used as labels.";

const column = (name: typeof FIELD_NAMES[number]) => FIELD_NAMES.indexOf(name) + 1;
const AT = {
  name: column("Sequence Name"),
  length: column("Sequence Length"),
  segment: column("Segment"),
  ambiguous: column("Ambiguous Bases"),
  species: column("Species"),
  host: column("Host Species"),
  age: column("Host Age"),
  date: column("Collection Date"),
  country: column("Country"),
  code: column("Lab Code"),
  technology: column("Sequencing Technology"),
  clusterSize: column("Cluster Size"),
  representative: column("Cluster Representative"),
} as const;

/** How each kind shows in a row. Case is not in the row: it is counted from the sequence. */
const SIGNS: Readonly<Record<Exclude<Awkwardness, "lower_case_letters">, (row: readonly string[]) => boolean>> = {
  year_only_date: (row) => /^\d{4}$/.test(row[AT.date]),
  year_and_month_date: (row) => /^\d{4}-\d{2}$/.test(row[AT.date]),
  unknown_day_date: (row) => row[AT.date].endsWith("-XX"),
  empty_host_species: (row) => row[AT.host] === "",
  quote_in_name: (row) => row[AT.name].includes('"'),
  comma_in_name: (row) => row[AT.name].includes(","),
  newline_in_name: (row) => row[AT.name].includes("\n"),
  pipe_in_name: (row) => row[AT.name].includes("|"),
  joined_list: (row) => row[AT.technology].includes(";"),
  leading_zeros: (row) => row[AT.code].startsWith("0"),
  number_with_unit: (row) => row[AT.age].includes(" "),
  segmented: (row) => row[AT.segment] !== "",
  duplicate_sequence: (row) => row[AT.representative] !== row[0],
  in_cluster_of_several: (row) => row[AT.clusterSize] !== "1",
  representative_of_several: (row) => row[AT.clusterSize] !== "1" && row[AT.representative] === row[0],
  over_sequenced_species: (row) => row[AT.species] === OVER_SEQUENCED.name,
  ambiguous_letters: (row) => row[AT.ambiguous] !== "0",
};

/** Counts a sample as it is written. */
export class ManifestCounts {
  readonly #counts = new Map<string, number>();
  readonly #species = new Set<string>();
  readonly #countries = new Set<string>();
  readonly #lengths: number[] = [];
  #lowerCase = 0;

  addRow(row: readonly string[]): void {
    for (const [kind, shows] of Object.entries(SIGNS)) {
      if (shows(row)) this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    }
    this.#species.add(row[AT.species]);
    if (row[AT.country] !== "") this.#countries.add(row[AT.country]);
    this.#lengths.push(Number(row[AT.length]));
  }

  addSequence(sequence: Uint8Array): void {
    if (hasLowerCase(sequence)) this.#lowerCase++;
  }

  /** Closes the count. */
  close(seed: number, clusters: Clusters, naming: Naming): SampleManifest {
    const lengths = this.#lengths.toSorted((a, b) => a - b);
    const awkward = Object.fromEntries(Object.keys(SIGNS).map((kind) => [kind, this.#counts.get(kind) ?? 0]));
    return {
      synthetic: true,
      notice: NOTICE,
      recipe: RECIPE,
      seed,
      records: lengths.length,
      fields: FIELD_NAMES.length + 1,
      species: this.#species.size,
      countries: this.#countries.size,
      lengths: {
        min: lengths[0],
        median: lengths[lengths.length >> 1],
        max: lengths[lengths.length - 1],
        large: lengths.filter((length) => length >= LARGE_LENGTH).length,
      },
      overSequencedSpecies: OVER_SEQUENCED.name,
      rows: {
        [archiveFiles("reftax1_to_reftax2_map", naming).archive]: SPECIES.length,
        [archiveFiles("full_dataset_sequence", naming).archive]: lengths.length,
        [archiveFiles("unique_seqs_sequence", naming).archive]: clusters.clusterCount,
        [archiveFiles("votu_clusters_metadata", naming).archive]: clusters.clusterCount,
        [archiveFiles("full_dataset_metadata", naming).archive]: lengths.length,
        [archiveFiles("unique_seqs_metadata", naming).archive]: clusters.clusterCount,
        [archiveFiles("votu_cluster_comparison_metrics", naming).archive]: lengths.length,
        [archiveFiles("votu_clusters_sequence", naming).archive]: clusters.clusterCount,
      },
      awkward: { ...awkward, lower_case_letters: this.#lowerCase } as Record<Awkwardness, number>,
    };
  }
}

function hasLowerCase(sequence: Uint8Array): boolean {
  for (let index = 0; index < sequence.length; index++) if (sequence[index] >= 97) return true;
  return false;
}
