/**
 * Records in which version each public symbol and command first came: `deno task since`, run at a release. What
 * `tools/docs/since.json` does not name comes with the next one.
 */
import { COMMANDS } from "../../src/cli/_commands.ts";
import { runDeno } from "../packages/toolkit/run_deno.ts";
import { readDenoConfig } from "../packages/toolkit/deno_config.ts";
import { fileURLToPath } from "node:url";
import { COMMANDS_ENTRY, readSince, recordNames } from "./_since.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const { exports, version } = await readDenoConfig(ROOT);
const names: Record<string, string[]> = { [COMMANDS_ENTRY]: [...COMMANDS.keys()] };
for (const [entry, path] of Object.entries(exports)) {
  if (entry === "./cli" || entry === "./spec") continue;
  const { nodes } = JSON.parse(await runDeno(["doc", "--json", path], { cwd: ROOT }));
  const [{ symbols }] = Object.values<{ symbols: { name: string }[] }>(nodes);
  names[entry] = symbols.map(({ name }) => name);
}
const file = new URL("since.json", import.meta.url);
await Deno.writeTextFile(file, `${JSON.stringify(recordNames(await readSince(), names, version), null, 2)}\n`);
console.log(`${fileURLToPath(file)}: ${version}; next: deno fmt tools/docs/since.json`);
