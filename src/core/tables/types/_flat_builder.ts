/**
 * Writes FlatBuffers from the end, as the format wants it: what is referred to comes before what refers to it.
 *
 * Own code, since no schema is compiled: an Arrow file (`arrow_file.ts`) needs a few tables.
 */

/**
 * One field of a table: its slot, how it is stored, its value. A `ref` is what the builder gave for an earlier object.
 */
export type FlatField = readonly [slot: number, kind: "u8" | "i16" | "i32" | "i64" | "ref", value: number];

const SIZES = { u8: 1, i16: 2, i32: 4, i64: 8, ref: 4 } as const;

export class FlatBuilder {
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  #at = this.#bytes.length;

  /** Bytes written, which is also the reference to what was written last. */
  get #written(): number {
    return this.#bytes.length - this.#at;
  }

  string(text: string): number {
    const bytes = new TextEncoder().encode(text);
    this.#align(4, bytes.length + 1);
    this.#reserve(bytes.length + 1);
    this.#bytes.set(bytes, this.#at);
    this.#put("i32", bytes.length);
    return this.#written;
  }

  /** Writes a vector of references. */
  refs(refs: readonly number[]): number {
    this.#align(4, 4 * refs.length);
    for (const ref of refs.toReversed()) this.#put("ref", ref);
    this.#put("i32", refs.length);
    return this.#written;
  }

  /** Writes a vector of structs, each of as many 64-bit integers as `stride` says. */
  structs(values: readonly number[], stride: number): number {
    this.#align(4, 8 * values.length);
    this.#align(8, 8 * values.length);
    for (const value of values.toReversed()) this.#put("i64", value);
    this.#put("i32", values.length / stride);
    return this.#written;
  }

  table(fields: readonly FlatField[]): number {
    const end = this.#written;
    const offsets = new Map<number, number>();
    for (const [slot, kind, value] of fields) {
      this.#put(kind, value);
      offsets.set(slot, this.#written);
    }
    this.#put("i32", 0);
    const start = this.#written;
    const slots = fields.length === 0 ? 0 : Math.max(...offsets.keys()) + 1;
    for (let slot = slots - 1; slot >= 0; slot--) {
      const offset = offsets.get(slot);
      this.#put("i16", offset === undefined ? 0 : start - offset);
    }
    this.#put("i16", start - end);
    this.#put("i16", 4 + 2 * slots);
    this.#view.setInt32(this.#bytes.length - start, this.#written - start, true);
    return start;
  }

  /** Ends with the root's reference; the length is a multiple of 8. */
  finish(root: number): Uint8Array {
    this.#align(8, 4);
    this.#put("ref", root);
    return this.#bytes.slice(this.#at);
  }

  #put(kind: FlatField[1], value: number): void {
    const size = SIZES[kind];
    this.#align(size, 0);
    const offset = this.#written;
    this.#reserve(size);
    if (kind === "u8") this.#view.setUint8(this.#at, value);
    else if (kind === "i16") this.#view.setInt16(this.#at, value, true);
    else if (kind === "i64") this.#view.setBigInt64(this.#at, BigInt(value), true);
    else this.#view.setInt32(this.#at, kind === "ref" ? offset + size - value : value, true);
  }

  /** Pads so that after `extra` more bytes the offset is a multiple of `size`. */
  #align(size: number, extra: number): void {
    this.#reserve(-(this.#written + extra) & (size - 1));
  }

  #reserve(bytes: number): void {
    while (this.#at < bytes) {
      const larger = new Uint8Array(this.#bytes.length * 2);
      larger.set(this.#bytes, this.#bytes.length);
      this.#at += this.#bytes.length;
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    this.#at -= bytes;
  }
}
