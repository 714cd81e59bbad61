import { assertEquals } from "@std/assert";
import pl from "nodejs-polars";
import { fieldCompleteness } from "../../../src/analysis/mod.ts";

Deno.test("fieldCompleteness() takes a column once that is named twice", async () => {
  const { frame } = await fieldCompleteness(pl.DataFrame({ Host: ["pig"] }), { columns: ["Host", "Host"] });
  assertEquals(frame.toRecords(), [{ field: "Host", filled: 1, placeholder: 0, empty: 0 }]);
});
