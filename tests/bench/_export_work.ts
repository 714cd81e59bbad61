/** Our side of `export.ts`, a process of its own: URL MODE FIELDS PATH; prints the number of records. */
import { Registry } from "../../mod.ts";

const [url, mode, fields, path] = Deno.args;
await using registry = await Registry.open(url);
const result = await registry.metadata({ query: "*" }, { fields: JSON.parse(fields) });
if (mode === "frame") console.log((await result.frame()).height);
else {
  await (mode === "csv" ? result.toCSV(path) : result.toParquet(path));
  console.log(result.ledger.received);
}
