/** Runs every notebook cold, top to bottom, in a real Deno kernel with no network but loopback. */
import { assert, assertEquals } from "@std/assert";
import { relative, walk } from "../_files.ts";
import { type CellOutput, Kernel } from "./_kernel.ts";
import { readCells } from "./_notebook.ts";

const NOTEBOOKS = new URL("../../notebooks/", import.meta.url);
const CELL_TIMEOUT_MS = 60_000;

for (const notebook of await walk(NOTEBOOKS, ".ipynb")) {
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

  Deno.test(`${name} runs cold, top to bottom`, async () => {
    const cache = await Deno.makeTempDir();
    try {
      await using kernel = await Kernel.start({ folder: NOTEBOOKS, env: { SEQREG_CACHE: cache, SEQREG_URL: "" } });
      for (const [index, cell] of (await readCells(notebook)).entries()) {
        if (cell.type !== "code") continue;
        const outputs = await kernel.run(cell.source, CELL_TIMEOUT_MS);
        const errors = outputs.filter(({ type }) => type === "error").map(({ text }) => text);
        assertEquals(errors, [], `cell ${index} of ${name} fails:\n${cell.source}`);
        const shown = textOf(outputs);
        for (const text of cell.expect) {
          assert(shown.includes(text), `cell ${index} of ${name} does not show ${JSON.stringify(text)} but:\n${shown}`);
        }
      }
    } finally {
      await Deno.remove(cache, { recursive: true });
    }
  });
}

function textOf(outputs: readonly CellOutput[]): string {
  return outputs.map(({ text, data }) => text ?? JSON.stringify(data)).join("\n");
}
