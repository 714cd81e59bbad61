import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { constants, crc32, createDeflateRaw, deflateRawSync, gunzipSync, gzipSync } from "node:zlib";
import { makeInflater } from "../../../../src/core/io/gzip/gzip_inflater.ts";
import { GzipError } from "../../../../src/core/io/gzip/gunzip.ts";

const inflater = makeInflater("x.gz")!;

/** All that our engine makes of bytes, which come in pieces. */
function inflate(bytes: Uint8Array, cuts: readonly number[] = []): Uint8Array {
  inflater.restart(0);
  const texts: Uint8Array[] = [];
  const places = [0, ...cuts.filter((cut) => cut < bytes.length), bytes.length].sort((a, b) => a - b);
  for (let piece = 0; piece + 1 < places.length; piece++) {
    for (const text of inflater.add(bytes.subarray(places[piece], places[piece + 1]))) texts.push(text.slice());
  }
  inflater.finish();
  return joined(texts);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function sameBytes(ours: Uint8Array, theirs: Uint8Array, what: string): void {
  assert(ours.length === theirs.length && ours.every((byte, at) => byte === theirs[at]), what);
}

/** Texts of every kind that deflate codes differently. */
const text = fc.oneof(
  fc.uint8Array({ maxLength: 3000 }),
  fc.tuple(fc.constantFrom("ACGT", "ACGTN\n", "A", "\0\x01"), fc.nat(40_000), fc.nat()).map(
    ([letters, length, seed]) => {
      let state = seed | 1;
      return Uint8Array.from({ length }, () => {
        state = Math.imul(state, 1_664_525) + 1_013_904_223 | 0;
        return letters.charCodeAt((state >>> 16) % letters.length);
      });
    },
  ),
  fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 300 }), fc.nat(500)).map(([piece, times]) =>
    joined(Array.from({ length: times }, () => piece))
  ),
);
const options = fc.record({
  level: fc.constantFrom(0, 1, 6, 9),
  memLevel: fc.constantFrom(1, 8, 9),
  windowBits: fc.constantFrom(9, 12, 15),
  strategy: fc.constantFrom(
    constants.Z_DEFAULT_STRATEGY,
    constants.Z_FILTERED,
    constants.Z_HUFFMAN_ONLY,
    constants.Z_RLE,
    constants.Z_FIXED,
  ),
});
const members = fc.array(fc.tuple(text, options), { minLength: 1, maxLength: 3 });

Deno.test("the inflater gives what node:zlib was given, however the bytes are cut", () => {
  fc.assert(
    fc.property(members, fc.array(fc.nat(20_000), { maxLength: 6 }), fc.nat(9), (members, cuts, zeros) => {
      const bytes = joined([
        ...members.map(([text, options]) => new Uint8Array(gzipSync(text, options))),
        new Uint8Array(zeros),
      ]);
      sameBytes(inflate(bytes, cuts), joined(members.map(([text]) => text)), "another text");
    }),
    { numRuns: 150 },
  );
});

Deno.test("the inflater gives the same at every single boundary", () => {
  const letters = "ACGTNacgt\n".repeat(9) + "x".repeat(300);
  for (const strategy of [constants.Z_DEFAULT_STRATEGY, constants.Z_FIXED, constants.Z_HUFFMAN_ONLY]) {
    const bytes = new Uint8Array([...gzipSync(letters, { strategy }), ...gzipSync(letters, { level: 0 })]);
    for (let cut = 1; cut < bytes.length; cut++) {
      assertEquals(new TextDecoder().decode(inflate(bytes, [cut])), letters + letters);
    }
    const everywhere = Array.from(bytes, (_, place) => place);
    assertEquals(new TextDecoder().decode(inflate(bytes, everywhere)), letters + letters);
  }
});

/**
 * What an engine says: its text, or that it refuses; what follows zeros behind a member is no matter to `node:zlib`.
 */
function attempt(inflate: () => Uint8Array): Uint8Array | "refused" | "more" {
  try {
    return inflate();
  } catch (error) {
    if (error instanceof GzipError && error.message.includes("the data after")) return "more";
    if (error instanceof GzipError) assert(error.byte !== undefined && error.message.includes("x.gz"));
    else assert(error instanceof Error && "code" in error, String(error));
    return "refused";
  }
}

function agree(bytes: Uint8Array, cuts: readonly number[] = []): void {
  const theirs = attempt(() => new Uint8Array(gunzipSync(bytes)));
  const ours = attempt(() => inflate(bytes, cuts));
  if (ours === "more") return;
  if (ours === "refused" || theirs === "more" || theirs === "refused") return assertEquals(ours, theirs);
  sameBytes(ours, theirs, "another text");
}

Deno.test("the inflater refuses what node:zlib refuses: damaged and cut bytes", () => {
  const faults = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), { maxLength: 2 });
  fc.assert(
    fc.property(
      fc.tuple(text, options),
      faults,
      fc.option(fc.nat()),
      fc.nat(20_000),
      ([text, options], faults, cut, at) => {
        const bytes = new Uint8Array(gzipSync(text, options));
        for (const [place, change] of faults) bytes[place % bytes.length] ^= change;
        agree(cut === null ? bytes : bytes.subarray(0, cut % bytes.length), [at]);
      },
    ),
    { numRuns: 400 },
  );
});

Deno.test("the inflater refuses what node:zlib refuses: bits of any kind", () => {
  const header = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3];
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.nat(3), (bits, kind) => {
      // Most bits are no block at all: half of them begin one whose codes are described.
      bits[0] = bits[0] & ~7 | kind * 2 | 1;
      agree(Uint8Array.from([...header, ...bits]));
    }),
    { numRuns: 1000 },
  );
});

Deno.test("the inflater reads headers with all that may be in them", async (t) => {
  const deflated = [...deflateRawSync("acgt")];
  const trailer = [...new Uint8Array(Uint32Array.of(crc32("acgt"), 4).buffer)];
  const extra = [5, 0, 1, 2, 3, 4, 0];
  const name = [...new TextEncoder().encode("a.fasta"), 0];
  const headers: Record<string, number[]> = {
    "nothing": [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3],
    "extra bytes": [0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 3, ...extra],
    "no extra bytes": [0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 3, 0, 0],
    "a name": [0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3, ...name],
    "a comment": [0x1f, 0x8b, 8, 16, 0, 0, 0, 0, 0, 3, ...name],
    "all of it": [0x1f, 0x8b, 8, 29, 1, 2, 3, 4, 0, 3, ...extra, ...name, ...name],
  };
  for (const [what, header] of Object.entries(headers)) {
    for (const hasDigest of [false, true]) {
      await t.step(`${what}${hasDigest ? ", with a digest" : ""}`, () => {
        const begin = header.with(3, header[3] | (hasDigest ? 2 : 0));
        const digest = crc32(Uint8Array.from(begin)) & 0xffff;
        const whole = Uint8Array.from([
          ...begin,
          ...hasDigest ? [digest & 255, digest >> 8] : [],
          ...deflated,
          ...trailer,
        ]);
        for (let cut = 1; cut < whole.length; cut++) {
          assertEquals(new TextDecoder().decode(inflate(whole, [cut])), "acgt");
          assertThrows(() => inflate(whole.subarray(0, cut)), GzipError, `it ends after ${cut} bytes`);
        }
        if (!hasDigest) return;
        assertThrows(() => inflate(whole.with(begin.length, digest & 255 ^ 1)), GzipError, "header crc mismatch");
      });
    }
  }
});

Deno.test("the inflater reads a member behind zeros, and refuses anything else there", () => {
  const [one, two] = ["ac", "gt"].map((text) => new Uint8Array(gzipSync(text)));
  assertEquals(new TextDecoder().decode(inflate(joined([one, new Uint8Array(5), two, new Uint8Array(9)]))), "acgt");
  assertThrows(() => inflate(joined([one, new Uint8Array(5), bytesOf("x")])), GzipError, "the data after");
});

Deno.test("the inflater names the offset of a fault", async (t) => {
  const member = new Uint8Array(gzipSync("acgt".repeat(1000)));
  const faults: Record<string, [bytes: Uint8Array, byte: number, says: string]> = {
    "digest": [
      member.with(member.length - 8, member[member.length - 8] ^ 1),
      member.length - 8,
      "incorrect data check",
    ],
    "length": [member.with(member.length - 1, 9), member.length - 8, "incorrect length check"],
    "a second member's method": [
      joined([member, member.with(2, 7)]),
      member.length,
      "the data after a gzip member is not gzip",
    ],
    "garbage": [joined([member, bytesOf("x")]), member.length, "the data after a gzip member is not gzip"],
    "unknown flags": [member.with(3, 0x20), 0, "unknown header flags"],
    "text": [bytesOf("acgt"), 0, "incorrect gzip header"],
    "block": [member.with(10, 7), 10, "invalid block type"],
  };
  for (const [name, [bytes, byte, says]] of Object.entries(faults)) {
    await t.step(name, () => {
      const error = assertThrows(() => inflate(bytes), GzipError, says);
      assert(Math.abs(error.byte! - byte) <= 1, `${error.byte} is not ${byte}`);
    });
  }
});

Deno.test("the inflater reaches back as far as deflate does, and no further than the member's beginning", () => {
  const random = new Uint8Array(32_768).map((_, at) => Math.imul(at, 2_654_435_761) >>> 13);
  const far = joined([random, new Uint8Array(300), random, random.subarray(0, 32_000), random]);
  sameBytes(inflate(new Uint8Array(gzipSync(far, { level: 9 })), [9, 5000, 30_000]), far, "another text");
  const giant = joined(Array.from({ length: 60 }, () => far));
  sameBytes(inflate(new Uint8Array(gzipSync(giant))), giant, "another text");
  // A length of 3 and a distance of 1, as the first symbol of a second member: before it is another member's text.
  const first = new Uint8Array(gzipSync("acgt"));
  const second = Uint8Array.from([
    0x1f,
    0x8b,
    8,
    0,
    0,
    0,
    0,
    0,
    0,
    3,
    0b0000_0011,
    0b0000_0010,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
  ]);
  agree(joined([first, second]));
  assertThrows(() => inflate(joined([first, second])), GzipError, "too far back");
});

/** Letters that look random, the same in each run; with a line end now and then. */
function lettersOf(letters: string, length: number): Uint8Array {
  let state = 7;
  return Uint8Array.from({ length }, (_, at) => {
    state = Math.imul(state, 1_664_525) + 1_013_904_223 | 0;
    return at % 71 === 70 ? 10 : letters.charCodeAt((state >>> 16) % letters.length);
  });
}

Deno.test("the inflater gives genomes that were compressed quickly or well, long enough for all that is joined", () => {
  for (const letters of ["ACGT", "AAAAAACGT", "ACDEFGHIKLMNPQRSTVWY"]) {
    const long = lettersOf(letters, 120_000);
    for (const level of [1, 6]) {
      for (const strategy of [constants.Z_DEFAULT_STRATEGY, constants.Z_HUFFMAN_ONLY]) {
        const bytes = new Uint8Array(gzipSync(long, { level, strategy }));
        sameBytes(inflate(bytes), long, `${letters} at level ${level}`);
        sameBytes(inflate(bytes, [7777, 50_000]), long, `${letters} at level ${level}, in pieces`);
      }
    }
  }
});

/** Deflates a text behind another, and gives what stands for it alone. */
async function deflateBehind(before: Uint8Array, text: Uint8Array, level: number): Promise<Uint8Array> {
  const deflating = createDeflateRaw({ level });
  const parts: Uint8Array[] = [];
  deflating.on("data", (part: Uint8Array) => parts.push(part));
  deflating.write(before);
  await new Promise<void>((resolve) => deflating.flush(constants.Z_SYNC_FLUSH, resolve));
  const begin = joined(parts).length;
  const ended = new Promise((resolve) => deflating.on("end", resolve));
  deflating.end(text);
  await ended;
  return joined(parts).subarray(begin);
}

Deno.test("the inflater refuses distances that reach before a member, among many that do not", async () => {
  const before = lettersOf("ACGT", 20_000);
  const first = new Uint8Array(gzipSync(before));
  const similar = before.map((letter, at) => at % 9 === 8 ? 78 : letter);
  for (const level of [1, 6]) {
    const deflated = await deflateBehind(before, similar, level);
    const trailer = new Uint8Array(Uint32Array.of(crc32(similar), similar.length).buffer);
    const second = joined([Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3), deflated, trailer]);
    agree(joined([first, second]));
    assertThrows(() => inflate(joined([first, second])), GzipError, "too far back");
  }
});
