/** Which public field a column of a person's table is, by its name alone, and which type that gives it. */
import { fieldAlias } from "./field_alias.ts";
import { FIELD_NAMES, type FieldName, FIELDS, isFieldName } from "./public_fields.ts";
import type { FieldDefinition, FieldType } from "../metadata.ts";

/**
 * Names that tables of the field's programs and databases use, in lower-case snake case. Where a table has several for
 * one field, the first here wins. Names that also mean something else, such as `coverage`, `source` or `name`, are not
 * among them.
 */
const SYNONYMS: readonly (readonly [column: string, field: FieldName])[] = [
  ["strain", "Isolate"],
  ["isolate_name", "Isolate"],
  ["definition", "Sequence Name"],
  ["date", "Collection Date"],
  ["sample_date", "Collection Date"],
  ["sampling_date", "Collection Date"],
  ["date_collected", "Collection Date"],
  ["sample_collection_date", "Collection Date"],
  ["date_submitted", "Release Date"],
  ["submission_date", "Release Date"],
  ["date_released", "Release Date"],
  ["length", "Sequence Length"],
  ["seq_length", "Sequence Length"],
  ["genome_length", "Sequence Length"],
  ["nuc_length", "Sequence Length"],
  ["size", "Sequence Length"],
  ["base_count", "Sequence Length"],
  ["gc", "GC Content"],
  ["gc_percent", "GC Content"],
  ["percent_gc", "GC Content"],
  ["ambiguous", "Ambiguous Bases"],
  ["ambiguous_letters", "Ambiguous Bases"],
  ["ambiguous_nucleotides", "Ambiguous Bases"],
  ["n_count", "Ambiguous Bases"],
  ["host", "Host Species"],
  ["age", "Host Age"],
  ["patient_age", "Host Age"],
  ["sex", "Host Sex"],
  ["gender", "Host Sex"],
  ["region", "Geo Region"],
  ["continent", "Geo Region"],
  ["location", "Location"],
  ["city", "Location"],
  ["division", "Location"],
  ["province", "Location"],
  ["state", "Location"],
  ["lat", "Latitude"],
  ["lon", "Longitude"],
  ["long", "Longitude"],
  ["virus", "Species"],
  ["organism", "Species"],
  ["virus_species", "Species"],
  ["accession", "Source Accession"],
  ["genbank_accession", "Source Accession"],
  ["insdc_accession", "Source Accession"],
  ["biosample", "Sample Accession"],
  ["biosample_accession", "Sample Accession"],
  ["bioproject", "Project Accession"],
  ["bioproject_accession", "Project Accession"],
  ["sra_accession", "Run Accession"],
  ["assembly", "Assembly Accession"],
  ["submitting_lab", "Submitter"],
  ["institution", "Submitter"],
  ["originating_lab", "Originating Lab"],
  ["author", "Authors"],
  ["paper_title", "Publication Title"],
  ["moltype", "Molecule Type"],
  ["mol_type", "Molecule Type"],
  ["specimen", "Isolation Source"],
  ["sample_type", "Isolation Source"],
  ["platform", "Sequencing Technology"],
  ["instrument", "Sequencing Technology"],
  ["clade", "Lineage"],
  ["pango_lineage", "Lineage"],
  // NCBI Virus and gget virus
  ["organism_name", "Species"],
  ["geographic_location", "Country"],
  ["geo_location", "Country"],
  ["geo_loc_name", "Country"],
  ["geo_loc_country", "Country"],
  ["geographic_region", "Geo Region"],
  ["submitters", "Authors"],
  ["organization", "Submitter"],
  ["org_location", "Submitter Country"],
  ["nuc_completeness", "Genome Completeness"],
  ["tissue_specimen_source", "Isolation Source"],
  ["genbank_title", "Sequence Name"],
  ["genbank_refseq", "Data Source"],
  ["bioprojects", "Project Accession"],
  ["sra_accessions", "Run Accession"],
  // NCBI Datasets
  ["virus_organism_name", "Species"],
  ["virus_tax_id", "Virus Taxonomy ID"],
  ["virus_pangolin_classification", "Lineage"],
  ["host_organism_name", "Host Species"],
  ["host_tax_id", "Host Taxonomy ID"],
  ["isolate_collection_date", "Collection Date"],
  ["isolate_source", "Isolation Source"],
  ["location_geographic_location", "Country"],
  ["location_geographic_region", "Geo Region"],
  ["submitter_names", "Authors"],
  ["submitter_affiliation", "Submitter"],
  ["source_database", "Data Source"],
];

const BY_SYNONYM: ReadonlyMap<string, FieldName> = new Map(SYNONYMS);

/** Fields that are computed from the sequences: a column is one of them only by its exact name. */
const COMPUTED: ReadonlySet<FieldName> = new Set(["Cluster", "Cluster Size", "Cluster Representative"]);

/** Fields whose names are everyday words: such a column may hold anything. */
const EVERYDAY: ReadonlySet<FieldName> = new Set(["Order", "Class", "Notes"]);

const BY_ALIAS: ReadonlyMap<string, FieldName> = new Map(
  FIELD_NAMES.filter((name) => !COMPUTED.has(name)).map((name) => [fieldAlias(name), name]),
);

/**
 * Writes the name of a column in lower-case snake case: as an alias is written, and with words apart that only a
 * capital tells apart.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { columnKeys } from "./column_names.ts";
 *
 * assertEquals(columnKeys("*Collection date"), ["collection_date"]);
 * assertEquals(columnKeys("sampleCollectionDate"), ["samplecollectiondate", "sample_collection_date"]);
 * ```
 */
export function columnKeys(column: string): readonly string[] {
  return [...new Set([column, column.replace(/([\p{Ll}\p{N}])(?=\p{Lu}\p{Ll})/gu, "$1_")].map(fieldAlias))];
}

/**
 * Names the public field of each column.
 *
 * An exact field name wins over an alias, an alias over a synonym; a column that has no field, or only one that another
 * column has, keeps its own name.
 *
 * @param columns Names of the columns, unique.
 * @returns A field name for each; unique again.
 */
export function publicFields(columns: readonly string[]): string[] {
  const names: (string | undefined)[] = columns.map((column) => isFieldName(column) ? column : undefined);
  const taken = new Set(names.filter((name) => name !== undefined));
  const give = (column: number, field: FieldName) => {
    if (names[column] !== undefined || taken.has(field)) return;
    names[column] = field;
    taken.add(field);
  };
  const keys = columns.map(columnKeys);
  for (const [column, ofColumn] of keys.entries()) {
    const field = ofColumn.map((key) => BY_ALIAS.get(key)).find((found) => found !== undefined);
    if (field !== undefined) give(column, field);
  }
  for (const [synonym, field] of SYNONYMS) {
    const column = keys.findIndex((ofColumn) => ofColumn.includes(synonym));
    if (column !== -1) give(column, field);
  }
  return names.map((name, column) => name ?? columns[column]);
}

/** What a column's name says of its values. */
export type KnownColumn = Pick<FieldDefinition, "type" | "unit">;

/**
 * The type and the unit that the name of a column gives it: those of the public field of this name, or a date where
 * the name has the word; `undefined` where the name says nothing.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { knownColumn } from "./column_names.ts";
 *
 * assertEquals(knownColumn("length"), { type: "integer", unit: "bp" });
 * assertEquals(knownColumn("Segment"), { type: "string", unit: "" });
 * assertEquals(knownColumn("date_of_birth"), { type: "date", unit: "" });
 * assertEquals(knownColumn("ct_value"), undefined);
 * ```
 */
export function knownColumn(column: string): KnownColumn | undefined {
  const keys = columnKeys(column);
  const field = isFieldName(column)
    ? column
    : keys.map((key) => BY_ALIAS.get(key) ?? BY_SYNONYM.get(key)).find((found) => found !== undefined);
  if (field !== undefined) {
    if (EVERYDAY.has(field)) return undefined;
    const [type, , unit = ""]: readonly [type: FieldType, description: string, unit?: string] = FIELDS[field];
    return { type, unit };
  }
  return keys.some((key) => /(?:^|_)dates?(?:_|$)/.test(key)) ? { type: "date", unit: "" } : undefined;
}
