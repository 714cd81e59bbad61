/** Files of a table are small at first and large later, and hold the row groups as they were encoded. */
import { assert, assertEquals } from "@std/assert";
import pl from "nodejs-polars";
import { scanFiles } from "../../../../../src/core/engine/frames/scan_files.ts";
import { isStructureWhole } from "../../../../../src/core/parquet/read/check_file.ts";
import { readPages } from "../../../../../src/core/parquet/write/file_checks.ts";
import { sha256 } from "../../../../../src/core/io/digest/sha256.ts";
import {
  parquetFields,
  PartEncoder,
  type PartSchema,
} from "../../../../../src/core/tables/lake/build/_part_encoder.ts";
import { PartFiles } from "../../../../../src/core/tables/lake/build/_part_files.ts";
import { bytesOf } from "../../_frames.ts";
import { inFolder, namesIn } from "../../_lake_files.ts";

const SCHEMA: PartSchema = {
  columns: [{ type: "text", names: ["id"] }, { type: "integer", names: ["n"] }],
  idColumn: 0,
};
const ROWS = 100;

Deno.test("files grow with their table, and from many rows on each has the bytes that are enough", async () => {
  await inFolder(async (folder) => {
    const limits = { growth: 4, largeBytes: 8000, largeRows: 3000 };
    const fields = parquetFields(SCHEMA.columns);
    using parts = new PartFiles({ folder, ending: "parquet", fields, metadata: { "seqreg:archive": "a" }, limits });
    const encoder = new PartEncoder(SCHEMA);
    const expected: string[] = [];
    for (let part = 0; part < 80; part++) {
      // Few distinct values have a dictionary, many have none.
      const rows = Array.from(
        { length: ROWS },
        (_, row) => `${part % 2 === 0 ? row % 3 : `x${part * ROWS + row}`},${row}`,
      );
      expected.push(...rows.map((row) => row.split(",")[0]));
      const { parquet, groups, checks } = encoder.encode(bytesOf(`${rows.join("\n")}\n`), ROWS);
      await parts.write(ROWS, (file) => file.append({ bytes: parquet, groups, pages: readPages(checks.pages) }));
    }
    const files = await parts.finish();
    assertEquals(namesIn(folder), files.map(({ name }) => name));
    let before = 0;
    let sum = 0;
    for (const [index, { name, rows, bytes, checks }] of files.entries()) {
      const path = `${folder}/${name}`;
      assertEquals([bytes, checks?.sha256], [(await Deno.stat(path)).size, await sha256(path)]);
      assert(isStructureWhole(path, bytes, checks!), name);
      if (index < files.length - 1) {
        assert(bytes >= (before >= limits.largeRows ? limits.largeBytes : Math.min(limits.largeBytes, sum / 4)), name);
        assert(bytes < 2 * limits.largeBytes, `${name} has ${bytes} bytes`);
      }
      before += rows;
      sum += bytes;
    }
    assert(files.length > 8 && files.length < 40, `${files.length} files of 80 parts`);
    assertEquals([before, files[0].rows], [80 * ROWS, ROWS]);
    const frame = await scanFiles(pl, files.map(({ name }) => `${folder}/${name}`)).collect();
    assertEquals(frame.getColumn("id").toArray(), expected);
    const some = await scanFiles(pl, files.map(({ name }) => `${folder}/${name}`))
      .filter(pl.col("id").eq(pl.lit("x7950"))).collect();
    assertEquals(some.toRecords(), [{ id: "x7950", n: 50 }]);
  });
});
