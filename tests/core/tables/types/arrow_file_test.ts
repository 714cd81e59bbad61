import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { Buffer } from "node:buffer";
import pl from "nodejs-polars";
import { type ArrowColumn, ArrowFiles, int64Of } from "../../../../src/core/tables/types/arrow_file.ts";

Deno.test("int64Of() is exact for every whole number that a Float64Array holds exactly", () => {
  const number = fc.oneof(
    fc.maxSafeInteger(),
    fc.integer(),
    fc.constantFrom(0, 2 ** 31, 2 ** 32 - 1, 2 ** 32, -(2 ** 32)),
  );
  fc.assert(
    fc.property(fc.array(number), (numbers) => {
      assertEquals([...int64Of(Float64Array.from(numbers))], numbers.map(BigInt));
    }),
  );
});

Deno.test("a file is the same around its texts as in memory of its own, where there is room", () => {
  const memory = new Uint8Array(8192);
  const letters = memory.subarray(4096, 4103);
  letters.set(new TextEncoder().encode("ACGTNAC"));
  const columns: ArrowColumn[] = [
    { name: "length", type: "int64", values: BigInt64Array.of(4n, 3n) },
    { name: "gc", type: "float64", values: Float64Array.of(0.5, 0), valid: Uint8Array.of(1) },
    { name: "sequence", type: "utf8", offsets: Int32Array.of(0, 4, 7), data: letters },
  ];
  const rows = (file: Uint8Array) => pl.readIPC(Buffer.from(file.buffer, file.byteOffset, file.length)).toRecords();
  const files = new ArrowFiles();
  const own = rows(files.write(columns, 2));
  assertEquals(own.map(({ sequence }) => sequence), ["ACGT", "NAC"]);
  assertEquals(rows(files.writeAround(columns, 2, 0)!), own);
  assertEquals(files.writeAround(columns, 2, 4000), undefined);
  const tight = new Uint8Array(memory.slice(0, 4103).buffer);
  const last: ArrowColumn = {
    name: "sequence",
    type: "utf8",
    offsets: Int32Array.of(0, 4, 7),
    data: tight.subarray(4096),
  };
  assertEquals(files.writeAround([...columns.slice(0, 2), last], 2, 0), undefined);
});
