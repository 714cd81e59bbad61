import { assertEquals, assertRejects } from "@std/assert";
import { readFieldList } from "../../../src/cli/exports/field_list.ts";
import { UsageError } from "../../../src/cli/arguments/option_specs.ts";

Deno.test("readFieldList() reads lists of fields as rows of CSV", async () => {
  assertEquals(await readFieldList("--metadata", []), []);
  assertEquals(await readFieldList("--metadata", ["Country, Host Species", "Isolate"]), [
    "Country",
    "Host Species",
    "Isolate",
  ]);
  assertEquals(await readFieldList("--metadata", ['"Isolate, source",Country']), ["Isolate, source", "Country"]);
});

Deno.test("readFieldList() refuses what is not one row of names", async (t) => {
  for (const list of ["", "Country,", ",Country", 'Coun"try', '"Country', "Country\nIsolate", " "]) {
    await t.step(JSON.stringify(list), async () => {
      await assertRejects(() => readFieldList("--metadata", [list]), UsageError, "Cannot use --metadata");
    });
  }
});
