/** Pages that are files of the checkout: their links between files become links between pages. */
import { dirname, posix } from "node:path";
import { listFiles } from "../packages/toolkit/source_files.ts";

/** Files outside `docs/` that are pages too, and the pages that they become. */
const PAGES: Readonly<Record<string, string>> = {
  "CHANGELOG.md": "project/changelog.md",
  "CONTRIBUTING.md": "project/contributing.md",
  "SECURITY.md": "project/security.md",
  "src/README.md": "project/rooms.md",
  "notebooks/README.md": "instructor/lessons.md",
};
/** Files and folders that others link to, and the pages that hold what is in them. */
const INSTEAD: Readonly<Record<string, string>> = {
  "README.md": "index.md",
  "notebooks": "lessons/index.md",
  "examples": "examples.md",
  "notebooks/first_contact.png": "first_contact.png",
  "notebooks/live_table.png": "live_table.png",
  "LICENSE": "project/license.md",
  "CITATION.cff": "project/citation.md",
};

/** The page that holds a file of the checkout; `undefined` where none does. */
export function pageOf(path: string): string | undefined {
  if (Object.hasOwn(PAGES, path)) return PAGES[path];
  if (Object.hasOwn(INSTEAD, path.replace(/\/$/, ""))) return INSTEAD[path.replace(/\/$/, "")];
  if (/^docs\/.*\.md$/.test(path)) return path.slice("docs/".length);
  const lesson = /^notebooks\/(.*)\.ipynb$/.exec(path)?.[1];
  return lesson === undefined ? undefined : `lessons/${lesson}.md`;
}

/**
 * Rewrites the links of a text to other files of the checkout.
 *
 * @param text Markdown.
 * @param path The file that it is from, which its links are relative to.
 * @param page The page that it is on.
 */
export function rewriteLinks(text: string, path: string, page: string): string {
  return text.replace(
    /(!?\[[^\]]*\]\()([^)\s#]+)((?:#[^)\s]*)?\))/g,
    (whole, before: string, target: string, after) => {
      // Absolute paths are files of the site itself.
      if (/^([a-z]+:|\/)/.test(target)) return whole;
      const found = posix.normalize(posix.join(dirname(path), target));
      const to = pageOf(found);
      if (to === undefined) return whole;
      const relative = posix.relative(dirname(page), to);
      return `${before}${relative.startsWith(".") ? relative : `./${relative}`}${after}`;
    },
  );
}

/** Writes every page that is a file of the checkout. */
export async function writeCopiedPages(root: string, pages: string): Promise<void> {
  const own = (await listFiles(root, "docs")).filter((path) => path.endsWith(".md"));
  for (const path of [...own, ...Object.keys(PAGES)]) {
    const page = pageOf(path)!;
    const text = rewriteLinks(await Deno.readTextFile(posix.join(root, path)), path, page);
    await writePage(pages, page, text);
  }
  for (const [path, title] of [["LICENSE", "License"], ["CITATION.cff", "Citation"]]) {
    const text = await Deno.readTextFile(posix.join(root, path));
    await writePage(pages, INSTEAD[path], `# ${title}\n\n\`\`\`text\n${text}\`\`\`\n`);
  }
  const examples = ["# Examples", "", "Short scripts, each whole: `seqreg run FILE` runs it.", ""];
  for (const path of (await listFiles(root, "examples")).filter((path) => path.endsWith(".ts"))) {
    const code = await Deno.readTextFile(posix.join(root, path));
    examples.push(`## ${posix.basename(path)}`, "", "```ts", code.trimEnd(), "```", "");
  }
  await writePage(pages, "examples.md", examples.join("\n"));
  await Deno.mkdir(posix.join(pages, "public"), { recursive: true });
  await Deno.copyFile(posix.join(root, "tools/site/vitepress/icon.svg"), posix.join(pages, "public/icon.svg"));
  for (const picture of ["first_contact.png", "live_table.png"]) {
    await Deno.copyFile(posix.join(root, "notebooks", picture), posix.join(pages, picture));
  }
}

export async function writePage(pages: string, page: string, text: string): Promise<void> {
  const path = posix.join(pages, page);
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, text);
}
