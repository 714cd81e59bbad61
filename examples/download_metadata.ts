// deno run --allow-read --allow-write --allow-env --allow-ffi --allow-sys examples/download_metadata.ts
// For a live registry, add --allow-net and set SEQREG_URL.
/** Exports metadata of all records that match a query into a typed polars frame, and files. */
import { Registry } from "seqreg";

await using registry = await Registry.open();

const metadata = await registry.metadata({ query: "country:Kenya" }, {
  fields: ["Country", "Host Species", "Sequence Length", "Host Age", "Collection Date"],
});
console.log(String(metadata));

// Columns are typed by the registry's own definitions. Values that do not fit are listed with a reason.
const frame = await metadata.frame();
console.log(frame.schema);
console.log(frame.head(3).toString());
for (const { id, field, value, reason } of metadata.problems.slice(0, 2)) console.log(id, field, value, reason);

// Records by accession: accessions that do not exist are listed as missing.
const [first] = metadata.rows;
const some = await registry.metadata({ ids: [String(first["Registry Accession"]), "vj999999999999"] });
console.log("complete:", some.ledger.complete, "missing:", some.ledger.missing);

// For a methods section: what, from where, when, how many, with which version.
console.log(metadata.cite().sentence);

// Files are written atomically.
const folder = await Deno.makeTempDir();
await metadata.toCSV(`${folder}/kenya.csv`);
await metadata.toParquet(`${folder}/kenya.parquet`);
for await (const { name } of Deno.readDir(folder)) console.log("wrote", name);
await Deno.remove(folder, { recursive: true });
