// deno run --allow-read --allow-write --allow-env --allow-ffi examples/search.ts
// For a live registry, add --allow-net and set SEQREG_URL.
/** Searches a registry: one page with facets, an order, and every record that matches. */
import { Registry } from "seqreg";

await using registry = await Registry.open();
console.log(String(registry));

// One page, the longest sequences first. An explicit order leaves hits without a score.
const page = await registry.search("country:Germany", {
  pageSize: 3,
  sort: { column: "sequence_length", order: "desc" },
});
console.log(`${page.total} records match, this page has ${page.rows.length}:`);
for (const row of page.rows) {
  console.log(row["Registry Accession"], row["Sequence Length"], row["Collection Date"]);
}

// Facets count the values of all matching records, not of this page only.
const hosts = page.facets.find(({ field }) => field === "Host Species");
for (const { value, count } of hosts?.values.slice(0, 3) ?? []) console.log(`${value}: ${count}`);

// A facet filter narrows the search; `all` fetches every page.
const all = await registry.searchAll("country:Germany", { filter: { "Molecule Type": "dsDNA" } }).result();
console.log(String(all));

// The ledger says whether anything is absent, and why.
if (!all.ledger.complete) throw new Error(all.ledger.reasons.join("; "));
