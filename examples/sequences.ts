// deno run --allow-read --allow-write --allow-env --allow-ffi --allow-sys examples/sequences.ts
// For a live registry, add --allow-net and set SEQREG_URL.
/** Gets sequences: a few by accession, many by a query, as a table and as FASTA that every tool reads. */
import { TextLineStream } from "@std/streams";
import { Registry } from "seqreg";

await using registry = await Registry.open();

// A few, by accession. The ledger lists what is missing.
const { accessions } = await registry.search("country:Peru", { pageSize: 3 });
const few = await registry.sequences({ ids: accessions });
console.log(String(few), `by the ${few.route} operation`);
for (const { accession, sequence } of few.entries) console.log(accession, sequence.slice(0, 30));

// All that match, with metadata for each sequence.
const many = await registry.sequences({ query: "country:Peru" }, { fields: ["Host Species", "Collection Date"] });
console.log(String(many), `by the ${many.route}`);
const table = (await many.frame()).drop("sequence");
console.log(table.head(3).toString());

// Plain FASTA: the registry's own FASTA has a first line that common tools reject.
const folder = await Deno.makeTempDir();
await many.toFasta(`${folder}/peru.fasta`);
const file = await Deno.open(`${folder}/peru.fasta`);
const lines = file.readable.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream());
for await (const line of lines) {
  console.log(line);
  if (!line.startsWith(">")) break;
}
for await (const { name } of Deno.readDir(folder)) console.log(name);
await Deno.remove(folder, { recursive: true });
