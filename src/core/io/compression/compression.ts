/**
 * The kinds of compression that the toolkit reads: how each is recognised, by its first bytes and never by a name, and
 * how it is undone. A further kind is one file that decompresses, and one row here.
 */

/** How bytes are compressed. */
export type CompressionName = "BGZF" | "gzip" | "Zstandard";

export interface Codec {
  readonly name: CompressionName;
  /**
   * Decompresses chunks, each of which is used up before the next is asked for; so are those that it gives. The code
   * is loaded on demand: it takes longer to load than a small file takes to read.
   *
   * @throws {ParseError} If the bytes are damaged or cut short.
   */
  decompress(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array>;
}

/** A byte: its value, the first and last of a range of values, or any. */
type BytePattern = number | readonly [from: number, to: number] | "any";

interface CompressionRow extends Codec {
  readonly begins: readonly (readonly BytePattern[])[];
  /** What names of files end with, as people name them. */
  readonly ending: string;
  /** Names as a content coding of HTTP. */
  readonly codings: readonly string[];
}

const any4 = ["any", "any", "any", "any"] as const;

/** The first row that fits is the kind. */
const COMPRESSIONS: readonly CompressionRow[] = [
  {
    name: "BGZF",
    // Gzip whose one extra field is the size of the block.
    begins: [[0x1f, 0x8b, 0x08, 0x04, ...any4, "any", "any", 0x06, 0x00, 0x42, 0x43, 0x02, 0x00]],
    ending: ".gz",
    codings: [],
    decompress: gunzipped,
  },
  { name: "gzip", begins: [[0x1f, 0x8b]], ending: ".gz", codings: ["gzip", "x-gzip"], decompress: gunzipped },
  {
    name: "Zstandard",
    // A frame, or a skippable one before it, such as pzstd writes.
    begins: [[0x28, 0xb5, 0x2f, 0xfd], [[0x50, 0x5f], 0x2a, 0x4d, 0x18]],
    ending: ".zst",
    codings: ["zstd"],
    async *decompress(chunks, name) {
      const { unzstd } = await import("../zstd/unzstd.ts");
      yield* unzstd(chunks, name);
    },
  },
];

async function* gunzipped(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const { gunzip } = await import("../gzip/gunzip.ts");
  yield* gunzip(chunks, name);
}

/** Bytes by which every kind of compression is recognised. */
export const COMPRESSION_BYTES = Math.max(...COMPRESSIONS.flatMap(({ begins }) => begins.map(({ length }) => length)));

/** Endings of the names of compressed files, with the dot. */
export const COMPRESSION_ENDINGS: readonly string[] = [...new Set(COMPRESSIONS.map(({ ending }) => ending))];

/**
 * Recognises compressed bytes.
 *
 * @param head The first bytes: {@linkcode COMPRESSION_BYTES}, or all there are.
 * @returns The kind of compression; `undefined` for other bytes.
 */
export function compressionOf(head: Uint8Array): Codec | undefined {
  return COMPRESSIONS.find(({ begins }) =>
    begins.some((pattern) => head.length >= pattern.length && fits(head, pattern))
  );
}

/** Whether more bytes than these are needed to recognise their compression. */
export function isUndecided(head: Uint8Array): boolean {
  return COMPRESSIONS.some(({ begins }) =>
    begins.some((pattern) => head.length < pattern.length && fits(head, pattern))
  );
}

/** Whether bytes fit a pattern as far as there are any. */
function fits(head: Uint8Array, pattern: readonly BytePattern[]): boolean {
  return pattern.every((wanted, at) => {
    if (wanted === "any" || at >= head.length) return true;
    return typeof wanted === "number" ? head[at] === wanted : head[at] >= wanted[0] && head[at] <= wanted[1];
  });
}

/** Finds the compression that HTTP calls by a content coding, in lower case; `undefined` for another. */
export function compressionOfCoding(coding: string): Codec | undefined {
  return COMPRESSIONS.find(({ codings }) => codings.includes(coding));
}
