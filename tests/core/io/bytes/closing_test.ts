import { assertEquals, assertRejects } from "@std/assert";
import { closing, transformed } from "../../../../src/core/io/bytes/closing.ts";
import { openBytes } from "../../../../src/core/io/bytes/open_bytes.ts";
import { readBytes } from "../../../../src/core/io/bytes/byte_source.ts";

/** Two numbers, and what happened to their source. */
function makeItems(fault?: Error) {
  const seen: string[] = [];
  const items = closing(async function* () {
    seen.push("begun");
    yield 1;
    if (fault) throw fault;
    yield 2;
  }, async () => {
    await new Promise((resolve) => setTimeout(resolve));
    seen.push("closed");
  });
  return { items, seen };
}

const USES: Readonly<
  Record<string, readonly [use: (items: AsyncGenerator<number>) => Promise<unknown>, begins: boolean]>
> = {
  "told to end before the first item": [(items) => items.return(undefined), false],
  "disposed of before the first item": [(items) => items[Symbol.asyncDispose]() as Promise<void>, false],
  "given an error before the first item": [
    (items) => assertRejects(() => items.throw(new Error("no")), Error, "no"),
    false,
  ],
  "told to end after the first item": [async (items) => [await items.next(), await items.return(undefined)], true],
  "read to the end": [(items) => Array.fromAsync(items), true],
  "told to end twice": [async (items) => [await items.return(undefined), await items.return(undefined)], false],
  "told to end while it begins": [(items) => Promise.all([items.next(), items.return(undefined)]), true],
};

Deno.test("closing() closes once, waits for it, and begins only what is asked for", async (t) => {
  for (const [name, [use, begins]] of Object.entries(USES)) {
    await t.step(name, async () => {
      const { items, seen } = makeItems();
      await use(items);
      assertEquals(seen, begins ? ["begun", "closed"] : ["closed"]);
      assertEquals(await items.next(), { done: true, value: undefined });
    });
  }
});

Deno.test("closing() passes on what fails, first the items and then the closing", async () => {
  const { items, seen } = makeItems(new Error("read"));
  await assertRejects(() => Array.fromAsync(items), Error, "read");
  assertEquals(seen, ["begun", "closed"]);
  const failing = (fault?: Error) =>
    closing(async function* () {
      yield 1;
      if (fault) throw fault;
    }, () => Promise.reject(new Error("close")));
  await assertRejects(() => failing().return(undefined), Error, "close");
  await assertRejects(() => Array.fromAsync(failing()), Error, "close");
  await assertRejects(() => Array.fromAsync(failing(new Error("read"))), Error, "read");
});

Deno.test("transformed() asks a source for one iterator, and ends it", async () => {
  const seen: string[] = [];
  const source = () => ({
    [Symbol.asyncIterator]() {
      seen.push("iterator");
      return {
        next: () => Promise.resolve({ done: false, value: 1 }),
        return: () => Promise.resolve(void seen.push("end")).then(() => ({ done: true as const, value: undefined })),
      };
    },
  });
  const same = (items: AsyncIterable<number>) => items;
  await transformed(source(), same).return(undefined);
  assertEquals(seen.splice(0), ["iterator", "end"]);
  for await (const _ of transformed(source(), same)) break;
  assertEquals(new Set(seen), new Set(["iterator", "end"]));
  assertEquals(seen.filter((what) => what === "iterator").length, 1);
});

Deno.test("a stream, a response and an iterable that are never read are released", async (t) => {
  for (const [reader, read] of Object.entries({ readBytes, openBytes })) {
    await t.step(reader, async () => {
      let released = 0;
      const stream = () => new ReadableStream<Uint8Array>({ cancel: () => void released++ });
      const iterable = closing(async function* () {
        yield Uint8Array.of(1);
      }, () => void released++);
      for (const source of [stream(), new Response(stream()), iterable]) await read(source).return(undefined);
      assertEquals(released, 3);
    });
  }
});
