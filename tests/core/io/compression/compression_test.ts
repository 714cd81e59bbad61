import { assertEquals } from "@std/assert";
import { gzipSync } from "node:zlib";
import { COMPRESSION_BYTES, compressionOf, isUndecided } from "../../../../src/core/io/compression/compression.ts";
import { skippableFrame, zstdFrame } from "../_zstd_frames.ts";

const BGZF_END = Uint8Array.from([
  31,
  139,
  8,
  4,
  0,
  0,
  0,
  0,
  0,
  255,
  6,
  0,
  66,
  67,
  2,
  0,
  27,
  0,
  3,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
]);

Deno.test("every kind of compression is recognised by its first bytes", () => {
  const kinds: readonly [bytes: Uint8Array, name: string | undefined][] = [
    [new Uint8Array(gzipSync("acgt")), "gzip"],
    [BGZF_END, "BGZF"],
    [zstdFrame("acgt"), "Zstandard"],
    [skippableFrame(new Uint8Array(4), 0), "Zstandard"],
    [skippableFrame(new Uint8Array(4), 15), "Zstandard"],
    // A header of gzip with another extra field.
    [BGZF_END.map((byte, at) => at === 13 ? 68 : byte), "gzip"],
    [Uint8Array.of(0x28, 0xb5, 0x2f, 0xfe), undefined],
    [Uint8Array.of(0x60, 0x2a, 0x4d, 0x18), undefined],
    [new TextEncoder().encode(">a\nACGT\n"), undefined],
    [new Uint8Array(0), undefined],
  ];
  for (const [bytes, name] of kinds) {
    assertEquals(compressionOf(bytes)?.name, name);
    assertEquals(compressionOf(bytes.subarray(0, COMPRESSION_BYTES))?.name, name);
  }
});

Deno.test("no more bytes are waited for than can decide", () => {
  const decided = (...bytes: number[]) => !isUndecided(Uint8Array.from(bytes));
  assertEquals(decided(0x3e), true);
  assertEquals(decided(0x28), false);
  assertEquals(decided(0x28, 0xb5, 0x2f, 0xfd), true);
  assertEquals(decided(0x1f, 0x8b, 8, 0), true);
  assertEquals(decided(0x1f, 0x8b, 8, 4), false);
  assertEquals(decided(), false);
});
