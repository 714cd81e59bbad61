/** Damaged gzip, one row a kind: the bytes, and words of the error. */
import { crc32, deflateRawSync, gzipSync } from "node:zlib";

export function concat(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(parts.flatMap((part) => [...part]));
}

/** One member with these flags, fields after the header, and deflate data of any kind. */
function member(text: string, { flags = 0, fields = [] as number[], data = deflated(text), method = 8 } = {}) {
  const bytes = new TextEncoder().encode(text);
  const trailer = new DataView(new ArrayBuffer(8));
  trailer.setUint32(0, crc32(bytes), true);
  trailer.setUint32(4, bytes.length, true);
  const header = [0x1f, 0x8b, method, flags, 0, 0, 0, 0, 0, 3, ...fields];
  return concat(Uint8Array.from(header), data, new Uint8Array(trailer.buffer));
}

function deflated(text: string): Uint8Array {
  return new Uint8Array(deflateRawSync(text));
}

/** Every kind of damage to the gzip form of a text of some hundred letters. */
export function damagedGzip(text: string): Readonly<Record<string, readonly [bytes: Uint8Array, says: string]>> {
  const whole = new Uint8Array(gzipSync(text));
  const flip = (at: number) => whole.map((byte, index) => index === at ? byte ^ 0x55 : byte);
  const garbage = new TextEncoder().encode("garbage");
  return {
    "the header alone": [whole.slice(0, 10), "it ends after"],
    "half a header": [whole.slice(0, 5), "it ends after"],
    "cut in the middle": [whole.slice(0, -12), "it ends after"],
    "cut in the trailer": [whole.slice(0, -1), "it ends after"],
    "a second member cut": [concat(whole, whole.slice(0, -12)), "it ends after"],
    "a wrong checksum": [flip(whole.length - 6), "damaged"],
    "a wrong length": [flip(whole.length - 2), "damaged"],
    "a wrong checksum of a second member": [concat(whole, flip(whole.length - 6)), "damaged"],
    "another method": [member(text, { method: 7 }), "damaged"],
    "flags that nobody defined": [member(text, { flags: 0x20 }), "damaged"],
    "a wrong checksum of the header": [member(text, { flags: 2, fields: [0xde, 0xad] }), "damaged"],
    "a block of no type": [member(text, { data: Uint8Array.of(0b111) }), "damaged"],
    "a stored block whose length contradicts itself": [
      member(text, { data: Uint8Array.of(1, 5, 0, 5, 0, 1, 2, 3, 4, 5) }),
      "damaged",
    ],
    "a distance before the begin": [member(text, { data: Uint8Array.of(0b01100011, 0, 2, 0) }), "damaged"],
    "codes that cannot be": [member(text, { data: new Uint8Array(20).fill(0xfd) }), "damaged"],
    "garbage behind": [concat(whole, garbage), "damaged"],
    "garbage behind zeros": [concat(whole, new Uint8Array(40), garbage), "damaged"],
  };
}
