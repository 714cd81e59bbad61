/** A lake whose columns hold every type, values that fit, that do not, and that are missing, in several parts. */
import type { ObjectStoreOptions } from "../../../src/core/io/objects/store_options.ts";
import { buildAnyLakeBy } from "../../../src/core/tables/lake/objects/build_any_lake.ts";
import { accession, DEFINITIONS, HEADER, VALUES, writeGzip } from "../../core/tables/_lake_files.ts";

/** Metadata of which every type has values that fit, that do not, and that say that they are missing. */
export function oddMetadata(records: number): string {
  const cell = (text: string) => `"${text.replaceAll('"', '""').replaceAll("\0", "")}"`;
  const value = (at: number) => VALUES[at % VALUES.length];
  const rows = Array.from({ length: records }, (_, row) =>
    [
      accession(row),
      ...[row % 9 === 0 ? value(row) : String(row), `${row} years`, row % 7 === 0 ? value(row) : `${row / 8} %`],
      ...[row % 2 === 0 ? "yes" : value(row), row % 3 === 0 ? value(row) : "2020-03", `a;${value(row)}`, value(row)],
    ].map(cell).join(","));
  return `${HEADER.join(",")}\n${rows.join("\n")}\n`;
}

function sequences(records: number): string {
  const rows = Array.from({ length: records }, (_, row) => `${accession(row)},${"ACGTN-".slice(row % 6)}\n`);
  return `Registry Accession,Sequence\n${rows.join("")}`;
}

/** Writes two archives and builds their lake, in several parts. */
export async function buildOddLake(
  folder: string,
  target: string,
  records: number,
  store?: ObjectStoreOptions,
): Promise<void> {
  const archives = [`${folder}/metadata.csv.gz`, `${folder}/sequences.csv.gz`];
  await writeGzip(archives[0], oddMetadata(records));
  await writeGzip(archives[1], sequences(records));
  const options = { definitions: DEFINITIONS, dates: "columns" as const, ...store && { store } };
  await buildAnyLakeBy({ partBytes: 400_000 }, archives, target, options);
}
