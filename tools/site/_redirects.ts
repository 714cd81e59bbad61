/** Addresses that the reference had as `deno doc --html` wrote it: each leads to where its symbol is now. */
import { posix } from "node:path";
import { attributeOf } from "./_markdown.ts";

/** What an entry point exports, and the page that has it now. */
export interface Home {
  /** Name of the page, such as `fasta`; `seqreg` is the main entry point. */
  readonly page: string;
  readonly names: readonly string[];
}

/**
 * Pages that lead on, by their paths below the site. Names that differ in case alone are one file on some systems: the
 * first of them has it.
 */
export function redirects(homes: readonly Home[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const lower = new Set<string>();
  const add = (path: string, to: string) => {
    if (lower.has(path.toLowerCase())) return;
    lower.add(path.toLowerCase());
    found.set(path, leadOn(posix.relative(posix.dirname(path), to)));
  };
  for (const name of ["all_symbols", "modules"]) add(`reference/${name}.html`, "reference/index.html");
  for (const { page, names } of homes) {
    const folder = page === "seqreg" ? "reference" : `reference/${page}`;
    if (page !== "seqreg") add(`${folder}/index.html`, `reference/${page}.html`);
    for (const name of names) add(`${folder}/~/${name}.html`, `reference/${page}.html#symbol-${name}`);
  }
  return found;
}

/** A page that leads on without JavaScript. */
function leadOn(to: string): string {
  const address = attributeOf(to);
  return `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>Moved</title>
<meta name="robots" content="noindex">
<meta http-equiv="refresh" content="0; url=${address}">
<p>This page is now <a href="${address}">here</a>.</p>
</html>
`;
}
