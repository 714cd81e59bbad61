/**
 * The form of the cookbook: at least forty questions, and every recipe can be run as `tests/checks/docs/cookbook.ts`
 * runs it.
 */
import { assert, assertEquals } from "@std/assert";
import { COMMANDS } from "../../src/cli/_commands.ts";
import { commandsOf, readRecipes } from "./_recipes.ts";

Deno.test("the cookbook answers at least forty questions, each with code", async () => {
  const recipes = await readRecipes();
  const questions = new Set(recipes.filter(({ page }) => page !== "index.md").map(({ question }) => question));
  assert(questions.size >= 40, `${questions.size} questions`);
});

Deno.test("every page of the cookbook is listed on its first page, and every question has a recipe", async () => {
  const recipes = await readRecipes();
  const folder = new URL("../../docs/cookbook/", import.meta.url);
  const index = await Deno.readTextFile(new URL("index.md", folder));
  for await (const { name } of Deno.readDir(folder)) {
    if (name === "index.md") continue;
    assert(index.includes(`](${name})`), name);
    const text = await Deno.readTextFile(new URL(name, folder));
    const asked = Array.from(text.matchAll(/^## (.*)$/gm), ([, question]) => question);
    assertEquals(asked.filter((asked) => !recipes.some(({ question }) => question === asked)), [], name);
  }
});

Deno.test("the command lines of the cookbook are commands", async () => {
  for (const { language, code } of (await readRecipes()).filter(({ language }) => language === "sh")) {
    for (const { words: [program, first, second] } of commandsOf(code)) {
      assertEquals(program, "seqreg", `${language}: ${code}`);
      assert(COMMANDS.has(first) || COMMANDS.has(`${first} ${second}`), code);
    }
  }
});
