/** Writes the reference of every public symbol as web pages into `reference/`, or the folder given. */
import config from "../../deno.json" with { type: "json" };
import { rewriteImports, startPage } from "./_reference_pages.ts";

const ROOT = new URL("../../", import.meta.url);
const folder = Deno.args[0] ?? new URL("reference", ROOT).pathname;

// The command line has a page of its own: docs/commands.md.
const modules = [...new Set(Object.values(config.exports))].filter((path) => !path.includes("/cli/"));
const { success, stderr } = await new Deno.Command(Deno.execPath(), {
  args: ["doc", "--html", "--name=seqreg", `--output=${folder}`, ...modules],
  cwd: ROOT,
}).output();
if (!success) throw new Error(new TextDecoder().decode(stderr));

const pages = await listPages(folder);
const doors = new Map<string, string[]>();
for (const page of pages) {
  const [, module = ".", name] = /^(?:(.*)\/)?~\/([^.]+)\.html$/.exec(page) ?? [];
  if (name !== undefined) doors.set(name, [...doors.get(name) ?? [], module].sort());
}
for (const page of pages) {
  const [, module = "."] = /^(?:(.*)\/)?~\//.exec(page) ?? [];
  const path = `${folder}/${page}`;
  const html = await Deno.readTextFile(path);
  const rewritten = rewriteImports(html, module, doors);
  if (rewritten !== html) await Deno.writeTextFile(path, rewritten);
}
const index = await Deno.readTextFile(`${folder}/index.html`);
const others = [...new Set([...doors.values()].flat())].filter((module) => module !== ".").sort();
await Deno.writeTextFile(`${folder}/modules.html`, index);
await Deno.writeTextFile(`${folder}/index.html`, startPage(index, others, (path) => pages.includes(path)));
console.log(`${pages.length} pages; start with ${folder}/index.html`);

async function listPages(folder: string, under = ""): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(`${folder}/${under}`)) {
    if (isDirectory) found.push(...await listPages(folder, `${under}${name}/`));
    else if (name.endsWith(".html")) found.push(`${under}${name}`);
  }
  return found;
}
