/** Names in pages and comments lead somewhere, and the name of an exported type means one thing. */
import { assertEquals } from "@std/assert";
import { relative, walk } from "./_files.ts";

const ROOT = new URL("../", import.meta.url);

/** Files that pages and comments name as examples of a reader's own, or as a pattern. */
const NAMED_EXAMPLES = ["_name.ts", "mine.ts", "kenya.ts", "…/rules.ts"];

async function filesBelow(folders: readonly string[], ending: string | RegExp): Promise<URL[]> {
  return (await Promise.all(folders.map((folder) => walk(new URL(folder, ROOT), ending)))).flat();
}

/** Files of TypeScript that a text names outside of its examples: in inline code of a page, anywhere in comments. */
function namedFiles(text: string, isSource: boolean): string[] {
  const prose = isSource ? (text.match(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm) ?? []).join("\n") : text;
  const named = prose.replace(/```[\s\S]*?```/g, "").matchAll(isSource ? /([\w…./-]+\.ts)\b/g : /`([\w./-]+\.ts)`/g);
  return Array.from(named, ([, name]) => name.replace(/^(\.\.?\/)+/, ""));
}

Deno.test("pages and comments name files that exist", async () => {
  const sources = await filesBelow(["src/", "tests/", "tools/", "examples/", "types/"], ".ts");
  const files = sources.map((file) => `/${relative(ROOT, file)}`);
  const absent: string[] = [];
  for (const page of await filesBelow(["src/", "docs/"], /(?<!_wasm)\.(ts|md)$/)) {
    for (const name of namedFiles(await Deno.readTextFile(page), page.pathname.endsWith(".ts"))) {
      if (NAMED_EXAMPLES.includes(name) || files.some((file) => file.endsWith(`/${name}`))) continue;
      absent.push(`${relative(ROOT, page)}: ${name}`);
    }
  }

  assertEquals(absent, []);
});

/** A type at the top level of a module: its comment, whether it is exported, its name. */
const DECLARED =
  /(\/\*\*(?:(?!\*\/)[^])*\*\/\n)?^(export )?(?:abstract )?(?:class|interface|type) ([A-Z]\w*)(?=[ <])/gm;

Deno.test("the name of an exported type is declared once, older names of others and JsonObject aside", async () => {
  const declared = new Map<string, { readonly isExported: boolean; readonly file: string }[]>();
  for (const source of await filesBelow(["src/"], /(?<!_wasm|\.as)\.ts$/)) {
    for (const [, comment = "", exported, name] of (await Deno.readTextFile(source)).matchAll(DECLARED)) {
      if (comment.includes("@deprecated")) continue;
      const one = { isExported: exported !== undefined, file: relative(ROOT, source) };
      declared.set(name, [...declared.get(name) ?? [], one]);
    }
  }
  const twice = [...declared].filter(([, all]) => all.length > 1 && all.some(({ isExported }) => isExported));

  assertEquals(twice.map(([name, all]) => `${name}: ${all.map(({ file }) => file).join(", ")}`), [
    "JsonObject: src/core/datasets/_json_file.ts, src/jupyter/kernel/code/json_object.ts",
  ]);
});
