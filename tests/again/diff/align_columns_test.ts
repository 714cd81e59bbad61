import { assertEquals } from "@std/assert";
import { recordsOf, type Rows, withDiff } from "./_versions.ts";

/** The changes of fields, and of the records their keys and fields. */
async function changesOf(before: Rows, after: Rows) {
  const found: unknown[] = [];
  await withDiff(before, after, {}, async (diff) => {
    const { added, removed, renamed, moved } = diff.tables[0].columns;
    const records = (await recordsOf(diff)).map(({ key, fields }) =>
      Object.entries(fields).map(([name, { old, new: now }]) => `${key} ${name}: ${old} → ${now}`)
    );
    found.push({ added, removed, renamed, moved: moved.length, records: records.flat() });
  });
  return found[0];
}

const OLD: Rows = [["id", "Country", "country"], ["a", "Kenya", "1"], ["b", "Peru", "2"]];
const NOTHING = { added: [], removed: [], renamed: [], moved: 0, records: [] };

Deno.test("columns whose names differ in case alone are the same in both versions, whatever their order", async () => {
  const swapped: Rows = [["id", "country", "Country"], ["a", "1", "Kenya"], ["b", "3", "Peru"]];
  assertEquals(await changesOf(OLD, swapped), { ...NOTHING, moved: 1, records: ["b country_2: 2 → 3"] });
});

Deno.test("of columns whose names differ in case alone the one is compared that the other version has", async () => {
  const one: Rows = [["id", "country"], ["a", "1"], ["b", "3"]];
  assertEquals(await changesOf(OLD, one), { ...NOTHING, removed: ["Country"], records: ["b country_2: 2 → 3"] });
  assertEquals(await changesOf(one, OLD), { ...NOTHING, added: ["Country_2"], records: ["b country: 3 → 2"] });
  const other: Rows = [["id", "COUNTRY", "Country"], ["a", "x", "Kenya"], ["b", "x", "Mali"]];
  assertEquals(await changesOf(OLD, other), {
    ...NOTHING,
    added: ["COUNTRY_3"],
    removed: ["country_2"],
    records: ["b Country: Peru → Mali"],
  });
});

Deno.test("daffRows() has the names of the files", async () => {
  const changed: Rows = [OLD[0], OLD[1], ["b", "Peru", "3"]];
  for (const [after, row] of [[changed, ["->", "b", "Peru", "2->3"]], [OLD, ["", "b", "Peru", "2"]]] as const) {
    await withDiff(OLD, after, {}, async (diff) => {
      const rows = await Array.fromAsync(diff.daffRows());
      assertEquals([rows[0], rows.at(2)], [["@@", "id", "Country", "country"], row]);
    });
  }
});
