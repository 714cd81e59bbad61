/** Zstandard data in every legal form, and in every kind of damage. */
import { constants, zstdCompressSync } from "node:zlib";
import { concat } from "./_damaged_gzip.ts";

/** One frame with a content checksum, as the program `zstd` writes it. */
export function zstdFrame(content: string | Uint8Array, { digest = true } = {}): Uint8Array<ArrayBuffer> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return new Uint8Array(zstdCompressSync(bytes, { params: { [constants.ZSTD_c_checksumFlag]: digest ? 1 : 0 } }));
}

/** A frame whose content a reader passes over. */
export function skippableFrame(content: Uint8Array, kind = 0): Uint8Array<ArrayBuffer> {
  const head = new DataView(new ArrayBuffer(8));
  head.setUint32(0, 0x184d2a50 + kind, true);
  head.setUint32(4, content.length, true);
  return concat(new Uint8Array(head.buffer), content);
}

/** A frame of so many blocks of 128 KiB, each of which repeats one byte: four bytes a block. */
export function repeatingFrame(blocks: number, byte: number): Uint8Array<ArrayBuffer> {
  const header = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58];
  const block = (bytes: number, isLast: boolean) => {
    const number = bytes << 3 | 1 << 1 | Number(isLast);
    return [number & 255, number >> 8 & 255, number >> 16, byte];
  };
  return Uint8Array.from([
    ...header,
    ...Array.from({ length: blocks }, (_, at) => block(1 << 17, at === blocks - 1)).flat(),
  ]);
}

/** A frame that needs a window of 1 GiB. */
export function wideFrame(): Uint8Array<ArrayBuffer> {
  const bytes = repeatingFrame(1, 65);
  bytes[5] = 20 << 3;
  return bytes;
}

/** Every kind of damage to the frame of a text of some hundred letters. */
export function damagedZstd(text: string): Readonly<Record<string, readonly [bytes: Uint8Array, says: string]>> {
  const whole = zstdFrame(text);
  const other = zstdFrame("another");
  const at = (place: number, byte: number) => whole.map((old, index) => index === place ? byte : old);
  return {
    "the magic number alone": [whole.slice(0, 4), "it ends after 4 bytes, in the middle of a Zstandard frame"],
    "half a header": [whole.slice(0, 5), "it ends after 5 bytes"],
    "cut in a block": [whole.slice(0, -8), "it ends after"],
    "no checksum": [whole.slice(0, -4), "it ends after"],
    "half a checksum": [whole.slice(0, -1), "it ends after"],
    "a second frame cut": [concat(whole, other.slice(0, -1)), "it ends after"],
    "a second frame of three bytes": [concat(whole, other.slice(0, 3)), "it ends after"],
    "a skippable frame cut in its length": [concat(whole, skippableFrame(new Uint8Array(9)).slice(0, 6)), "ends after"],
    "a skippable frame cut in its content": [
      concat(whole, skippableFrame(new Uint8Array(9)).slice(0, 12)),
      "ends after",
    ],
    "garbage after a frame": [concat(whole, new TextEncoder().encode("garbage")), "the data after a frame is not"],
    "zeros after a frame": [concat(whole, new Uint8Array(8)), "the data after a frame is not Zstandard"],
    "gzip after a frame": [concat(whole, Uint8Array.of(0x1f, 0x8b, 8, 0)), "the data after a frame is not Zstandard"],
    "a wrong checksum": [at(whole.length - 1, whole[whole.length - 1] ^ 0x55), "damaged or not Zstandard"],
    "a wrong checksum of a first frame": [
      concat(at(whole.length - 1, whole[whole.length - 1] ^ 0x55), other),
      "damaged or not Zstandard",
    ],
    "a reserved flag": [at(4, whole[4] | 8), "damaged or not Zstandard"],
    "a block of a reserved type": [
      concat(whole.slice(0, 4), Uint8Array.of(0, 0x58, 0b111, 0, 0)),
      "a block of a reserved type",
    ],
    "a dictionary": [
      concat(whole.slice(0, 4), Uint8Array.of(1, 0x58, 7, 0b001, 0, 0)),
      "damaged or not Zstandard, dictionary mismatch",
    ],
    "a window of 1 GiB": [wideFrame(), "a window of more than 128 MiB"],
  };
}
