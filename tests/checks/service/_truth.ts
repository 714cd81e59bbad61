/** What a registry must answer, read from its archives without it. */
import { archiveFiles, type ArchiveId } from "../../../src/core/contract/datasets.ts";
import { readTable } from "../../../src/core/tables/open/read_table.ts";

/** The records of a folder of archives. */
export interface Truth {
  readonly accessions: readonly string[];
  readonly sequences: ReadonlyMap<string, string>;
  /** Accessions by country, in the order of the archive. */
  readonly byCountry: ReadonlyMap<string, readonly string[]>;
  readonly countryOf: ReadonlyMap<string, string>;
  /** Content of one checksum file, and its name. */
  readonly checksum: { readonly name: string; readonly text: string };
}

export async function readTruth(folder: string): Promise<Truth> {
  const table = (id: ArchiveId) => readTable(`${folder}/${archiveFiles(id).archive}`);
  const metadata = await table("full_dataset_metadata");
  const country = metadata.columns.indexOf("Country");
  const accessions = metadata.rows.map(([accession]) => accession);
  const byCountry = new Map<string, string[]>();
  const countryOf = new Map<string, string>();
  for (const row of metadata.rows) {
    countryOf.set(row[0], row[country]);
    if (row[country] === "") continue;
    byCountry.set(row[country], [...byCountry.get(row[country]) ?? [], row[0]]);
  }
  const sequences = new Map((await table("full_dataset_sequence")).rows.map(([name, bases]) => [name, bases]));
  const name = archiveFiles("full_dataset_metadata").checksum;
  return {
    accessions,
    sequences,
    byCountry,
    countryOf,
    checksum: { name, text: await Deno.readTextFile(`${folder}/${name}`) },
  };
}
