/** The whole guide as one Markdown file, and `llms.txt`, which lists the pages for programs that read them. */
import { join } from "node:path";
import { type Group, pageOf } from "./_navigation.ts";

/** Pages that are not part of the guide: documentation of each symbol, and of the project itself. */
const LEFT_OUT = /^\/(reference|project)\//;

/** Writes both into the folder of files that the site holds as they are. */
export async function writeGuide(pages: string, groups: readonly Group[]): Promise<void> {
  const list = [
    "# seqreg",
    "",
    "> A TypeScript toolkit on Deno, a command line and a Python reader for a Sequence Registry of viral genome records: " +
    "search, export, sequences, definitions and verified archives, each result complete or explained by its ledger.",
    "",
    "- [The whole guide as one Markdown file](guide.md)",
    "- [The command line as a tool: JSON, exit codes, ledger](agents.html)",
    "",
  ];
  const whole: string[] = [];
  for (const { text: group, items } of groups) {
    list.push(`## ${group}`, "");
    for (const { text, link } of items) {
      const page = pageOf(link);
      list.push(`- [${text}](${page}.html)`);
      if (!LEFT_OUT.test(link)) whole.push((await Deno.readTextFile(join(pages, `${page}.md`))).trim());
    }
    list.push("");
  }
  await Deno.mkdir(join(pages, "public"), { recursive: true });
  await Deno.writeTextFile(join(pages, "public/llms.txt"), list.join("\n"));
  await Deno.writeTextFile(join(pages, "public/guide.md"), `${whole.join("\n\n---\n\n")}\n`);
}
