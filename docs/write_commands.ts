/** Writes the README's table of commands and `docs/commands.md` from the commands' definitions. */
import { COMMANDS } from "../src/cli/_commands.ts";
import { commandPage, commandTable } from "./_command_pages.ts";

const ROOT = new URL("../", import.meta.url);
const BEGIN = "<!-- commands -->";
const END = "<!-- /commands -->";

const commands = await Promise.all([...COMMANDS.values()].map((entry) => entry.load()));
const readme = await Deno.readTextFile(new URL("README.md", ROOT));
const [before, rest] = readme.split(BEGIN);
if (rest === undefined || !rest.includes(END)) throw new Error(`README.md has no section ${BEGIN} … ${END}`);
const page = new URL("docs/commands.md", ROOT);
await Deno.writeTextFile(
  new URL("README.md", ROOT),
  `${before}${BEGIN}\n\n${commandTable(commands)}\n\n${rest.slice(rest.indexOf(END))}`,
);
await Deno.writeTextFile(page, commandPage(commands));
const { success } = await new Deno.Command(Deno.execPath(), {
  args: ["fmt", "--quiet", "README.md", "docs"],
  cwd: ROOT,
})
  .output();
if (!success) throw new Error("deno fmt failed");
