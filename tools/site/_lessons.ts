/** The lessons as pages, with what each cell puts out in a cold run in the toolkit's own kernel. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { Kernel, OWN_KERNEL } from "../../tests/notebooks/_kernel.ts";
import type { CellOutput } from "../../tests/notebooks/_kernel_messages.ts";
import { readCells } from "../../tests/notebooks/_notebook.ts";
import { rewriteLinks, writePage } from "./_copied_pages.ts";
import { fenced, outputOf } from "./_markdown.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const CELL_TIMEOUT_MS = 120_000;
/** Lines and columns of a text output that are shown; the notebook shows everything. */
const MOST_LINES = 30;
const MOST_COLUMNS = 400;

/**
 * Runs every notebook from top to bottom and writes its page.
 *
 * @throws {Error} If a cell fails.
 */
export async function writeLessons(root: string, pages: string, cache: string): Promise<void> {
  const folder = join(root, "notebooks");
  const files = await Array.fromAsync(Deno.readDir(folder));
  const names = files.map(({ name }) => name).filter((name) => name.endsWith(".ipynb")).sort();
  await Deno.mkdir(join(pages, "public/lessons"), { recursive: true });
  const list: string[] = [];
  const texts: string[] = [];
  const left = [...names.entries()];
  const runNext = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      texts[next[0]] = await lessonPage(folder, next[1], pages, cache);
    }
  };
  await Promise.all(Array.from({ length: navigator.hardwareConcurrency }, runNext));
  for (const [index, name] of names.entries()) {
    await Deno.copyFile(join(folder, name), join(pages, "public/lessons", name));
    const text = texts[index];
    const page = `lessons/${name.replace(".ipynb", ".md")}`;
    await writePage(pages, page, rewriteLinks(text, `notebooks/${name}`, page));
    const [, title] = /^# (.*)$/m.exec(text) ?? [];
    const [, question] = /^\*\*Question:\*\* ([^?]+\?)/m.exec(text) ?? [];
    list.push(`1. [${title}](./${name.replace(".ipynb", ".md")})\\\n   ${question.replaceAll("\n", " ")}`);
  }
  const head =
    "# Lessons\n\nNotebooks as they look after a run, by the build of this site, on synthetic data (the last " +
    "one on real genomes). `seqreg lab` opens them in JupyterLab, where their cells can be changed. The " +
    "[instructor's pages](../instructor/index.md) are for teachers.\n\n";
  await writePage(pages, "lessons/index.md", `${head}${list.join("\n")}\n`);
}

async function lessonPage(folder: string, name: string, pages: string, cache: string): Promise<string> {
  const parts: string[] = [];
  const pictures = { count: 0 };
  const env = { SEQREG_CACHE: cache, SEQREG_URL: "" };
  await using kernel = await Kernel.start({ folder: new URL(`file://${folder}/`), args: OWN_KERNEL, env });
  for (const { type, source } of await readCells(new URL(`file://${folder}/${name}`))) {
    if (type !== "code") {
      parts.push(source);
      continue;
    }
    parts.push(fenced("ts", source));
    for (const output of await kernel.run(source, CELL_TIMEOUT_MS)) {
      if (output.type === "error") throw new Error(`A cell of notebooks/${name} fails: ${output.text}\n${source}`);
      const shown = await renderOutput(output, async (svg) => {
        const file = `lessons/${name.slice(0, 2)}_${++pictures.count}.svg`;
        await Deno.writeTextFile(join(pages, "public", file), svg);
        return `/${file}`;
      });
      if (shown !== "") parts.push(outputOf(shown));
    }
  }
  // Relative, so that it holds below any prefix: VitePress leaves links to files that are no pages as they are.
  const download = `<a href="./${name}" download>Download this lesson as a notebook</a>`;
  return parts.join("\n\n").replace(/^(# .*)$/m, `$1\n\n${download}`);
}

/** A picture where there is one, else the text. */
async function renderOutput({ text, data = {} }: CellOutput, save: (svg: string) => Promise<string>): Promise<string> {
  const html = String(data["text/html"] ?? "");
  if (html.includes("<progress")) return "";
  const pictures: string[] = [];
  for (
    const [, alt, base64] of html.matchAll(
      /<img class="seqreg-svg" alt="([^"]*)"[^>]*?src="data:image\/svg\+xml;base64,([^"]*)"/g,
    )
  ) {
    const svg = new TextDecoder().decode(Uint8Array.fromBase64(base64));
    pictures.push(`<div class="figure">\n\n![${altOf(alt)}](${await save(svg)})\n\n</div>`);
  }
  if (pictures.length > 0) {
    const notes = Array.from(html.matchAll(/<li>(.*?)<\/li>/g), ([, note]) => `- ${note.replaceAll("{{", "&#123;{")}`);
    return [...pictures, notes.join("\n")].join("\n\n");
  }
  const plain = stripVTControlCharacters(String(text ?? data["text/plain"] ?? ""));
  return plain.trim() === "" ? "" : fenced("text", cut(withoutFolders(plain)));
}

/** The text of an attribute as that of a Markdown picture. */
function altOf(attribute: string): string {
  return attribute.replace(/[[\]]/g, "\\$&");
}

/** Folders of the machine that builds the site, as a reader's would be called. */
function withoutFolders(text: string): string {
  return text.replaceAll(/[^\s"'(]*\.site\/cache/g, "~/.cache/seqreg").replaceAll(ROOT, "");
}

function cut(text: string): string {
  const lines = text.trimEnd().split("\n");
  const shown = lines.slice(0, MOST_LINES).map((line) =>
    line.length > MOST_COLUMNS ? `${line.slice(0, MOST_COLUMNS)}…` : line
  );
  const left = lines.length - shown.length;
  return [...shown, ...left > 0 ? [`… and ${left} lines more`] : []].join("\n");
}
