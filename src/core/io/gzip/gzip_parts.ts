/** Text compressed part by part, in any thread, to one member of gzip. */
import { constants, crc32, deflateRawSync } from "node:zlib";

/** A part of a text, compressed without the parts before it. */
export interface DeflatedPart {
  readonly text: Uint8Array<ArrayBuffer>;
  /** Blocks of deflate, none of which is the last one, up to the end of a byte. */
  readonly deflated: Uint8Array<ArrayBuffer>;
}

/** As `gzip -n` begins: deflate, no name, no time, no system. */
const HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);
/** The last block of deflate: an empty one. */
const LAST_BLOCK = [3, 0];

/**
 * Compresses a part of a text whose letters repeat in no order, such as digits of hashes: by the frequencies of its
 * letters alone. Looking for repetitions would take most of the time, and gain little.
 */
export function deflatePart(text: Uint8Array): DeflatedPart {
  const options = { level: 1, strategy: constants.Z_HUFFMAN_ONLY, finishFlush: constants.Z_SYNC_FLUSH };
  return { text: Uint8Array.from(text), deflated: Uint8Array.from(deflateRawSync(text, options)) };
}

/** Yields one member of gzip that holds all parts. */
export async function* gzipParts(parts: AsyncIterable<DeflatedPart>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let sum = 0;
  let size = 0;
  yield HEADER;
  for await (const { text, deflated } of parts) {
    sum = crc32(text, sum);
    size += text.length;
    yield deflated;
  }
  const end = new Uint8Array(LAST_BLOCK.length + 8);
  end.set(LAST_BLOCK);
  const view = new DataView(end.buffer, LAST_BLOCK.length);
  view.setUint32(0, sum, true);
  view.setUint32(4, size % 2 ** 32, true);
  yield end;
}
