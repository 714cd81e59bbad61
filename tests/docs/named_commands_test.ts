/** Command lines that pages name in their text and tables are those that there are, with their options. */
import { assert, assertEquals } from "@std/assert";
import { COMMANDS } from "../../src/cli/_commands.ts";
import { relative, walk } from "../_files.ts";

const DOCS = new URL("../../docs/", import.meta.url);
/** Options of every command. */
const COMMON = ["--help", "--version", "--quiet"];

Deno.test("every command and option that a page of the documentation names exists", async () => {
  const faults: string[] = [];
  let count = 0;
  for (const file of await walk(DOCS, ".md")) {
    const name = relative(DOCS, file);
    if (name === "commands.md") continue;
    const text = (await Deno.readTextFile(file)).replaceAll(/\\\n\s*/g, " ").replaceAll("\\|", "|");
    for (const [, line] of text.matchAll(/(?:^|[\s`(/])seqreg ((?:[a-z-]+)(?: [^`\n]*)?)(?=`|$)/gm)) {
      const [first, second = ""] = line.split(/\s+/);
      const command = COMMANDS.get(`${first} ${second}`) ?? COMMANDS.get(first);
      // Prose has words after the name, too.
      if (command === undefined) {
        if (
          new RegExp(`\`seqreg ${first}`).test(text) &&
          ![...COMMANDS.keys()].some((name) => name.startsWith(`${first} `))
        ) {
          faults.push(`${name}: seqreg ${first}`);
        }
        continue;
      }
      count++;
      const { options } = await command.load();
      const own = line.split(/ (?:\||&&|;|#) ?/)[0].replaceAll(/'[^']*'|"[^"]*"/g, "");
      for (const [option] of own.matchAll(/(?<= )--[a-z][a-z-]*/g)) {
        // What follows `run` and `lab` may be an option of another program.
        const known = COMMON.includes(option) || Object.hasOwn(options, option.slice(2)) ||
          ["run", "lab"].includes(first);
        if (!known) faults.push(`${name}: seqreg ${first} ${option}`);
      }
    }
  }
  assertEquals(faults, []);
  assert(count > 100, `${count} command lines were found`);
});
