/** Recipes of `docs/cookbook`: read from the pages, and run one after another in one process. */
import { shellWords } from "./_shell_words.ts";

/** One block of code on a page, and the output on the page. */
export interface Recipe {
  readonly page: string;
  /** The heading above the block. */
  readonly question: string;
  readonly language: string;
  readonly code: string;
  /** `undefined` where the page shows no output. */
  readonly output: string | undefined;
  /** Exit code of its last command: the output ends with `exit code N` unless it is 0. */
  readonly place: { readonly begin: number; readonly end: number };
}

export const COOKBOOK = new URL("../../docs/cookbook/", import.meta.url);

const BLOCK = /```(ts|sh|bash|python)\n([\s\S]*?)^```\n(?:\n```text\n([\s\S]*?)^```\n)?/gm;

/** Reads the recipes of every page, in the order in which they are run: the files that they use come first. */
export async function readRecipes(): Promise<Recipe[]> {
  const names = (await Array.fromAsync(Deno.readDir(COOKBOOK))).map(({ name }) => name).filter((name) =>
    /\.md$/.test(name)
  );
  const order = (name: string) => name === "index.md" ? "" : name;
  const recipes: Recipe[] = [];
  for (const page of names.sort((a, b) => order(a) < order(b) ? -1 : 1)) {
    const text = await Deno.readTextFile(new URL(page, COOKBOOK));
    for (const { 0: block, 1: language, 2: code, 3: output, index } of text.matchAll(BLOCK)) {
      const question = text.slice(0, index).match(/^#+ .*$/gm)?.at(-1)?.replace(/^#+ /, "") ?? "";
      recipes.push({ page, question, language, code, output, place: { begin: index, end: index + block.length } });
    }
  }
  return recipes;
}

/** Command lines of a block, one a line; a line that ends in `\` continues, `> /dev/null` hides what it prints. */
export function commandsOf(code: string): { readonly words: string[]; readonly isHidden: boolean }[] {
  const lines = code.replaceAll(/\\\n\s*/g, " ").split("\n").map((line) => line.split(" > /dev/null"));
  return lines.map(([line, rest]) => ({ words: shellWords(line), isHidden: rest !== undefined }))
    .filter(({ words }) => words.length > 0);
}
