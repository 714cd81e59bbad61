import { assertEquals } from "@std/assert";
import { withDiff } from "./_versions.ts";

Deno.test("daffRows() has a record once, though one that was released later has its key", async () => {
  const header = ["id", "Release Date", "v"];
  const before = [header, ["a", "2019", "1"], ["a", "2030", "2"], ["b", "2019", "1"]];
  const after = [header, ["b", "2030", "3"], ["a", "2019", "1"], ["b", "2019", "2"]];
  await withDiff(before, after, { asOf: "2020" }, async (diff) => {
    assertEquals(await Array.fromAsync(diff.daffRows()), [
      ["@@", ...header],
      ["", "a", "2019", "1"],
      ["->", "b", "2019", "1->2"],
    ]);
  });
});

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
