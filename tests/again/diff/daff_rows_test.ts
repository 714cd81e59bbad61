import { assertEquals } from "@std/assert";
import { withDiff } from "./_versions.ts";

Deno.test("daffRows() leaves fields that were not compared as they are", async () => {
  const before = [["id", "Country", "Length"], ["a", "Peru", "1"], ["b", "Mali", "2"], ["c", "Togo", "3"]];
  const header = ["id", "Country", "Length", "Host"];
  const after = [header, ["a", "Kenya", "9", "bat"], ["b", "Mali", "8", ""], ["d", "Chad", "4", ""]];
  await withDiff(before, after, { fields: ["Country"] }, async (diff) => {
    assertEquals(await Array.fromAsync(diff.daffRows()), [
      ["!", "", "", "", "+++"],
      ["@@", "id", "Country", "Length", "Host"],
      ["->", "a", "Peru->Kenya", "1", "bat"],
      ["+", "b", "Mali", "2", ""],
      ["---", "c", "Togo", "3", ""],
      ["+++", "d", "Chad", "4", ""],
    ]);
  });
});
