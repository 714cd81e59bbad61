/**
 * hyparquet, which shares no code with the toolkit, reads what it writes; the toolkit reads footers as hyparquet does.
 */
import { assert, assertEquals } from "@std/assert";
import { parquetMetadata } from "hyparquet";
import pl from "nodejs-polars";
import { FileMetaData } from "../../../src/core/parquet/metadata.ts";
import { ThriftReader } from "../../../src/core/parquet/thrift.ts";
import { ParquetBytes } from "../../../src/core/parquet/write/parquet_bytes.ts";
import { numberChunk, TextBytes } from "../../../src/core/parquet/write/text_bytes.ts";
import { createScratchFolder } from "../../../src/core/io/files/scratch_folder.ts";

function footerOf(bytes: Uint8Array<ArrayBuffer>) {
  const length = new DataView(bytes.buffer, bytes.length - 8).getUint32(0, true);
  return new ThriftReader(bytes.subarray(bytes.length - 8 - length)).read(FileMetaData);
}

/** Footers as hyparquet gives them, in numbers where it gives big integers. */
function assertSameFooter(bytes: Uint8Array<ArrayBuffer>): void {
  const [ours, theirs] = [footerOf(bytes), parquetMetadata(bytes.buffer)];
  assertEquals(ours.version, theirs.version);
  assertEquals(ours.num_rows, Number(theirs.num_rows));
  assertEquals(ours.created_by, theirs.created_by);
  const named = (schema: readonly { readonly name?: string; readonly num_children?: number }[]) =>
    schema.map(({ name, num_children }) => [name, num_children]);
  assertEquals(named(ours.schema ?? []), named(theirs.schema));
  assertEquals(ours.row_groups?.length, theirs.row_groups.length);
  for (const [group, { columns = [], num_rows }] of (ours.row_groups ?? []).entries()) {
    assertEquals(num_rows, Number(theirs.row_groups[group].num_rows));
    for (const [index, { meta_data = {} }] of columns.entries()) {
      const meta = theirs.row_groups[group].columns[index].meta_data;
      assert(meta !== undefined);
      assertEquals(meta_data.path_in_schema, meta.path_in_schema);
      assertEquals(
        [meta_data.num_values, meta_data.total_compressed_size, meta_data.data_page_offset],
        [meta.num_values, meta.total_compressed_size, meta.data_page_offset].map(Number),
      );
      assertEquals(meta_data.statistics?.null_count, Number(meta.statistics?.null_count));
    }
  }
}

Deno.test("hyparquet reads the footers of ParquetBytes", () => {
  const file = new ParquetBytes([{ name: "id", type: "utf8" }, { name: "length", type: "int64" }, {
    name: "hosts",
    type: "list",
    optional: true,
  }]);
  const texts = new TextBytes();
  for (const text of ["a", "é".repeat(40)]) texts.add(text);
  const page = Uint8Array.from(numberChunk([1, 2 ** 40]).pages[0].bytes as Uint8Array);
  file.addGroup(2, [
    { values: 2, page: texts.bytes, range: { least: Uint8Array.of(97), greatest: Uint8Array.of(195) } },
    { values: 2, page },
    { values: 2, page: Uint8Array.of(2, 0, 0, 0, 4, 0), nulls: 2 },
  ]);
  assertSameFooter(file.finish().bytes);
});

Deno.test("footers of polars are read as hyparquet reads them", async () => {
  using folder = await createScratchFolder("parquet-test");
  const path = `${folder.path}/a.parquet`;
  const rows = Array.from({ length: 50 }, (_, row) => row);
  const frame = pl.DataFrame({ a: rows.map((row) => row % 7 === 0 ? null : `text ${row}`), b: rows });
  await frame.lazy().sinkParquet(path, { compression: "zstd", rowGroupSize: 20 }).collect();
  assertSameFooter(Deno.readFileSync(path));
});
