// deno run --allow-read --allow-write --allow-env --allow-ffi examples/definitions.ts   (a live registry: --allow-net, SEQREG_URL)
/** Asks what public fields mean, and notices names that the registry does not know. */
import { Registry } from "seqreg";

await using registry = await Registry.open();

// A registry leaves unknown names out without an error: the ledger names them.
const result = await registry.definitions(["Country", "Sequence Length", "Shoe Size"]);
console.log(String(result));
console.log("unknown:", result.unknown);

// Understood whatever the registry calls its columns; the rows are as they came.
for (const { name, alias, type, unit } of result.definitions) console.log({ name, alias, type, unit });
console.log(result.rows[0]);

// Without names: every field that one record of the registry shows.
const all = await registry.definitions();
console.log(
  `${all.definitions.length} fields, ${all.definitions.filter(({ type }) => type === "integer").length} integers`,
);
