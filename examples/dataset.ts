// deno run --allow-read --allow-write --allow-env --allow-ffi --allow-sys examples/dataset.ts
// For a live registry, add --allow-net and set SEQREG_URL.
/** Downloads a dataset archive, verified by its checksum file, and reads some of its columns. */
import { Registry } from "seqreg";

await using registry = await Registry.open();

// A verified archive or an error. The second time, the registry is only asked whether the archive has changed.
const archive = await registry.dataset("full_dataset_metadata");
console.log(String(archive));
const again = await registry.dataset("full_dataset_metadata");
console.log("from the cache:", again.reused, "same digest:", again.sha256 === archive.sha256);

// Only the requested columns are held in memory.
const table = await archive.read({ columns: ["Registry Accession", "Country", "Sequence Length"] });
console.log(String(table));
const frame = await table.frame();
console.log(frame.getColumn("Country").valueCounts(true).head(5).toString());

console.log(archive.provenance);
