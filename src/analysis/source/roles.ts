/**
 * What analyses look for in data, and by which names and types they know it.
 *
 * No analysis names a field: it names a role, and this table finds the field that plays it among those that are there.
 * A field is known by its alias (lower-case snake case of its public name) and by the type that its definition
 * declares.
 *
 * The order of preference, first to last: fields that the caller names (option `fields`); fields that a naming prefers
 * (option `roles`); then the names of {@linkcode ROLES} in their order, each first as it is, then with one of
 * {@linkcode SOURCE_WORDS} behind or before it, in their order: of `Family NCBI` and `ICTV Family` the latter is taken,
 * since ICTV is the authority for the names of virus taxa. Of all of these texts come before whole numbers, which can
 * play the role of a text too: segments 1 to 8, years as dates.
 */
import { columnKeys } from "@seqreg/core/contract/fields/column_names";
import { VALUE_FIELDS } from "@seqreg/core/contract/values/value_words";
import { checkArgument, checkOptions } from "@seqreg/core/options/check_options";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import type { FieldType } from "@seqreg/core/contract";
import type { SourceColumn } from "./source_column.ts";

interface RoleRow {
  readonly meaning: string;
  readonly names: readonly string[];
  readonly types: readonly FieldType[];
  /** Whether a word of a source makes it something else. */
  readonly isExact?: true;
}

/** Words of taxonomies, databases and tools that names of fields carry before or behind them, the preferred first. */
export const SOURCE_WORDS: readonly string[] = [
  "ictv",
  "ncbi",
  "insdc",
  "genbank",
  "refseq",
  "ena",
  "ddbj",
  "bv_brc",
  "bvbrc",
  "gisaid",
  "gtdb",
  "img",
  "checkv",
  "reftax1",
  "reftax2",
];

const TEXT: readonly FieldType[] = ["string"];
const NUMBER: readonly FieldType[] = ["integer", "float"];
const DATE: readonly FieldType[] = ["date", "string"];

/** Every role: what it means, the aliases that play it (the first that is there wins), the types that can. */
export const ROLES = {
  accession: {
    meaning: "accession of the record",
    names: ["registry_accession", "accession", "source_accession", "genbank_accession", "id", "strain"],
    types: TEXT,
  },
  length: {
    meaning: "length of the sequence",
    names: ["sequence_length", "length", "seq_length", "genome_length", "nuc_length", "base_count", "size"],
    types: NUMBER,
  },
  gc: { meaning: "share of G and C", names: ["gc_content", "gc", "gc_percent", "percent_gc"], types: NUMBER },
  computedGc: {
    meaning: "share of G and C, computed from the bases",
    names: ["gc"],
    types: ["float"],
    isExact: true,
  },
  ambiguous: {
    meaning: "bases beyond A, C, G, T and U",
    names: ["ambiguous_bases", "ambiguous", "ambiguous_letters", "ambiguous_nucleotides", "n_count"],
    types: NUMBER,
  },
  molecule: {
    meaning: "kind of nucleic acid",
    names: ["molecule_type", "mol_type", "moltype", "molecule"],
    types: TEXT,
  },
  completeness: {
    meaning: "completeness of the sequence",
    names: ["genome_completeness", "nuc_completeness", "completeness"],
    types: TEXT,
  },
  quality: {
    meaning: "declared quality of the sequence",
    names: ["quality", "genome_quality", "sequence_quality", "miuvig_quality"],
    types: TEXT,
  },
  species: {
    meaning: "species of the virus",
    names: ["species", "virus_species", "virus_name", "organism", "organism_name", "virus"],
    types: TEXT,
  },
  genus: { meaning: "genus of the virus", names: ["genus", "virus_genus"], types: TEXT },
  family: { meaning: "family of the virus", names: ["family", "virus_family"], types: TEXT },
  host: {
    meaning: "species of the host",
    names: ["host_species", "host", "host_scientific_name", "host_name", "host_common_name"],
    types: TEXT,
  },
  collectionDate: {
    meaning: "day on which the sample was taken",
    names: [
      "collection_date",
      "isolate_collection_date",
      "sample_collection_date",
      "date_collected",
      "sample_date",
      "sampling_date",
      "date",
    ],
    types: DATE,
  },
  releaseDate: {
    meaning: "day on which the record became public",
    names: ["release_date", "publication_date", "submission_date", "date_released", "date_submitted"],
    types: DATE,
  },
  country: {
    meaning: "country of the sample",
    names: VALUE_FIELDS.country,
    types: TEXT,
  },
  submitterCountry: {
    meaning: "country of the submitter",
    names: VALUE_FIELDS.submitterCountry,
    types: TEXT,
  },
  submitter: {
    meaning: "who submitted the record",
    names: [
      "submitter",
      "submitters",
      "submitter_name",
      "submitting_lab",
      "submitter_institution",
      "submitter_affiliation",
      "center_name",
      "authors",
    ],
    types: TEXT,
  },
  segment: { meaning: "segment of the genome", names: VALUE_FIELDS.segment, types: TEXT },
  isolate: { meaning: "isolate or strain", names: ["isolate", "isolate_name", "strain", "strain_name"], types: TEXT },
  cluster: {
    meaning: "cluster of the record",
    names: [
      "cluster",
      "cluster_id",
      "votu",
      "votu_cluster",
      "sequence_cluster",
      "cluster_reference",
      "representative",
      "cluster_representative",
    ],
    types: TEXT,
  },
  representative: {
    meaning: "representative of a cluster, in a row with its member",
    names: ["representative", "cluster_representative", "votu_representative", "cluster_reference", "reference"],
    types: TEXT,
  },
  member: { meaning: "member of a cluster", names: ["member", "cluster_member", "query"], types: TEXT },
  identity: {
    meaning: "identity of two sequences in %",
    names: ["identity", "percent_identity", "ani", "average_nucleotide_identity"],
    types: ["float", "integer", "string"],
  },
  coverage: {
    meaning: "covered part of a sequence in %",
    names: ["coverage", "aligned_fraction", "af", "query_coverage"],
    types: ["float", "integer", "string"],
  },
  dataSource: {
    meaning: "database or provider that a record came from",
    names: [
      "data_source",
      "source_database",
      "database",
      "source_db",
      "db",
      "data_provider",
      "provider",
      "sequence_source",
      "source",
    ],
    types: TEXT,
  },
  rank: { meaning: "rank of a taxon", names: ["rank", "taxon_rank"], types: TEXT },
  relation: {
    meaning: "relation of a taxon to that of the other taxonomy",
    names: ["relation", "match", "match_type", "mapping", "mapping_type"],
    types: TEXT,
  },
} as const satisfies Readonly<Record<string, RoleRow>>;

/** A role that a field can play. */
export type Role = keyof typeof ROLES;

export const ROLE_NAMES: readonly Role[] = Object.keys(ROLES).filter((name): name is Role =>
  Object.hasOwn(ROLES, name)
);

const ROLE_RULE = rule.required(rule.oneOf(ROLE_NAMES));

/** Fields by role, where the caller knows better. */
export type RoleFields = Readonly<Partial<Record<Role, string>>>;

/** Fields by role in the order in which they are preferred, such as `{ family: ["Family ICTV", "Family NCBI"] }`. */
export type RolePreferences = Readonly<Partial<Record<Role, readonly string[]>>>;

/** Options of {@linkcode findRole}. */
export interface FindRoleOptions {
  /** Fields that are taken before all others, the preferred first; those that are not there are passed over. */
  readonly preferred?: readonly string[];
}

export const FIND_ROLE_OPTIONS = { preferred: rule.texts } satisfies OptionRules<FindRoleOptions>;

/**
 * Finds the column that plays a role.
 *
 * @param columns Columns that there are.
 * @param role The role.
 * @param options Fields that are preferred.
 * @returns The column; `undefined` when none has a fitting name and type.
 * @throws {TypeError | RangeError} If the role is unknown.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { findRole } from "./roles.ts";
 *
 * const column = { name: "Sequence Length", field: "Sequence Length", type: "integer", dtype: "Int64" } as const;
 * const [ncbi, ictv] = ["Family NCBI", "Family ICTV"].map((name) =>
 *   ({ name, field: name, type: "string", dtype: "String" }) as const
 * );
 *
 * assertEquals(findRole([column], "length"), column);
 * assertEquals(findRole([column], "host"), undefined);
 * assertEquals(findRole([ncbi, ictv], "family"), ictv);
 * assertEquals(findRole([ncbi, ictv], "family", { preferred: ["Family NCBI"] }), ncbi);
 * ```
 */
export function findRole(
  columns: readonly SourceColumn[],
  role: Role,
  options: FindRoleOptions = {},
): SourceColumn | undefined {
  checkOptions("findRole()", options, FIND_ROLE_OPTIONS);
  checkArgument("findRole()", "role", role, ROLE_RULE);
  // A date as columns has several columns of one field: the text is the one of the field's own name.
  const own = columns.filter(({ name, field }) => name === field);
  for (const name of options.preferred ?? []) {
    const found = own.find(({ field }) => field === name);
    if (found !== undefined) return found;
  }
  const { types }: RoleRow = ROLES[role];
  const byAlias = new Map<string, SourceColumn>();
  for (const types_ of types.includes("string") ? [types, WHOLE] : [types]) {
    for (const column of own.filter(({ type }) => types_.includes(type))) {
      for (const key of columnKeys(column.field)) if (!byAlias.has(key)) byAlias.set(key, column);
    }
    const alias = aliasesOf(role).find((alias) => byAlias.has(alias));
    if (alias !== undefined) return byAlias.get(alias);
  }
  return undefined;
}

/**
 * Finds the column that plays a role by the names of the columns alone, for tables whose columns have no types yet.
 *
 * @returns Its name; `undefined` when none has a fitting one.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { findRoleByName } from "./roles.ts";
 *
 * assertEquals(findRoleByName(["Date", "releaseDate", "Country"], "releaseDate"), "releaseDate");
 * ```
 */
export function findRoleByName(names: readonly string[], role: Role): string | undefined {
  const [type] = ROLES[role].types;
  return findRole(names.map((name) => ({ name, field: name, type, dtype: "String" })), role)?.name;
}

/** Whole numbers, which play roles of texts and dates too. */
const WHOLE: readonly FieldType[] = ["integer"];

/** Whether a column of numbers, if they are whole, could play a role of texts or dates. */
export function couldPlay({ name, field, type }: SourceColumn, role: Role): boolean {
  return type === "float" && name === field && isOfTexts(role) &&
    columnKeys(field).some((key) => aliasesOf(role).includes(key));
}

/** Finds the column that a role of numbers would be played by if it did not hold texts. */
export function findTextOfNumbers(columns: readonly SourceColumn[], role: Role): SourceColumn | undefined {
  const { types }: RoleRow = ROLES[role];
  if (types.includes("string") || types.includes("date")) return undefined;
  const aliases = aliasesOf(role);
  const texts = columns.filter(({ name, field, type }) => name === field && type === "string");
  return aliases.flatMap((alias) => texts.find(({ field }) => columnKeys(field).includes(alias)) ?? [])[0];
}

export function isOfNumbers(role: Role): boolean {
  const { types }: RoleRow = ROLES[role];
  return types.every((type) => NUMBER.includes(type));
}

/** Whether a role is one of texts or dates, which numbers are read as. */
export function isOfTexts(role: Role): boolean {
  const { types }: RoleRow = ROLES[role];
  return types.includes("string") && !types.includes("float");
}

/** Aliases by which a role is known, the preferred first. */
function aliasesOf(role: Role): readonly string[] {
  const { names, isExact }: RoleRow = ROLES[role];
  if (isExact) return names;
  return names.flatMap((name) => [name, ...SOURCE_WORDS.flatMap((word) => [`${name}_${word}`, `${word}_${name}`])]);
}

export function describeMeaning(role: Role): string {
  return ROLES[role].meaning;
}

/** Describes for which field was looked, by which names and types. */
export function describeRole(role: Role): string {
  checkArgument("describeRole()", "role", role, ROLE_RULE);
  const { meaning, names, types }: RoleRow = ROLES[role];
  return `a field for the ${meaning} (${names.join(", ")}; ${types.join(" or ")})`;
}
