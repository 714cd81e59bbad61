/** Packs a FASTA and a table, and prints the records and the most memory in kB: `_pack_work.ts FASTA TABLE FOLDER`. */
import { packArchives } from "../../src/embedded/sample/mod.ts";

const [fasta, metadata, folder] = Deno.args;
const { ledger, joinedBy } = await packArchives({ fasta, metadata, folder });
const kilobytes = Number(/VmHWM:\s+([0-9]+) kB/.exec(Deno.readTextFileSync("/proc/self/status"))?.[1]);
console.log(JSON.stringify({ received: ledger.received, complete: ledger.complete, joinedBy, kilobytes }));
