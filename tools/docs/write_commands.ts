/** Writes `docs/commands.md` from the commands' definitions, and the codes of `docs/ledger.md`. */
import { COMMANDS } from "../../src/cli/_commands.ts";
import { commandPage } from "./_command_pages.ts";
import { withCodeTables } from "./_ledger_page.ts";
import { readSince } from "./_since.ts";

const ROOT = new URL("../../", import.meta.url);

const commands = await Promise.all([...COMMANDS.values()].map((entry) => entry.load()));
const page = new URL("docs/commands.md", ROOT);
await Deno.writeTextFile(page, commandPage(commands, await readSince()));
const ledgerPage = new URL("docs/ledger.md", ROOT);
await Deno.writeTextFile(ledgerPage, withCodeTables(await Deno.readTextFile(ledgerPage)));
const { success } = await new Deno.Command(Deno.execPath(), {
  args: ["fmt", "--quiet", "docs"],
  cwd: ROOT,
})
  .output();
if (!success) throw new Error("deno fmt failed");
