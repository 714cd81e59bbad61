import { assertEquals } from "@std/assert";
import pl from "nodejs-polars";
import { dropColumns } from "../../../../src/core/tables/types/drop_columns.ts";

Deno.test("dropColumns() empties a frame by its native object, and no other frame", () => {
  const frame = pl.DataFrame({ id: ["a", "b"], length: [1, 2], sequence: ["ACGT", "GG"] });
  const copy = frame.clone();
  dropColumns(frame, "length");
  assertEquals([frame.columns, frame.width], [[], 0]);
  assertEquals(copy.toRecords(), [{ id: "a", length: 1, sequence: "ACGT" }, { id: "b", length: 2, sequence: "GG" }]);
});
