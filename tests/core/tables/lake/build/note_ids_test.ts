import { assertEquals, assertMatch } from "@std/assert";
import { noteIds } from "../../../../../src/core/tables/lake/build/_note_ids.ts";
import { inFolder } from "../../../../_files.ts";
import { writeParquet } from "../../../../_parquet.ts";

Deno.test("a ledger counts all accessions at fault, also those that it does not list", async () => {
  await inFolder(async (folder) => {
    const file = `${folder}/a.parquet`;
    const rows = (id: string) => `SELECT ${id} AS id FROM range(400) t(i)`;
    const note = (unique: number) => noteIds([file], { idField: "id", rows: 400, unique });
    await writeParquet(file, rows("'x' || i"));
    const [invalid, ...others] = await note(400);
    assertEquals([invalid.count, invalid.ids?.length, others], [400, 100, []]);
    assertMatch(invalid.text, /^400 accessions are not vj followed by 12 digits: "x0", .* and 380 more$/);
    await writeParquet(file, rows("format('vj{:012d}', i // 2)"));
    const [repeated] = await note(200);
    assertEquals([repeated.count, repeated.ids?.length], [200, 100]);
    assertMatch(repeated.text, /^200 rows have an accession that come before: vj0+, .* and 180 more$/);
  });
});
