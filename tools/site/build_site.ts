/** Builds the documentation: pages are written into `.site/pages`, and VitePress makes `site/` of them. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { acquireLock } from "../../src/core/io/files/lock.ts";
import { runDeno } from "../packages/toolkit/run_deno.ts";
import { readDenoConfig } from "../packages/toolkit/deno_config.ts";
import { writeCopiedPages } from "./_copied_pages.ts";
import { writeGallery } from "./_gallery.ts";
import { writeGuide } from "./_guide.ts";
import { writeKept } from "./_kept.ts";
import { writeLessons } from "./_lessons.ts";
import { groupsOf, NAVIGATION, pageOf, sidebarOf } from "./_navigation.ts";
import { writeReference } from "./_reference.ts";
import { digestProgram, digestSources } from "./_sources.ts";
import { writeTeaching } from "./_teaching.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** VitePress's theme without its fonts, and what is our own. */
const THEME = `import Theme from "vitepress/theme-without-fonts";
import { copyByClick } from "./copy_by_click.mjs";
import "./style.css";
export default { extends: Theme, enhanceApp: copyByClick };
`;
/** What this build was made of; packages leave out names that begin with a dot. */
const STAMP = ".built_from";

/**
 * Builds the site.
 *
 * @returns The folder of the pages, `site`.
 */
export async function buildSite(
  { base, ifNeeded }: { readonly base: string; readonly ifNeeded: boolean },
): Promise<string> {
  const site = join(ROOT, "site");
  const work = join(ROOT, ".site");
  await Deno.mkdir(work, { recursive: true });
  // Two packages may need the site at the same time.
  await using _ = await acquireLock(join(work, "lock"));
  const digest = await digestSources(ROOT, base);
  if (ifNeeded && await readText(join(site, STAMP)) === digest) return site;
  const begun = performance.now();
  const pages = join(work, "pages");
  await remove(pages);
  await remove(join(work, "built"));
  await Deno.mkdir(pages, { recursive: true });
  const tell = (text: string) => console.error(`seqreg: ${text}`);
  const seconds = () => Math.round((performance.now() - begun) / 1000);
  const done = (part: string) => tell(`${part}: done after ${seconds()} s`);

  tell("copies pages, writes the reference, draws the gallery, and runs the lessons");
  await writeCopiedPages(ROOT, pages);
  await writeTeaching(ROOT, pages);
  const program = await digestProgram(ROOT);
  const kept = (name: string) => ({ folder: join(work, "kept", name), digest: program });
  const cache = join(work, "cache");
  await Promise.all([
    writeReference(ROOT, pages).then(() => done("reference")),
    writeKept(pages, kept("gallery"), (into) => writeGallery(into, cache)).then(() => done("gallery")),
    writeKept(pages, kept("lessons"), (into) => writeLessons(ROOT, into, cache)).then(() => done("lessons")),
  ]);
  await writeGuide(pages, await groupsOf(pages));

  tell("renders the pages with VitePress");
  await renderPages(work, { base, to: "built" });
  await Deno.writeTextFile(join(work, "built", STAMP), digest);
  await remove(site);
  await Deno.rename(join(work, "built"), site);
  tell(`the site is in ${site}, after ${seconds()} s; next: seqreg docs`);
  return site;
}

export interface RenderOptions {
  /** Path below which the site is served. */
  readonly base: string;
  /** Name of the folder in the working folder that the site is written into. */
  readonly to: string;
  /** Pages that are rendered, without their endings; links to others lead nowhere then. All by default. */
  readonly only?: readonly string[];
}

/**
 * Makes web pages of the pages in `work/pages` with VitePress.
 *
 * @param work The working folder, `.site`.
 */
export async function renderPages(work: string, { base, to, only }: RenderOptions): Promise<void> {
  const theme = join(work, ".vitepress", "theme");
  await Deno.mkdir(theme, { recursive: true });
  const own = join(ROOT, "tools/site/vitepress");
  for (const name of ["deno.json", "deno.lock"]) await Deno.copyFile(join(own, name), join(work, name));
  for (const name of ["config.mjs", "picture_size.mjs"]) {
    await Deno.copyFile(join(own, name), join(work, ".vitepress", name));
  }
  for (const name of ["copy_by_click.mjs", "style.css"]) {
    await Deno.copyFile(join(own, "theme", name), join(theme, name));
  }
  await Deno.writeTextFile(join(theme, "index.mjs"), THEME);
  const { version } = await readDenoConfig(ROOT);
  const groups = await groupsOf(join(work, "pages"));
  const excluded = groups.flatMap(({ items }) => items.map(({ link }) => pageOf(link)))
    .filter((page) => only !== undefined && !only.includes(page)).map((page) => `${page}.md`);
  const settings = { base, to, version, nav: NAVIGATION, sidebar: sidebarOf(groups), excluded };
  await Deno.writeTextFile(join(work, "site.json"), JSON.stringify(settings));
  await runDeno(["install", "--quiet", "--frozen"], { cwd: work });
  const permissions = ["read", "write", "env", "sys", "ffi", "run"].map((name) => `--allow-${name}`);
  await runDeno(["run", ...permissions, "npm:vitepress@1.6.4", "build", "."], {
    cwd: work,
    env: { VITE_EXTRA_EXTENSIONS: "ipynb" },
  });
}

async function readText(path: string): Promise<string | undefined> {
  return await Deno.readTextFile(path).catch(() => undefined);
}

async function remove(path: string): Promise<void> {
  await Deno.remove(path, { recursive: true }).catch((cause) => {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
  });
}
