/** Bytes at any offset, wherever they come from. */
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { gzipSync } from "node:zlib";
import { RegistryError } from "../../../../src/core/errors.ts";
import type { ByteSource } from "../../../../src/core/io/bytes/byte_source.ts";
import { openRandomBytes } from "../../../../src/core/io/bytes/random_bytes.ts";

const BYTES = Uint8Array.from({ length: 3000 }, (_, index) => index % 251);

Deno.test("openRandomBytes() reads files, memory and streams, plain and gzip", async (t) => {
  const folder = await Deno.makeTempDir();
  const gzip = new Uint8Array(gzipSync(BYTES));
  await Deno.writeFile(`${folder}/plain`, BYTES);
  await Deno.writeFile(`${folder}/gzip`, gzip);
  const sources: Record<string, ByteSource> = {
    "a file": `${folder}/plain`,
    "a compressed file": `${folder}/gzip`,
    "memory": BYTES,
    "compressed memory": gzip,
    "a stream": new Response(BYTES).body!,
    "a compressed response": new Response(gzip),
  };
  for (const [what, source] of Object.entries(sources)) {
    await t.step(what, async () => {
      using bytes = await openRandomBytes(source);
      assertEquals(bytes.size, BYTES.length);
      assertEquals(bytes.read(2000, 900), BYTES.subarray(2000, 2900));
      assertEquals(bytes.read(0, 3), BYTES.subarray(0, 3));
    });
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("openRandomBytes() puts a large stream aside, and removes it afterwards", async () => {
  const chunk = new Uint8Array(1 << 20);
  const stream = async function* () {
    for (let index = 0; index < 70; index++) yield chunk.fill(index);
  };
  const temporary = async () => {
    const folder = await Deno.makeTempDir();
    const names = Array.from(Deno.readDirSync(`${folder}/..`), ({ name }) => name);
    await Deno.remove(folder);
    return names.filter((name) => name.startsWith("seqreg-bytes-")).length;
  };
  const before = await temporary();
  {
    using bytes = await openRandomBytes(stream());
    assertEquals([bytes.size, bytes.read(0, 1)[0], bytes.read(70 * 2 ** 20 - 1, 1)[0]], [70 * 2 ** 20, 0, 69]);
    assertEquals(bytes.read(3 * 2 ** 20 - 1, 2), Uint8Array.of(2, 3));
    assertEquals(await temporary(), before + 1);
  }
  assertEquals(await temporary(), before);
});

Deno.test("openRandomBytes() reports files that are absent or become shorter", async () => {
  await assertRejects(() => openRandomBytes("no such file"), RegistryError, "does not exist");
  const path = await Deno.makeTempFile();
  await Deno.writeFile(path, BYTES);
  {
    using bytes = await openRandomBytes(path);
    await Deno.truncate(path, 10);
    assertThrows(() => bytes.read(0, 20), RegistryError, "it had 3000 bytes and now ends after 10");
  }
  await Deno.remove(path);
});
