import { assert, assertEquals } from "@std/assert";
import { layOutTable } from "../../../src/cli/support/text_table.ts";

Deno.test("layOutTable() shows what fits, aligned", () => {
  const rows = [["vj000000000001", "", "Kenya", "x".repeat(50)], ["vj000000000002", "", "Peru", "y"]];
  const table = layOutTable(["id", "empty", "Country", "Note"], rows, 40);
  assertEquals(table.shown, [0, 2, 3]);
  assertEquals(table.head, "id              Country  Note\n" + "-".repeat(14) + "  -------  ---------------\n");
  assertEquals(table.row(rows[0]), `vj000000000001  Kenya    ${"x".repeat(14)}…\n`);
  assertEquals(table.row(rows[1]), "vj000000000002  Peru     y\n");
});

Deno.test("layOutTable() always shows the first column, however narrow the line", () => {
  const table = layOutTable(["Registry Accession", "Country"], [["vj000000000001", "Kenya"]], 10);
  assertEquals(table.shown, [0]);
  assertEquals(table.row(["vj000000000001", "Kenya"]), "vj0000000…\n");
});

Deno.test("layOutTable() lets no value reach the terminal's controls", async (t) => {
  const cases: Record<string, string> = {
    "clear the screen": "a\x1b[2Jb",
    "a line feed": "a\nb",
    "a bell": "a\x07b",
    "a turn of direction": "a\u202eb",
    "C1 control": "a\x9bb",
  };
  for (const [name, value] of Object.entries(cases)) {
    await t.step(name, () => {
      const table = layOutTable([value, "b"], [[value, "c"]], 60);
      for (const line of [table.head, table.row([value, "c"])]) {
        // deno-lint-ignore no-control-regex
        assert(!/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/.test(line), JSON.stringify(line));
        assert(line.split("\n").length <= 3);
      }
    });
  }
});

Deno.test("layOutTable() counts columns, not characters", () => {
  const rows = [["中文名稱", "a"], ["e\u0301e\u0301", "b"], ["ascii", "c"]];
  const table = layOutTable(["n", "x"], rows, 40);
  assertEquals(rows.map((row) => table.row(row)), [
    "中文名稱  a\n",
    `e\u0301e\u0301${" ".repeat(8)}b\n`,
    "ascii     c\n",
  ]);
  const narrow = layOutTable(["n"], [["中文名稱中文名稱"]], 8);
  assertEquals(narrow.row(["中文名稱中文名稱"]), "中文名…\n");
});

Deno.test("layOutTable() cuts no number, however narrow the rows were that it was laid out for", () => {
  const { row } = layOutTable(["n", "text"], [["1", "a"]], 40);
  assertEquals(row(["12345", "a"]), "12345  a\n");
  assertEquals(row(["-1.5e-10", "long"]), "-1.5e-10  long\n");
  assertEquals(row(["12 of 20", "a"]), "…  a\n");
});
