/** Files of BGZF, made block by block. */
import { crc32, deflateRawSync } from "node:zlib";
import { bytesOf } from "./_naive.ts";

/** A block of BGZF, as bgzip writes it. */
export function block(text: Uint8Array): Uint8Array {
  const deflated = deflateRawSync(text);
  const whole = new Uint8Array(18 + deflated.length + 8);
  whole.set([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 6, 0, 0x42, 0x43, 2, 0]);
  whole.set(deflated, 18);
  const view = new DataView(whole.buffer);
  view.setUint16(16, whole.length - 1, true);
  view.setUint32(whole.length - 8, crc32(text), true);
  view.setUint32(whole.length - 4, text.length, true);
  return whole;
}

/** Blocks of a text that is cut at places, empty ones where a place comes twice. */
export function blocks(text: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)), text.length].sort((a, b) => a - b);
  return places.slice(1).map((end, index) => block(text.subarray(places[index], end)));
}

/** Writes a text in blocks of about so many bytes each; says how long the file is. */
export async function writeBlocks(path: string, text: string | Uint8Array, blockBytes: number): Promise<number> {
  const bytes = typeof text === "string" ? bytesOf(text) : text;
  const count = Math.floor(bytes.length / blockBytes);
  const cuts = Array.from({ length: count }, (_, index) => index * blockBytes + index % 7);
  const whole = joined([...blocks(bytes, cuts), block(new Uint8Array(0))]);
  await Deno.writeFile(path, whole);
  return whole.length;
}

/** Puts parts end to end. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts) whole.set(part, (end += part.length) - part.length);
  return whole;
}
