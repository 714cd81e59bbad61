/** Our side of `export.ts`, a process of its own: URL MODE FIELDS PATH; prints the number of records. */
import { Registry } from "../../mod.ts";

const [url, mode, fields, path] = Deno.args;
await using registry = await Registry.open(url);
if (mode === "archive-fasta") {
  const archive = await registry.dataset("full_dataset_sequence");
  await archive.toFasta(path, { provenance: "none" });
  console.log(await countHeaders(path));
} else if (mode === "fasta") {
  const result = await registry.sequences({ query: "*" });
  await result.toFasta(path);
  console.log(result.ledger.received);
} else {
  const result = await ask();
  if (mode.endsWith("-csv")) await result.toCSV(path);
  else if (mode.endsWith("-parquet")) await result.toParquet(path);
  else if (mode.endsWith("-rows")) {
    for (const row of result.rows) if (Object.keys(row).length === 0) throw new Error("empty");
  }
  if (mode.endsWith("-frame")) console.log((await result.frame()).height);
  else console.log(result.ledger.received);
}

async function ask() {
  const all = { query: "*" };
  switch (mode.slice(0, mode.indexOf("-"))) {
    case "accessions":
      return await registry.accessions(all);
    case "search":
      return await registry.searchAll("*").result();
    case "xml":
      return await registry.metadata(all, { fields: JSON.parse(fields), fileType: "xml" });
    default:
      return await registry.metadata(all, { fields: JSON.parse(fields) });
  }
}

async function countHeaders(fasta: string): Promise<number> {
  let count = 0;
  using file = await Deno.open(fasta);
  for await (const chunk of file.readable) for (const byte of chunk) if (byte === 62) count++;
  return count;
}
