// deno run --allow-read --allow-write --allow-env --allow-ffi examples/definitions.ts
// For a live registry, add --allow-net and set SEQREG_URL.
/** Asks what public fields mean, and detects names that the registry does not know. */
import { Registry } from "seqreg";

await using registry = await Registry.open();

// A registry omits unknown names without an error: the ledger lists them.
const result = await registry.definitions(["Country", "Sequence Length", "Shoe Size"]);
console.log(String(result));
console.log("unknown:", result.unknown);

// `definitions` does not depend on the registry's column names; `rows` are as received.
for (const { name, alias, type, unit } of result.definitions) console.log({ name, alias, type, unit });
console.log(result.rows[0]);

// Without names: every field that one record of the registry has.
const all = await registry.definitions();
console.log(
  `${all.definitions.length} fields, ${all.definitions.filter(({ type }) => type === "integer").length} integers`,
);
