/** A folder of archives with a few records of every awkward kind, and as many plain ones as a test needs. */
import { formatAccession } from "../../../src/core/contract/accession.ts";
import type { FieldDefinition, FieldType } from "../../../src/core/contract/metadata.ts";
import { type Naming, SPECIFICATION_NAMING } from "../../../src/core/contract/naming.ts";
import { writeArchives } from "../../embedded/service/_archives.ts";

export interface FixtureRecord {
  readonly accession: string;
  /** Values by public field name; an absent one is empty. */
  readonly values: Readonly<Record<string, string>>;
  readonly sequence: string;
}

/** Public fields after the accession. */
export const FIELDS: Readonly<Record<string, readonly [alias: string, type: FieldType]>> = {
  "Sequence Name": ["sequence_name", "string"],
  "Sequence Length": ["sequence_length", "integer"],
  "Isolate": ["isolate", "string"],
  "Country": ["country", "string"],
  "Collection Date": ["collection_date", "date"],
  "GC Content": ["gc_content", "float"],
  "Segmented": ["segmented", "boolean"],
  "Host / Source (5')": ["host_source_5", "string"],
};

/** Records that break what is written carelessly. The first accession is vj000000000001. */
export const AWKWARD: readonly FixtureRecord[] = [
  record(1, "ACGTACGTAC", { "Sequence Name": "plain", Country: "Kenya", "Collection Date": "2013-12-XX" }),
  record(2, "acgtnnRYK", { "Sequence Name": 'quotes "and", commas', Country: "Côte d'Ivoire", Isolate: "0042" }),
  record(3, "AC", { "Sequence Name": "line\nfeed and\r\nreturn", Country: "Kenya", "Segmented": "true" }),
  record(4, "GGG", { "Sequence Name": "pipe|and|pipe", Country: "Kenya", "Segmented": "false", "GC Content": "1" }),
  record(5, "T", { "Sequence Name": "<b>&amp;</b> ]]> \u0000\u0007\u001b[2J\ufffe", Country: "Peru" }),
  record(6, "ACGT", { "Sequence Name": "=1+1", Country: "Peru", "GC Content": "0.50", "Segmented": "yes" }),
  record(7, "ACGTT", { "Sequence Name": "tab\there", Country: "Peru", "GC Content": "12.5" }),
  record(8, "ACGTTT", { "Sequence Name": "𝔘nicode; list; of", "Sequence Length": "37 years", Country: "Peru" }),
  record(9, "ACGTACGTAC", { "Sequence Name": "__proto__", Country: "constructor", "Host / Source (5')": "a\\b" }),
];

/** The awkward records, then plain ones up to `count`, countries dealt in turn. */
export function fixtureRecords(count: number): FixtureRecord[] {
  const plain = Array.from({ length: Math.max(0, count - AWKWARD.length) }, (_, index) => {
    const number = AWKWARD.length + 1 + index;
    const sequence = "ACGT"[number % 4].repeat(10 + number % 50);
    return record(number, sequence, {
      "Sequence Name": `virus ${number}`,
      Isolate: `I-${String(number).padStart(6, "0")}`,
      Country: ["Brazil", "Germany", "Japan"][number % 3],
      "Collection Date": `${2000 + number % 20}`,
    });
  });
  return [...AWKWARD, ...plain];
}

function record(number: number, sequence: string, values: Readonly<Record<string, string>>): FixtureRecord {
  return {
    accession: formatAccession(number),
    sequence,
    values: { "Sequence Length": `${sequence.length}`, ...values },
  };
}

export function fixtureDefinitions(naming: Naming = SPECIFICATION_NAMING): FieldDefinition[] {
  const accession: FieldDefinition = {
    name: naming.accessionField,
    alias: naming.accessionAlias,
    type: "string",
    description: "Identifier of the record",
    unit: "",
    example: "vj000000000001",
  };
  const others = Object.entries(FIELDS).map(([name, [alias, type]]): FieldDefinition => ({
    name,
    alias,
    type,
    description: `What "${name}" means, in words`,
    unit: name === "Sequence Length" ? "bp" : "",
    example: "",
  }));
  return [accession, ...others];
}

/** Writes the sixteen files and the definitions into a folder. */
export async function writeFixture(
  folder: string,
  records: readonly FixtureRecord[],
  naming: Naming = SPECIFICATION_NAMING,
): Promise<void> {
  const columns = Object.keys(FIELDS);
  await writeArchives(folder, {
    columns,
    rows: records.map(({ values }) => columns.map((name) => values[name] ?? "")),
    accessions: records.map(({ accession }) => accession),
    sequences: records.map(({ sequence }) => sequence),
    naming,
  });
  await Deno.writeTextFile(`${folder}/definitions.json`, JSON.stringify(fixtureDefinitions(naming)));
}
