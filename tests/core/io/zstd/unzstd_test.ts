import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { zstdDecompressSync } from "node:zlib";
import { openBytes } from "../../../../src/core/io/bytes/open_bytes.ts";
import { openRandomBytes } from "../../../../src/core/io/bytes/random_bytes.ts";
import { readBytes } from "../../../../src/core/io/bytes/byte_source.ts";
import { unzstd, ZstdError } from "../../../../src/core/io/zstd/unzstd.ts";
import { concat } from "../_damaged_gzip.ts";
import { damagedZstd, repeatingFrame, skippableFrame, zstdFrame } from "../_zstd_frames.ts";

const encoder = new TextEncoder();

async function read(bytes: Uint8Array, chunkBytes?: number): Promise<Uint8Array> {
  const parts = [];
  for await (const chunk of openBytes(bytes, { chunkBytes, name: "x.zst" })) parts.push(chunk.slice());
  return concat(...parts);
}

async function readText(bytes: Uint8Array, chunkBytes?: number): Promise<string> {
  return new TextDecoder().decode(await read(bytes, chunkBytes));
}

Deno.test("openBytes() tells Zstandard by its bytes and reads every legal form", async (t) => {
  const large = "acgtn".repeat(60_000);
  const skipped = skippableFrame(encoder.encode("not for readers"), 15);
  const forms: Record<string, [bytes: Uint8Array, text: string]> = {
    "one frame": [zstdFrame("acgt"), "acgt"],
    "without a checksum": [zstdFrame("acgt", { digest: false }), "acgt"],
    "two frames": [concat(zstdFrame("ac"), zstdFrame("gt", { digest: false })), "acgt"],
    "an empty frame": [concat(zstdFrame(""), zstdFrame("acgt"), zstdFrame("")), "acgt"],
    "a skippable frame first, as pzstd writes it": [concat(skipped, zstdFrame("acgt")), "acgt"],
    "skippable frames between and after": [concat(zstdFrame("ac"), skipped, zstdFrame("gt"), skipped), "acgt"],
    "an empty skippable frame": [concat(skippableFrame(new Uint8Array(0)), zstdFrame("acgt")), "acgt"],
    "nothing but a skippable frame": [skipped, ""],
    "several blocks": [zstdFrame(large), large],
  };
  for (const [form, [bytes, text]] of Object.entries(forms)) {
    for (const chunkBytes of [1, 7, 1 << 20]) {
      await t.step(`${form}, ${chunkBytes} bytes at a time`, async () => {
        assertEquals(await readText(bytes, chunkBytes), text);
      });
    }
  }
});

Deno.test("openBytes() refuses damaged Zstandard and names it", async (t) => {
  for (const [fault, [bytes, says]] of Object.entries(damagedZstd("acgt".repeat(100)))) {
    for (const chunkBytes of [1, 1 << 20]) {
      await t.step(`${fault}, ${chunkBytes} bytes at a time`, async () => {
        const error = await assertRejects(() => read(bytes, chunkBytes), ZstdError, says);
        assertStringIncludes(error.message, "x.zst");
      });
    }
  }
});

Deno.test("any cut and any flipped bit of checksummed frames is seen", async () => {
  const text = "Registry Accession,Country\n" +
    Array.from({ length: 40 }, (_, row) => `vj${row * 7919},K${row % 7}enya\n`).join("");
  const whole = concat(zstdFrame(text.slice(0, 300)), skippableFrame(new Uint8Array(3)), zstdFrame(text.slice(300)));
  const skipped = zstdFrame(text.slice(0, 300)).length;
  assertEquals(await readText(whole), text);
  for (let length = 1; length < whole.length; length++) {
    // Between two frames, data may end.
    if ([skipped, skipped + 11].includes(length)) continue;
    if (length >= 4) await assertRejects(() => read(whole.slice(0, length)), ZstdError, "it ends after");
  }
  for (let at = 4; at < whole.length; at++) {
    for (const bit of [1, 16, 128]) {
      const flipped = whole.map((byte, index) => index === at ? byte ^ bit : byte);
      const result = await read(flipped).catch((error) => error);
      if (result instanceof ZstdError) continue;
      // What is skipped, and bits of a header that nobody uses, change nothing; a reader never gives another text.
      assertEquals(new TextDecoder().decode(result), text, `byte ${at}, bit ${bit}`);
    }
  }
});

Deno.test("frames of any content in pieces of any size are read as node:zlib reads each", async () => {
  const frame = fc.tuple(fc.uint8Array({ maxLength: 2000 }), fc.boolean(), fc.boolean());
  await fc.assert(
    fc.asyncProperty(
      fc.array(frame, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 700 }),
      async (all, step) => {
        const frames = all.map(([content, digest, isSkipped]) =>
          isSkipped ? skippableFrame(content) : zstdFrame(content, { digest })
        );
        const wanted = concat(
          ...frames.map((bytes, index) =>
            all[index][2] ? new Uint8Array(0) : new Uint8Array(zstdDecompressSync(bytes))
          ),
        );
        assertEquals(await read(concat(...frames), step), wanted);
      },
    ),
    { numRuns: 60 },
  );
});

Deno.test("few bytes that become very many are given in chunks of bounded size", async () => {
  let bytes = 0;
  let longest = 0;
  for await (const chunk of unzstd(readBytes(repeatingFrame(4000, 65)))) {
    bytes += chunk.length;
    longest = Math.max(longest, chunk.length);
  }
  assertEquals(bytes, 4000 << 17);
  assertEquals(longest <= 1 << 20, true);
});

Deno.test("a consumer that stops early ends the source", async () => {
  let isEnded = false;
  const source = (async function* () {
    try {
      for (;;) yield repeatingFrame(20, 65);
    } finally {
      isEnded = true;
    }
  })();
  for await (const _ of openBytes(source)) break;
  assertEquals(isEnded, true);
});

Deno.test("bytes in Zstandard can be read from any offset", async () => {
  using bytes = await openRandomBytes(zstdFrame("acgtacgt"));
  assertEquals([bytes.size, new TextDecoder().decode(bytes.read(2, 3))], [8, "gta"]);
});
