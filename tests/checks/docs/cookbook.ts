/**
 * The cookbook prints its stated output: every recipe of `docs/cookbook` is run.
 *
 * `deno test --allow-all tests/checks/docs/cookbook.ts -- --update` writes what recipes print into the pages. Recipes
 * for other programs (`bash`, `python`) need blast, samtools, mafft, and a Python (`PYTHON`) with pandas and pyarrow.
 */
import { assert, assertEquals } from "@std/assert";
import { NEUTRAL } from "../../_cli.ts";
import { fromFileUrl, inFolder } from "../../_files.ts";
import { PYTHON } from "../../_python.ts";
import { COOKBOOK, readRecipes, type Recipe } from "../../docs/_recipes.ts";

const RUNNER = fromFileUrl(new URL("../../docs/_run_recipes.ts", import.meta.url));
const CONFIG = fromFileUrl(new URL("../../../deno.json", import.meta.url));
const MAIN = fromFileUrl(new URL("../../../src/cli/main.ts", import.meta.url));
const READERS = fromFileUrl(new URL("../../../tools/packages/python/", import.meta.url));

Deno.test("every recipe of the cookbook prints the output on its page", async (t) => {
  const recipes = await readRecipes();
  const printed = await inFolder(async (folder) => {
    const env = { ...NEUTRAL, SEQREG_CACHE: `${folder}/cache`, TZ: "UTC" };
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-check", "--quiet", "--allow-all", "--config", CONFIG, RUNNER],
      cwd: folder,
      env,
    }).output();
    assert(success, new TextDecoder().decode(stderr));
    const all: Record<string, string> = JSON.parse(new TextDecoder().decode(stdout));
    for (const [index, recipe] of recipes.entries()) {
      if (recipe.language === "bash" || recipe.language === "python") {
        all[index] = await runElsewhere(recipe, folder, env);
      }
    }
    return all;
  });
  if (Deno.args.includes("--update")) return await update(recipes, printed);
  for (const [index, text] of Object.entries(printed)) {
    const { page, question, output = "" } = recipes[Number(index)];
    await t.step(`${page}: ${question}`, () => assertEquals(shownText(text), shownText(output)));
  }
});

/** Runs a recipe in a shell that has `seqreg`, or in Python that has our readers; it must end with 0. */
async function runElsewhere(
  { language, code }: Recipe,
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const seqreg =
    `seqreg() { "${Deno.execPath()}" run --quiet --no-check --allow-all --config "${CONFIG}" "${MAIN}" "$@"; }`;
  const [program, ...args] = language === "bash"
    ? ["bash", "-euo", "pipefail", "-c", `${seqreg}\n${code}`]
    : [PYTHON, "-c", code];
  const { success, stdout, stderr } = await new Deno.Command(program, {
    args,
    cwd: folder,
    env: { ...env, PYTHONPATH: READERS },
  }).output();
  assert(success, `${code}\n${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}

/** What a page can show of a text: the formatter of pages takes away blank lines around it, and its common margin. */
function shownText(text: string): string {
  const lines = text.replace(/^(?: *\n)+/, "").trimEnd().split("\n");
  const margin = Math.min(...lines.filter((line) => line !== "").map((line) => line.length - line.trimStart().length));
  return lines.map((line) => line.slice(margin)).join("\n");
}

/** Writes the outputs below their blocks, from the last block of a page to its first. */
async function update(recipes: readonly Recipe[], printed: Readonly<Record<string, string>>): Promise<void> {
  for (const page of new Set(recipes.map(({ page }) => page))) {
    let text = await Deno.readTextFile(new URL(page, COOKBOOK));
    for (const [index, recipe] of [...recipes.entries()].reverse()) {
      if (recipe.page !== page || printed[index] === undefined) continue;
      const shown = shownText(printed[index]);
      const { begin, end } = recipe.place;
      const block = `\`\`\`${recipe.language}\n${recipe.code}\`\`\`\n${
        shown === "" ? "" : `\n\`\`\`text\n${shown}\n\`\`\`\n`
      }`;
      text = text.slice(0, begin) + block + text.slice(end);
    }
    await Deno.writeTextFile(new URL(page, COOKBOOK), text);
  }
}
