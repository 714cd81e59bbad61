/** Holds the generated page about commands to the commands' definitions. */
import { assert, assertEquals } from "@std/assert";
import { commandPage } from "../../tools/docs/_command_pages.ts";
import { readSince } from "../../tools/docs/_since.ts";
import { COMMANDS } from "../../src/cli/_commands.ts";

const ROOT = new URL("../../", import.meta.url);
const commands = await Promise.all([...COMMANDS.values()].map((entry) => entry.load()));

/** Markdown without what the formatter changes: the width of table columns. */
function unpadded(markdown: string): string {
  return markdown.replace(/-{3,}/g, "---").replace(/ +/g, " ").replace(/\s*\n\s*/g, "\n").trim();
}

Deno.test("docs/commands.md is that of the definitions: deno task commands writes it", async () => {
  const page = await Deno.readTextFile(new URL("docs/commands.md", ROOT));
  // The formatter wraps prose.
  const flat = (markdown: string) => unpadded(markdown).replaceAll("\n", " ");

  assertEquals(flat(page), flat(commandPage(commands, await readSince())));
  for (const { name, options } of commands) {
    assert(page.includes(`## ${name}\n`), name);
    for (const option of Object.keys(options)) assert(page.includes(`--${option}`), `${name} --${option}`);
  }
});
