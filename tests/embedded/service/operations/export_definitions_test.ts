import { assertEquals } from "@std/assert";
import { writeDefinitions } from "../../../../src/embedded/service/operations/export_definitions.ts";

Deno.test("writeDefinitions() escapes what a format cannot hold", async () => {
  const definition = {
    name: 'a,"b"',
    alias: "a_b",
    type: "string",
    description: "\u0000x",
    unit: "",
    example: "=1",
  } as const;
  const decoder = new TextDecoder();
  assertEquals(
    decoder.decode(await writeDefinitions([definition], "csv")),
    'name,alias,type,description,unit,example\n"a,""b""",a_b,string,\u0000x,,=1\n',
  );
  assertEquals(JSON.parse(decoder.decode(await writeDefinitions([definition], "json"))), [definition]);
  assertEquals(decoder.decode((await writeDefinitions([definition], "xlsx")).subarray(0, 2)), "PK");
});
