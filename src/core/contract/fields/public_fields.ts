/** The public fields that the toolkit knows: those that the specification names, and more that analyses need. */
import { fieldAlias } from "./field_alias.ts";
import type { FieldDefinition, FieldType } from "../metadata.ts";
import type { Naming } from "../naming.ts";

type FieldRow = readonly [type: FieldType, description: string, unit?: string];

/** Every public field but the accession: declared type, meaning, unit. The order is that of the sample's columns. */
export const FIELDS = {
  "Sequence Name": ["string", "Name of the sequence as its submitter wrote it; free text"],
  "Sequence Length": ["integer", "Bases of the sequence", "bp"],
  "Isolate": ["string", "Isolate or strain that the sequence was read from"],
  "Segment": ["string", "Segment of the genome; empty when the genome has one segment"],
  "Molecule Type": ["string", "Kind of nucleic acid of the genome, with its polarity"],
  "Genome Completeness": ["string", "Whether the sequence is the whole segment or a part"],
  "GC Content": ["float", "G and C among A, C, G, T and U", "%"],
  "Ambiguous Bases": ["integer", "Bases of the sequence beyond A, C, G, T and U", "bp"],
  "Realm": ["string", "Realm of the virus"],
  "Kingdom": ["string", "Kingdom of the virus"],
  "Phylum": ["string", "Phylum of the virus"],
  "Class": ["string", "Class of the virus"],
  "Order": ["string", "Order of the virus"],
  "Family": ["string", "Family of the virus"],
  "Genus": ["string", "Genus of the virus"],
  "Species": ["string", "Species of the virus"],
  "Virus Taxonomy ID": ["string", "Identifier of the species in the taxonomy; leading zeros count"],
  "Host Species": ["string", "Scientific name of the host"],
  "Host Common Name": ["string", "Common name of the host"],
  "Host Taxonomy ID": ["integer", "Identifier of the host in the NCBI taxonomy"],
  "Host Age": ["integer", "Age of the host; some values carry their unit"],
  "Host Sex": ["string", "Sex of the host"],
  "Host Vaccinated": ["boolean", "Whether the host was vaccinated; spelt as the submitter spelt it"],
  "Isolation Source": ["string", "Material that the sample was taken from"],
  "Collection Date": ["date", "Date of the sample; year, month or day may be unknown (2013, 2013-12, 2013-12-XX)"],
  "Release Date": ["date", "Date on which the record became public"],
  "Country": ["string", "Country of the sample"],
  "Geo Region": ["string", "Continent of the sample"],
  "Location": ["string", "Place of the sample within the country; free text"],
  "Latitude": ["float", "Latitude of the sample, north positive", "degrees"],
  "Longitude": ["float", "Longitude of the sample, east positive", "degrees"],
  "Submitter": ["string", "Who submitted the record"],
  "Submitter Country": ["string", "Country of the submitter"],
  "Originating Lab": ["string", "Laboratory that took the sample"],
  "Lab Code": ["string", "Code of the originating laboratory; leading zeros count"],
  "Authors": ["list", "Authors, joined by ;"],
  "Publication Title": ["string", "Title of the publication"],
  "Source Accession": ["string", "Accession of the sequence in the archive it comes from"],
  "Sample Accession": ["string", "Accession of the sample"],
  "Project Accession": ["string", "Accession of the project"],
  "Run Accession": ["list", "Accessions of the sequencing runs, joined by ;"],
  "Assembly Accession": ["string", "Accession of the assembly"],
  "Sequencing Technology": ["list", "Instruments, joined by ;"],
  "Sequencing Depth": ["float", "Mean depth of coverage; values carry an x", "x"],
  "Assembly Method": ["string", "Program that assembled the reads, with its version"],
  "Keywords": ["list", "Keywords, joined by ;"],
  "Reference Record": ["boolean", "Whether the record is the reference of its species and segment"],
  "Lineage": ["string", "Lineage within the species"],
  "Cluster": ["string", "Cluster of identical sequences, compared without case"],
  "Cluster Size": ["integer", "Records in the cluster", "records"],
  "Cluster Representative": ["string", "Accession of the cluster's representative: its first record"],
  "Notes": ["string", "Remarks of the submitter; free text, may hold line breaks"],
  "Data Source": ["string", "Where the record comes from"],
} as const satisfies Readonly<Record<string, FieldRow>>;

/** Name of a public field other than the accession. */
export type FieldName = keyof typeof FIELDS;

/** Names of {@linkcode FIELDS} in their order. */
export const FIELD_NAMES: readonly FieldName[] = Object.keys(FIELDS).filter(isFieldName);

export function isFieldName(name: string): name is FieldName {
  return Object.hasOwn(FIELDS, name);
}

export function defineField(name: FieldName): FieldDefinition {
  const [type, description, unit = ""]: FieldRow = FIELDS[name];
  return { name, alias: fieldAlias(name), type, description, unit, example: "" };
}

/** Defines the field of the accession, which each deployment spells its own way. */
export function defineAccession(naming: Naming): FieldDefinition {
  return {
    name: naming.accessionField,
    alias: naming.accessionAlias,
    type: "string",
    description: "Accession of the record: vj and twelve digits",
    unit: "",
    example: "",
  };
}
