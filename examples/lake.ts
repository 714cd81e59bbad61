// deno run --allow-read --allow-write --allow-env --allow-ffi --allow-sys examples/lake.ts
// For a live registry, add --allow-net and set SEQREG_URL.
/** An archive as a lake: downloaded, verified and converted once; then grouped without the network. */
import pl from "nodejs-polars";
import { Registry } from "seqreg";

// On the first run the archive is fetched and converted to Parquet in the cache. Then SEQREG_OFFLINE=1 works.
await using registry = await Registry.open();
const archive = await registry.dataset("full_dataset_metadata");
console.log(String(archive));
await using lake = await archive.lake({ dates: "columns" });
const { Country, "Host Species": Host, "Molecule Type": Molecule, "Sequence Length": Length } = lake.fields;
const Collected = lake.fields["Collection Date earliest"];

/** The five largest groups, equal ones by name. Records without a value form a group of their own. */
const largest = (groups: ReturnType<typeof lake.scan>, by: string) =>
  groups.sort(["records", by], [true, false]).limit(5).collect();
const records = pl.len().alias("records");

console.log("1. Where: records by country");
console.log((await largest(lake.scan().groupBy("Country").agg(records), "Country")).toString());

console.log("2. When: records by year of collection");
const years = lake.scan().withColumns(Collected.dt.year().alias("Year")).groupBy("Year").agg(records);
console.log((await largest(years, "Year")).toString());
// For millions of rows the streaming engine is fastest and needs little memory.
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

// The ledger counts values that do not fit their declared type.
const table = await lake.table({ columns: ["Country", "Collection Date", "Sequence Length"] });
console.log("rows:", table.rows, "complete:", table.ledger.complete, "problems:", table.problemCount);
for (const warning of table.ledger.warnings) console.log("warning:", warning);
