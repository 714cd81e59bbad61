/** The page on polars prints what it says: each block runs, and what is behind a line is what that line printed. */
import { assert, assertEquals } from "@std/assert";
import pl from "nodejs-polars";

const PAGE = new URL("../../docs/polars.md", import.meta.url);
const PRINTED = /console\.log\(.*\); \/\/ (.*)$/gm;
const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;

Deno.test("every block of docs/polars.md prints what the page says", async (t) => {
  const text = await Deno.readTextFile(PAGE);
  const blocks = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
  assert(blocks.length > 10);
  // The first block makes the frame; each of the others is run after the blocks of its section before it.
  let shared = "";
  for (const [index, block] of blocks.entries()) {
    const expected = [...block.matchAll(PRINTED)].map(([, said]) => said);
    await t.step(`block ${index + 1}: ${block.trim().split("\n")[0]}`, async () => {
      assert(expected.length > 0);
      assertEquals(block.match(/console\.log\(/g)?.length, expected.length, "every print has its result behind it");
      assertEquals((await run(shared + block)).slice(-expected.length), expected);
    });
    shared += block;
  }
});

async function run(code: string): Promise<string[]> {
  const printed: string[] = [];
  const log = (...values: unknown[]) =>
    void printed.push(
      values.map((value) => typeof value === "string" ? value : Deno.inspect(value, { breakLength: Infinity })).join(
        " ",
      ),
    );
  const plain = code.replace(/^import .*$/gm, "").replace(/\(limit: .*\) =>$/gm, "(limit) =>");
  await new AsyncFunction("pl", "console", plain)(pl, { log });
  return printed;
}
