/** `fasta table FILE --columns id,length,gc,ambiguous` in plain TypeScript: `_table_plain.ts FILE OUTPUT`. */
import { readFastaBatches } from "../../src/core/fasta/records/read_fasta_batches.ts";
import { tsvRow } from "../../src/core/io/csv/csv_text.ts";
import { formatShare } from "../../src/cli/rows/decimals.ts";
import { createAtomicFile } from "../../src/core/io/files/atomic_file.ts";

const [path, output] = Deno.args;
const encoder = new TextEncoder();
await using file = await createAtomicFile(output);
await file.write(encoder.encode("id\tlength\tgc\tambiguous\n"));
for await (const batch of readFastaBatches(path, { sequences: false, batchRows: 4096 })) {
  const { ids } = batch;
  const lines: string[] = [];
  for (const [row, id] of ids.entries()) {
    const { length, ambiguous } = batch;
    lines.push(tsvRow([id, String(length[row]), formatShare(batch.gc(row)), String(ambiguous[row])]));
  }
  await file.write(encoder.encode(`${lines.join("\n")}\n`));
}
await file.commit();
