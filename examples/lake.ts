// deno run --allow-read --allow-write --allow-env --allow-ffi --allow-sys examples/lake.ts   (a live registry: --allow-net, SEQREG_URL)
/** An archive as a lake: downloaded, verified and converted once; then group-bys at once, without the network. */
import pl from "nodejs-polars";
import { Registry } from "seqreg";

// The first time the archive is fetched and becomes Parquet in the cache. SEQREG_OFFLINE=1 works from then on.
await using registry = await Registry.open();
const archive = await registry.dataset("full_dataset_metadata");
console.log(String(archive));
await using lake = await archive.lake({ dates: "columns" });
const { Country, "Host Species": Host, "Molecule Type": Molecule, "Sequence Length": Length } = lake.fields;
const Collected = lake.fields["Collection Date earliest"];

/** The five largest groups, equal ones by name. A record without a value is in a group of its own, not hidden. */
const largest = (groups: ReturnType<typeof lake.scan>, by: string) =>
  groups.sort(["records", by], [true, false]).limit(5).collect();
const records = pl.len().alias("records");

console.log("1. Where: records by country");
console.log((await largest(lake.scan().groupBy("Country").agg(records), "Country")).toString());

console.log("2. When: records by year of collection");
const years = lake.scan().withColumns(Collected.dt.year().alias("Year")).groupBy("Year").agg(records);
console.log((await largest(years, "Year")).toString());
// Fifteen million rows are summed up quickest, and in little memory, by the streaming engine.
const byYear = lake.scan().groupBy([Country, Collected.dt.year().alias("Year")]).agg(
  records,
  Length.mean().alias("mean"),
);
console.log("groups of country and year:", byYear.collectSync({ engine: "streaming" }).height);

console.log("3. What: molecule types, with their lengths");
const lengths = [Length.mean().round(0).alias("mean length"), Length.max().alias("longest")];
const molecules = lake.scan().filter(Molecule.isNotNull()).groupBy("Molecule Type").agg(records, ...lengths);
console.log((await largest(molecules, "Molecule Type")).toString());

console.log("4. Who: hosts, and the countries they come from");
const hosts = lake.scan().filter(Host.isNotNull()).groupBy("Host Species");
console.log((await largest(hosts.agg(records, Country.nUnique().alias("countries")), "Host Species")).toString());

console.log("5. The same lake in SQL: genome completeness in one country");
const completeness = await lake.sql(
  'SELECT "Genome Completeness", count(*) AS records FROM lake WHERE Country = ? GROUP BY ALL ORDER BY 2 DESC',
  ["Germany"],
);
console.log(completeness.toString());

// Nothing is dropped in silence: the ledger counts what does not fit its declared type.
const table = await lake.table({ columns: ["Country", "Collection Date", "Sequence Length"] });
console.log("rows:", table.rows, "complete:", table.ledger.complete, "problems:", table.problemCount);
for (const warning of table.ledger.warnings) console.log("warning:", warning);
