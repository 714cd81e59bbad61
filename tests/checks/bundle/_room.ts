/**
 * What happens in a room without a network: run by the Deno of an unpacked bundle, `_room.ts NOTEBOOK`, it runs every
 * code cell of a lesson in that Deno's own kernel, and fails where a cell fails or does not show what it states.
 */
import { Kernel } from "../../notebooks/_kernel.ts";
import { readCells } from "../../notebooks/_notebook.ts";

const notebook = new URL(Deno.args[0]);
await using kernel = await Kernel.start({ folder: new URL("./", notebook) });
let ran = 0;
for (const { type, source, expect } of await readCells(notebook)) {
  if (type !== "code") continue;
  const outputs = await kernel.run(source, 60_000);
  const shown = outputs.map(({ text, data }) => text ?? JSON.stringify(data)).join("\n");
  if (outputs.some(({ type }) => type === "error")) throw new Error(`a cell failed:\n${source}\n${shown}`);
  for (const text of expect) if (!shown.includes(text)) throw new Error(`a cell does not show ${text}:\n${source}`);
  ran++;
}
console.log(`${ran} cells`);
