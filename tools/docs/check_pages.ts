/**
 * Type-checks the code on the pages below `docs/`, which `deno check --doc docs` leaves out: it reads pages that are
 * named, not those of a folder.
 */

/** Blocks of these pages continue one another; tests run them in their order. */
const CONTINUED = ["docs/polars.md", "docs/start/notebooks.md"];

async function* pagesOf(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* pagesOf(path);
    else if (name.endsWith(".md") && !CONTINUED.includes(path)) yield path;
  }
}

const pages = (await Array.fromAsync(pagesOf("docs"))).filter((path) => /^ *```ts$/m.test(Deno.readTextFileSync(path)));
const { code } = await new Deno.Command(Deno.execPath(), { args: ["check", "--doc", ...pages.sort()] }).spawn().status;
Deno.exit(code);
