/** The words of code, help and lessons: the field's own, and none of those that we took leave of. */
import { assert, assertEquals } from "@std/assert";

const ROOT = new URL("../", import.meta.url);

/** Phrases that say less than the term next to them in `CONTRIBUTING.md`, section "Words". */
const PHRASES: Readonly<Record<string, RegExp>> = {
  "missing, empty": /\bthere (is|are|was|were) none\b|\bis none\b/gi,
  "not valid, not a file of this format": /\bis no (JSON|UTF-8|FASTA|CSV|gzip|Parquet|XML|number|date|text|file)\b/gi,
  "attempt, maximum attempts": /\btr(y|ies) in all\b/gi,
  "resume, continue": /\b(go|goes|going|gone|went) on with\b/gi,
  "release, close, cancel": /\blet(s|ting)? go of\b/gi,
  "yield to the event loop": /\bgives? (it |them )?a turn\b|\bturn goes round\b/gi,
  "caller, user, another process": /\b(whoever|somebody)\b/gi,
  "receives, is called with": /\b(is|are) told\b/gi,
  "returns, throws, finds, describes": /(\/\*\*|^ *\*) (Gives|Says|Tells|Told)\b/gm,
  "decompress": /\bwhat inflates\b/gi,
  "with, next to, compared with": /\bbeside\b(?!["`,])/gi,
  "writes atomically": /\bappears? whole\b/gi,
  "dictionary index": /\bplace among\b/gi,
  "network unreachable": /\bno way to it\b/gi,
  "removed, replaced": /\bthrown away\b|\bcomes? back as\b/gi,
  "cache directory": /\bthe cache's place\b/gi,
  "minimum size": /\bfrom which on\b/gi,
  "builds, that is being written": /\bin the making\b/gi,
  "as received": /\bas they travelled\b/gi,
  "wasted": /\bin vain\b/gi,
  "reuses, is reused": /\bused again\b/gi,
  "garbage is collected, releases": /\basked back\b|\bis given back\b/gi,
  "callbacks": /\bwhom to tell\b/gi,
  "the result itself": /\bwhat (came|must come) of it\b/gi,
  "available, reachable": /\bcan be had\b/gi,
  "checks": /\btwo looks\b/gi,
  "releases the lock": /\bthe next one in\b/gi,
  "evaluates": /\bplain reading of\b/gi,
  "unencrypted": /\bin the clear\b/gi,
  "distinguishing": /\btold from\b/gi,
};

async function* texts(folder: URL): AsyncGenerator<{ readonly name: string; readonly text: string }> {
  for await (const entry of Deno.readDir(folder)) {
    const url = new URL(entry.isDirectory ? `${entry.name}/` : entry.name, folder);
    if (entry.isDirectory) yield* texts(url);
    else if (/(?<!_wasm)\.(ts|md|ipynb|py)$/.test(entry.name)) yield await textOf(url);
  }
}

async function textOf(url: URL): Promise<{ readonly name: string; readonly text: string }> {
  return { name: url.href.slice(ROOT.href.length), text: await Deno.readTextFile(url) };
}

const files = [await textOf(new URL("mod.ts", ROOT)), await textOf(new URL("README.md", ROOT))];
for (const folder of ["src/", "docs/", "tools/packages/", "notebooks/", "examples/"]) {
  for await (const file of texts(new URL(folder, ROOT))) files.push(file);
}

/** Where a pattern stands: one `file:line: text` for each occurrence. */
function occurrences(pattern: RegExp): string[] {
  return files.flatMap(({ name, text }) =>
    Array.from(text.matchAll(pattern), ({ index, 0: found }) => {
      return `${name}:${text.slice(0, index).split("\n").length}: ${found}`;
    })
  );
}

/** What a comment may call a place: a location of files and programs, something quoted, and the verb. */
const PLACES =
  /`[^`]*`|\bin place\b|\b(take|takes|took) (its|the|their) place\b|\bin its place\b|\bplaces (the|them)\b/gi;

Deno.test("comments call an offset, an index, a slot and a rank so, and no place", () => {
  // Places of the analyses are countries and cities.
  const code = files.filter(({ name }) => name.endsWith(".ts") && !name.startsWith("src/analysis/"));
  const found = code.flatMap(({ name, text }) =>
    text.split("\n").flatMap((line, index) => {
      const comment = /^\s*(\/\/|\/?\*)/.test(line) ? line.replace(PLACES, "") : "";
      return /\bplaces?\b/i.test(comment) ? [`${name}:${index + 1}: ${line.trim()}`] : [];
    })
  );

  assertEquals(found, []);
});

Deno.test("sequences have bases and residues: at most 60 letters", () => {
  const found = occurrences(/\bletters?\b/gi);
  assert(found.length <= 60, `${found.length} of at most 60:\n${found.join("\n")}`);
});

Deno.test("code and texts use the field's terms: at most 15 phrases that say less", () => {
  const found = Object.entries(PHRASES).flatMap(([better, pattern]) => {
    return occurrences(pattern).map((where) => `${where} (better: ${better})`);
  });
  assert(found.length <= 15, `${found.length} of at most 15:\n${found.join("\n")}`);
});
