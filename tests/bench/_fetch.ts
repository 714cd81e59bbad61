/**
 * Opens an indexed FASTA, fetches records by the ids of a file and prints them; says how many milliseconds that took.
 */
import { openFasta } from "../../src/core/fasta/mod.ts";

const [path, list] = Deno.args;
const ids = (await Deno.readTextFile(list)).trimEnd().split("\n");
const started = performance.now();
const sequences: (string | undefined)[] = [];
{
  await using fasta = await openFasta(path);
  for (const id of ids) sequences.push(await fasta.get(id));
}
const took = performance.now() - started;
console.log(ids.map((id, index) => `>${id}\n${sequences[index]}`).join("\n"));
console.error(took);
