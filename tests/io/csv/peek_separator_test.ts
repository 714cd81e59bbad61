import { assertEquals } from "@std/assert";
import { toText } from "@std/streams";
import { readBytes } from "../../../src/io/bytes/byte_source.ts";
import { withCommas } from "../../../src/io/csv/peek_separator.ts";

Deno.test("withCommas() writes a table anew on the same lines, whatever its chunks", async () => {
  const tables: Record<string, string> = {
    "a;b\n1,5;2\n": 'a,b\n"1,5",2\n',
    "a;b\n\n\n1;2\n\n3;4\n": "a,b\n\n\n1,2\n\n3,4\n",
    'a;b\n"1\n2";3\n\n4;5\n': 'a,b\n"1\n2",3\n\n4,5\n',
    "": "",
  };
  for (const [text, expected] of Object.entries(tables)) {
    for (const chunkBytes of [1, 3, 100]) {
      const bytes = new TextEncoder().encode(text);
      const chunks = withCommas(readBytes(bytes, { chunkBytes }), { separator: ";", name: "a.csv" });
      const decoded = ReadableStream.from(chunks).pipeThrough(new TextDecoderStream());
      assertEquals(await toText(decoded), expected, JSON.stringify(text));
    }
  }
});
