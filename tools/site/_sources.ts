/** What the site is made of: files of the checkout, and a digest by which a build is known to be up to date. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { listFiles } from "../packages/toolkit/source_files.ts";

const FOLDERS = ["docs", "examples", "notebooks", "src", "tools"];
const FILES = ["CHANGELOG.md", "CONTRIBUTING.md", "README.md", "SECURITY.md", "deno.json", "deno.lock", "mod.ts"];
/** What lessons and pictures are computed by: the toolkit, and what renders them. */
const PROGRAM = {
  folders: ["notebooks", "src", "tests/notebooks"],
  files: [
    "deno.json",
    "deno.lock",
    "tools/site/_copied_pages.ts",
    "tools/site/_gallery.ts",
    "tools/site/_gallery_entries.ts",
    "tools/site/_lessons.ts",
    "tools/site/_markdown.ts",
    "mod.ts",
  ],
};

/** SHA-256 over the names and contents of everything that the site is built from, and its base. */
export function digestSources(root: string, base: string): Promise<string> {
  return digestFiles(root, { files: FILES, folders: FOLDERS, before: `${base}\n` });
}

/** SHA-256 over the names and contents of all that lessons and the gallery's pictures depend on. */
export function digestProgram(root: string): Promise<string> {
  return digestFiles(root, { ...PROGRAM, before: "" });
}

async function digestFiles(
  root: string,
  { files, folders, before }: {
    readonly files: readonly string[];
    readonly folders: readonly string[];
    readonly before: string;
  },
): Promise<string> {
  const hash = createHash("sha256").update(before);
  const paths = [...files];
  for (const folder of folders) paths.push(...await listFiles(root, folder));
  for (const path of paths.sort()) {
    const bytes = await Deno.readFile(join(root, path));
    hash.update(`${path}\n${bytes.length}\n`).update(bytes);
  }
  return hash.digest("hex");
}
