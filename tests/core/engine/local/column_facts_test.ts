/** What files say of columns without being decoded is what is in them. */
import { assert, assertEquals } from "@std/assert";
import { ColumnFacts } from "../../../../src/core/engine/local/column_facts.ts";
import { oneOf, ROWS, writeParts } from "../../../analysis/_parts.ts";
import { inFolder } from "../../../_files.ts";

Deno.test("facts of columns are those of their values, whatever their form", async (t) => {
  await inFolder(async (folder) => {
    const { paths, frame, lists } = writeParts(folder);
    using facts = ColumnFacts.open(paths);
    assert(facts !== undefined);
    assertEquals(facts.rows, ROWS);
    for (const name of frame.columns) {
      await t.step(name, () => {
        const values = frame.getColumn(name).toArray();
        assertEquals(facts.nulls(name), values.filter((value) => value === null).length);
        const distinct = facts.look(name, Infinity).distinct;
        if (distinct !== undefined) assertEquals(distinct, new Set(values.filter((value) => value !== null)).size);
        for (const text of ["unknown", "-", "zzz"]) {
          if (!facts.mayHold(name, oneOf(text))) assertEquals(values.includes(text), false);
        }
      });
    }
    await t.step("what can be known is known", () => {
      assertEquals(facts.look("few texts", Infinity).distinct, 4);
      assertEquals(facts.look("few texts", 3).distinct, Infinity);
      assertEquals([facts.look("booleans", Infinity).distinct, facts.look("few numbers", Infinity).distinct], [2, 11]);
      assertEquals(facts.mayHold("few texts", oneOf("unknown")), true);
      assertEquals(facts.mayHold("few texts", oneOf("n/a")), false);
      assertEquals(facts.mayHold("own texts", oneOf("unknown")), false);
      for (const [name, nulls] of Object.entries(lists)) assertEquals(facts.nulls(name), nulls, name);
    });
    await t.step("a column that is not there", () => {
      assertEquals([facts.nulls("other"), facts.look("other", 1).distinct, facts.mayHold("other", oneOf("x"))], [
        undefined,
        undefined,
        true,
      ]);
    });
  });
});

Deno.test("a file that is not Parquet has no facts", async (t) => {
  await inFolder(async (folder) => {
    const [whole] = writeParts(folder).paths;
    const bytes = await Deno.readFile(whole);
    const length = new DataView(bytes.buffer).getUint32(bytes.length - 8, true);
    const footer = bytes.length - 8 - length;
    const faults: Record<string, Uint8Array> = {
      "nothing": new Uint8Array(0),
      "text": new TextEncoder().encode("<html><body>not found</body></html>"),
      "cut off": bytes.subarray(0, bytes.length >> 1),
      "a footer longer than the file": Uint8Array.from([...new Uint8Array(4), 255, 255, 255, 127, 80, 65, 82, 49]),
      "a footer of ones": bytes.map((byte, at) => at >= footer && at < bytes.length - 8 ? 255 : byte),
      "a footer of zeros": bytes.map((byte, at) => at >= footer && at < bytes.length - 8 ? 0 : byte),
    };
    for (const [fault, content] of Object.entries(faults)) {
      await t.step(fault, async () => {
        const path = `${folder}/fault.parquet`;
        await Deno.writeFile(path, content);
        assertEquals(ColumnFacts.open([whole, path]), undefined);
      });
    }
    assertEquals(ColumnFacts.open([`${folder}/absent.parquet`]), undefined);
    assertEquals(ColumnFacts.open([]), undefined);
  });
});
