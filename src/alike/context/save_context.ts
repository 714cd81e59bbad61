/** The folder of a context set. */
import { join } from "node:path";
import { TOOLKIT } from "@seqreg/core/contract/version";
import { writePlainFasta } from "@seqreg/core/fasta/write/write_fasta";
import { createWholeFolder, onDisk } from "@seqreg/core/io/files/whole_folder";
import { tsvCell, tsvRow } from "@seqreg/core/io/csv/csv_text";
import { findRoleByName } from "@seqreg/analysis/source/roles";
import { augurDate } from "./augur_date.ts";
import type { ContextSet } from "./context_set.ts";

/** Writes the three files. Nothing in them depends on the time. */
export async function saveContext(
  { records, fields, leftOut, withoutHit, ledger, sources }: Omit<ContextSet, "save">,
  request: Readonly<Record<string, unknown>>,
  folder: string,
): Promise<void> {
  await using whole = await createWholeFolder(folder);
  const dateField = findRoleByName(fields, "collectionDate");
  const dateAt = dateField === undefined ? -1 : fields.indexOf(dateField);
  const own = ["name", "accession", "date"];
  // A field of the source with a name of ours is written with a suffix.
  const others = fields.map((field) => [...own, "why"].includes(field) ? `${field}_in_source` : field);
  const rows = records.map(({ name, accession, values, why }) =>
    [tsvRow([name, accession, augurDate(values[dateAt] ?? "")]), ...values, tsvCell(why)].join("\t")
  );
  const metadata = [tsvRow([...own, ...others, "why"]), ...rows].map((row) => `${row}\n`).join("");
  const fasta = writePlainFasta(records.map(({ name, sequence }) => ({ header: name, sequence })));
  const about = {
    contextSet: 2,
    toolkit: TOOLKIT,
    request,
    records: records.map(({ name, accession, isQuery, why }) => ({ name, accession, isQuery, why })),
    leftOut,
    withoutHit,
    ledger,
    sources,
  };
  await onDisk(folder, async () => {
    await Deno.writeFile(join(whole.path, "sequences.fasta"), ReadableStream.from(fasta));
    await Deno.writeTextFile(join(whole.path, "metadata.tsv"), metadata);
    await Deno.writeTextFile(join(whole.path, "context.json"), `${JSON.stringify(about, null, 2)}\n`);
    await whole.rename();
  });
}
