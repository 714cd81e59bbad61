/**
 * Tests notebooks: their form, and that they run as a class runs them: cold, top to bottom, in a real Deno kernel with
 * no network but loopback.
 */
import { assert, assertEquals } from "@std/assert";
import { relative, walk } from "../_files.ts";
import { Kernel } from "./_kernel.ts";
import type { CellOutput } from "./_kernel_messages.ts";
import { readCells } from "./_notebook.ts";

const NOTEBOOKS = new URL("../../notebooks/", import.meta.url);
const CELL_TIMEOUT_MS = 60_000;

/** What every lesson has: a question, objectives, predictions, exercises, key points, and what to do about trouble. */
const PARTS: readonly RegExp[] = [
  /^\*\*Question:\*\* [^?]+\?/m,
  /^You will learn to$/m,
  /\*\*Predict/,
  /^### Exercise 2$/m,
  /^<details><summary>One answer<\/summary>$/m,
  /^## Key points$/m,
  /^## When it goes wrong$/m,
];

/** Tests the form of every lesson. */
export async function testForm(): Promise<void> {
  for (const notebook of await walk(NOTEBOOKS, ".ipynb")) testParts(notebook);
}

/** Runs every lesson in a real kernel. */
export async function testRuns(): Promise<void> {
  // The first one finds it empty, as a learner does; the others find what a learner has by then.
  const cache = await Deno.makeTempDir();
  Deno.test.afterAll(() => Deno.remove(cache, { recursive: true }));
  const lessons = await walk(NOTEBOOKS, ".ipynb");
  assert(lessons.length > 0, "there are lessons to run");
  for (const notebook of lessons) testRun(notebook, cache);
}

function testParts(notebook: URL): void {
  const name = relative(NOTEBOOKS, notebook);

  Deno.test(`${name} is stored without outputs`, async () => {
    for (const cell of await readCells(notebook)) {
      assertEquals(cell.outputs, []);
      assertEquals(cell.executionCount, null);
    }
  });

  Deno.test(`${name} states what its cells show`, async () => {
    const stated = (await readCells(notebook)).flatMap(({ expect }) => expect);
    assert(stated.length >= 3, "a notebook states at least three results in metadata.seqreg.expect");
  });

  Deno.test(`${name} has the parts of a lesson`, async () => {
    const texts = (await readCells(notebook)).filter(({ type }) => type === "markdown").map(({ source }) => source);
    const text = texts.join("\n");
    for (const part of PARTS) assert(part.test(text), `it has ${part}`);
    const minutes = Number(/^About ([0-9]+) minutes/m.exec(text)?.[1]);
    assert(minutes <= 45, `it takes ${minutes} minutes`);
    const page = await Deno.readTextFile(new URL("README.md", NOTEBOOKS));
    assertEquals(page.split("\n").find((line) => line.includes(`(${name})`))?.split("|")[3].trim(), String(minutes));
  });

  Deno.test(`${name} states what its answers show`, async () => {
    for (const [index, { type, source, expect }] of (await readCells(notebook)).entries()) {
      if (type !== "markdown" || answersIn(source).length === 0) continue;
      assert(expect.length > 0, `cell ${index} has an answer, and metadata.seqreg.expect does not say what it shows`);
    }
  });
}

function testRun(notebook: URL, cache: string): void {
  const name = relative(NOTEBOOKS, notebook);

  Deno.test(`${name} runs cold, top to bottom, its answers too`, async () => {
    const temporary = `${cache}/temporary`;
    await Deno.mkdir(temporary, { recursive: true });
    const env = { SEQREG_CACHE: `${cache}/cache`, SEQREG_URL: "", TMPDIR: temporary };
    {
      await using kernel = await Kernel.start({ folder: NOTEBOOKS, env });
      for (const [index, cell] of (await readCells(notebook)).entries()) {
        const isCode = cell.type === "code";
        const answers = isCode ? [] : answersIn(cell.source);
        // What an answer shows is stated with the text that hides it.
        const stated = isCode || answers.length > 0 ? cell.expect : [];
        assertEquals(stated, cell.expect, `cell ${index} of ${name} states what nothing in it shows`);
        let shown = "";
        for (const code of isCode ? [cell.source] : answers) {
          const outputs = await kernel.run(code, CELL_TIMEOUT_MS);
          const errors = outputs.filter(({ type }) => type === "error").map(({ text }) => text);
          assertEquals(errors, [], `cell ${index} of ${name} fails:\n${code}`);
          shown += textOf(outputs);
        }
        for (const text of stated) {
          assert(shown.includes(text), `cell ${index} of ${name} does not show ${JSON.stringify(text)} but:\n${shown}`);
        }
      }
    }
    assertEquals([...Deno.readDirSync(temporary)], [], "nothing stays behind");
  });
}

/** TypeScript of the hidden answers of a text, each in a block of its own: names that it makes are in nobody's way. */
function answersIn(markdown: string): string[] {
  return [...markdown.matchAll(/<details>[\s\S]*?<\/details>/g)].flatMap(([details]) =>
    [...details.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => `{\n${code}}`)
  );
}

function textOf(outputs: readonly CellOutput[]): string {
  return outputs.map(({ text, data }) => text ?? JSON.stringify(data)).join("\n");
}
