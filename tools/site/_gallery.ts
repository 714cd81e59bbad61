/** The gallery's page and pictures, drawn from the code that it shows. */
import { join } from "node:path";
import * as analysis from "../../src/analysis/mod.ts";
import { Registry } from "../../mod.ts";
import { writePage } from "./_copied_pages.ts";
import { GALLERY, type GalleryEntry } from "./_gallery_entries.ts";
import { fenced, proseOf } from "./_markdown.ts";

/** Rows of numbers on the page. */
const MOST_ROWS = 8;

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;

/**
 * Draws every picture.
 *
 * @throws {Error} If an analysis returns no chart.
 */
export async function writeGallery(pages: string, cacheFolder: string): Promise<void> {
  await Deno.mkdir(join(pages, "public/gallery"), { recursive: true });
  const parts = [
    "# Gallery",
    "Each picture is drawn by the build of this site from the code below it; a click on the picture, or on the button " +
    "of the code, copies that code. The records are **synthetic**, but for those of Zika virus.",
    "`seqreg chart NAME LAKE -o FILE.svg` draws the same in a shell. A result has `frame`, its numbers, `chart`, the " +
    "picture, and `notes`, what was left out and where the picture misleads: read the notes first.",
  ];
  for (const data of ["sample", "zika"] as const) {
    await using registry = await Registry.open(data === "sample" ? undefined : data, { cacheFolder });
    await using lake = await registry.lake();
    for (const entry of Object.values(GALLERY).flat().filter((entry) => entry.data === data)) {
      drawn.set(entry, await draw(entry, lake, pages));
    }
  }
  for (const [title, entries] of Object.entries(GALLERY)) {
    parts.push(`## ${title}`, ...entries.map((entry) => drawn.get(entry)!));
  }
  parts.push(...LIVE_SECTION);
  await writePage(pages, "gallery.md", `${parts.join("\n\n")}\n`);
}

const drawn = new Map<GalleryEntry, string>();

/** A table that is looked through rather than drawn. */
const LIVE_SECTION: readonly string[] = [
  "## All rows",
  "### Which records are they?",
  "![A live table in JupyterLab: a distribution and a filter above each column, rows by length, one record as a card](./live_table.png)",
  fenced(
    "ts",
    'import { live } from "seqreg";\n\nawait live(lake, { query: "country:kenya sequence_length:>20000" });',
  ),
  "Every row of a table of any length, scrolled, sorted and filtered below a cell: " +
  "[lesson 13](/lessons/13_a_million_rows_under_your_cursor.md).",
];

/** Draws one picture; returns its section. */
async function draw({ question, code, data }: GalleryEntry, lake: unknown, pages: string): Promise<string> {
  const names = Object.keys(analysis).filter((name) => new RegExp(`\\b${name}\\b`).test(code));
  const run = new AsyncFunction("lake", ...names, `return await ${code};`);
  const result: analysis.Analysis = await run(lake, ...names.map((name) => Reflect.get(analysis, name)));
  const { chart, frame, notes, title } = result;
  if (chart === undefined) throw new Error(`The gallery's ${code} returned no chart: ${notes.join("; ")}`);
  const file = `gallery/${question.toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/_$/, "")}.svg`;
  await chart.save(join(pages, "public", file));
  const source = data === "zika" ? "Real genomes. " : "";
  const alt = String(chart.description ?? title).replace(/[[\]]/g, "\\$&");
  return [
    `### ${question}`,
    `<div class="figure copies">\n\n![${alt}](/${file} "Click to copy the code")\n\n</div>`,
    fenced("ts", `${opening(data, names.join(", "))}\n\n${shownCode(code)}`),
    ...notes.length > 0 ? [`${source}Caveats:`, notes.map((note) => `- ${proseOf(note)}`).join("\n")] : [],
    `<details><summary>The numbers${
      frame.height > MOST_ROWS ? `, the first ${MOST_ROWS} of ${frame.height}` : ""
    }</summary>`,
    fenced("text", String(frame.head(MOST_ROWS))),
    "</details>",
  ].join("\n\n");
}

function shownCode(code: string): string {
  return `const result = await ${code};
await result.chart?.save("figure.svg"); // or .png
console.log(result.notes.join("\\n"));`;
}

function opening(data: GalleryEntry["data"], names: string): string {
  return `import { Registry } from "seqreg";
import { ${names} } from "seqreg/analysis";

await using registry = await Registry.open(${data === "zika" ? '"zika"' : ""});
await using lake = await registry.lake();`;
}
