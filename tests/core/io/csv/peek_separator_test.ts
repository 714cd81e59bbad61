import { assertEquals } from "@std/assert";
import { toText } from "@std/streams";
import { readBytes } from "../../../../src/core/io/bytes/byte_source.ts";
import { copyBytes } from "../../../../src/core/io/bytes/join_bytes.ts";
import { peekSeparator, withCommas } from "../../../../src/core/io/csv/peek_separator.ts";

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

Deno.test("withCommas() leaves out rows that are not to be kept, and keeps the lines of the others", async () => {
  const bytes = new TextEncoder().encode('id\tnote\na\t"1\n2"\nb\t3\n\nc\t4\n');
  const chunks = withCommas(readBytes(bytes, { chunkBytes: 4 }), {
    separator: "\t",
    name: "a.tsv",
    keep: ([id]) => id === "b" || id === "c",
  });

  assertEquals(
    await toText(ReadableStream.from(chunks).pipeThrough(new TextDecoderStream())),
    "id,note\n\n\nb,3\n\nc,4\n",
  );
});

Deno.test("peekSeparator() looks for one in tables only, and gives all bytes", async () => {
  const contents: Record<string, string> = {
    "a;b\n1;2\n": ";",
    "a\tb\n1\t2\n": "\t",
    "a,b\n": ",",
    '<?xml version="1.0"?>\n<a b="1;2"/>\n': ",",
    '{"a": "b;c"}\n': ",",
    "<!doctype html>\n<p>a;b</p>\n": ",",
    ">a;b\nACGT\n": ",",
    "": ",",
  };
  for (const [text, separator] of Object.entries(contents)) {
    const bytes = new TextEncoder().encode(text);
    const peeked = await peekSeparator(readBytes(bytes, { chunkBytes: 3 }));
    assertEquals(peeked.separator, separator, JSON.stringify(text));
    assertEquals(copyBytes(await Array.fromAsync(peeked.chunks)), bytes);
  }
});

Deno.test("peekSeparator() reads no more of a large table than it takes", async () => {
  let pulled = 0;
  const endless = (async function* () {
    for (;; pulled++) yield new TextEncoder().encode("a;b\n".repeat(2048));
  })();
  const { separator, chunks } = await peekSeparator(endless);
  assertEquals([separator, pulled], [";", 7]);
  await chunks.return(undefined);
});
