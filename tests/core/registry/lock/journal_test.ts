import { assertEquals } from "@std/assert";
import { appendToJournal, readJournal } from "../../../../src/core/registry/lock/journal.ts";
import { inFolder } from "../../../_files.ts";

Deno.test("a journal is read up to the half line of a program that was killed, wherever it was cut", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/calls.jsonl`;
    assertEquals(await readJournal(path), []);
    const line = { refused: 'no answer to {"query":"a"}' };
    await appendToJournal(path, line);
    for (const half of ['{"refused":"a', '{"key":"0","call":{"request":{}', "{", "}"]) {
      await Deno.writeTextFile(path, half, { append: true });
      assertEquals(await readJournal(path), [line], half);
      await Deno.writeTextFile(path, "\n", { append: true });
    }
  });
});
