import { assertEquals, assertRejects } from "@std/assert";
import { readBytes } from "../../../../src/core/io/bytes/byte_source.ts";
import { peekHeader } from "../../../../src/core/io/csv/peek_header.ts";

const encode = (text: string) => new TextEncoder().encode(text);

async function peek(text: string, chunkBytes: number, maxBytes?: number) {
  const source = readBytes(encode(text), { chunkBytes });
  const { header, fault, separator, chunks } = await peekHeader(source, { name: "x.csv", ...maxBytes && { maxBytes } });
  const decoded = ReadableStream.from(chunks).pipeThrough(new TextDecoderStream());
  return { header, fault: fault?.message, separator, text: (await Array.fromAsync(decoded)).join("") };
}

Deno.test("peekHeader() reads the first row of a table, whatever its chunks, and gives all bytes", async (t) => {
  const tables: Record<string, [text: string, header: string[]]> = {
    "rows": ["a,b\n1,2\n", ["a", "b"]],
    "a header without a line end": ["a,b", ["a", "b"]],
    "a header of two lines behind empty ones": ['\n\n"a\nb",c\n1,2\n', ["a\nb", "c"]],
    "nothing": ["", []],
    "empty lines": ["\n\n", []],
  };
  for (const [name, [text, header]] of Object.entries(tables)) {
    for (const chunkBytes of [1, 3, 100]) {
      await t.step(`${name}, ${chunkBytes} at a time`, async () => {
        assertEquals(await peek(text, chunkBytes), { header, fault: undefined, separator: ",", text });
      });
    }
  }
});

Deno.test("peekHeader() tells why the first row cannot be read, and gives all bytes", async () => {
  for (const [text, says] of [['"a"b,c\n1,2\n', "text follows a closing quote"], ['a,"b\n1,2\n', "never ends"]]) {
    for (const chunkBytes of [1, 100]) {
      const peeked = await peek(text, chunkBytes);
      assertEquals([peeked.header, peeked.fault?.includes(says), peeked.text], [[], true, text]);
    }
  }
});

Deno.test("peekHeader() reads no further than the first row", async () => {
  const text = 'a,b\n"x"y,1\n';
  for (const chunkBytes of [1, 100]) {
    assertEquals(await peek(text, chunkBytes), { header: ["a", "b"], fault: undefined, separator: ",", text });
  }
});

Deno.test("peekHeader() leaves a header that is too long to the reader of the rows", async () => {
  const text = `${"a".repeat(70_000)},b\n1,2\n`;
  assertEquals((await peek(text, 1000, 70_000)).header, []);
  assertEquals((await peek(text, 1000, 80_000)).header, ["a".repeat(70_000), "b"]);
});

Deno.test("peekHeader() fails as its source does", async () => {
  const source = (async function* () {
    yield encode("a");
    await Promise.reject(new Error("the disk is gone"));
  })();
  await assertRejects(() => peekHeader(source, { name: "x.csv" }), Error, "the disk is gone");
});
