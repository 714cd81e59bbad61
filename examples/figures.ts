// deno run --allow-read --allow-write --allow-env --allow-ffi --allow-sys examples/figures.ts
// For a live registry, add --allow-net and set SEQREG_URL.
/** Draws figures with their source lines, and saves them: records in time, a map, a fair sample. */
import { Registry } from "seqreg";
import { recordsInTime, stratifiedSample, worldMap } from "seqreg/analysis";

await using registry = await Registry.open();
const folder = await Deno.makeTempDir();

// Analyses do not use today's date: state the date of the data.
const snapshot = "2026-01-31";

// Any result of a registry works; the fields are found by their role.
const kenya = await registry.metadata({ query: "country:Kenya" }, { fields: ["Collection Date", "Species"] });
const byYear = await recordsInTime(kenya, { name: "records from Kenya", snapshot });
console.log(String(byYear));
await byYear.chart?.save(`${folder}/years.svg`);

// A lake has all records: the numbers are in `frame`, caveats in `notes`.
await using lake = await registry.lake({ archives: ["full_dataset_metadata"] });
const map = await worldMap(lake, { snapshot });
console.log(map.frame.head(3).getColumn("place").toArray(), map.notes);
await map.chart?.save(`${folder}/map.png`);

// At most five records of each species; the same seed draws the same records.
const fair = await stratifiedSample(lake, { by: "species", most: 5, seed: 1 });
console.log(`${(await fair.records()).height} records drawn`);
await fair.chart?.save(`${folder}/sample.svg`, { theme: "dark" });

for await (const { name, isFile } of Deno.readDir(folder)) console.log(name, isFile);
await Deno.remove(folder, { recursive: true });
