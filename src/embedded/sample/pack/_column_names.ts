/** From the columns that people's tables have to public field names. */
import { fieldAlias } from "@seqreg/core/contract/field_alias";
import type { Naming } from "@seqreg/core/contract";
import { FIELD_NAMES, type FieldName, isFieldName } from "../fields.ts";

/** Names that tables use, in lower-case snake case. Where a table has several for one field, the first here wins. */
const SYNONYMS: readonly (readonly [column: string, field: FieldName])[] = [
  ["strain", "Isolate"],
  ["isolate_name", "Isolate"],
  ["virus_name", "Isolate"],
  ["name", "Sequence Name"],
  ["definition", "Sequence Name"],
  ["date", "Collection Date"],
  ["sample_date", "Collection Date"],
  ["sampling_date", "Collection Date"],
  ["date_collected", "Collection Date"],
  ["date_submitted", "Release Date"],
  ["submission_date", "Release Date"],
  ["date_released", "Release Date"],
  ["length", "Sequence Length"],
  ["seq_length", "Sequence Length"],
  ["genome_length", "Sequence Length"],
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
  ["title", "Publication Title"],
  ["paper_title", "Publication Title"],
  ["moltype", "Molecule Type"],
  ["mol_type", "Molecule Type"],
  ["completeness", "Genome Completeness"],
  ["specimen", "Isolation Source"],
  ["sample_type", "Isolation Source"],
  ["source", "Isolation Source"],
  ["platform", "Sequencing Technology"],
  ["instrument", "Sequencing Technology"],
  ["coverage", "Sequencing Depth"],
  ["depth", "Sequencing Depth"],
  ["clade", "Lineage"],
  ["pango_lineage", "Lineage"],
  // NCBI Virus and gget virus
  ["organism_name", "Species"],
  ["geographic_location", "Country"],
  ["geographic_region", "Geo Region"],
  ["geo_location", "Location"],
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

/** Fields that say what this room finds out of the sequences: a column is one of them only by its exact name. */
const COMPUTED: ReadonlySet<FieldName> = new Set(["Cluster", "Cluster Size", "Cluster Representative"]);

/** Finds the column that holds registry accessions, by the field's name or its alias. */
export function accessionColumn(columns: readonly string[], naming: Naming): number {
  const exact = columns.indexOf(naming.accessionField);
  return exact !== -1 ? exact : columns.findIndex((column) => fieldAlias(column) === naming.accessionAlias);
}

/**
 * Names the public field of each column.
 *
 * An exact field name wins over an alias, an alias over a synonym; what finds no field, or only one that another column
 * has, keeps its own name.
 *
 * @param columns Names of the columns, unique.
 * @returns A field name for each; unique again.
 */
export function publicNames(columns: readonly string[]): string[] {
  const names: (string | undefined)[] = columns.map((column) => isFieldName(column) ? column : undefined);
  const taken = new Set(names.filter((name) => name !== undefined));
  const give = (column: number, field: FieldName) => {
    if (names[column] !== undefined || taken.has(field)) return;
    names[column] = field;
    taken.add(field);
  };
  const aliases = columns.map(fieldAlias);
  const byAlias = new Map(FIELD_NAMES.filter((name) => !COMPUTED.has(name)).map((name) => [fieldAlias(name), name]));
  for (const [column, alias] of aliases.entries()) {
    const field = byAlias.get(alias);
    if (field !== undefined) give(column, field);
  }
  for (const [synonym, field] of SYNONYMS) {
    const column = aliases.indexOf(synonym);
    if (column !== -1) give(column, field);
  }
  return names.map((name, column) => name ?? columns[column]);
}
