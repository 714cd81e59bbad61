/** The values of a dictionary page: they are many, and few are looked at one by one. */
import { Buffer } from "node:buffer";
import type { FoundText, TextTest } from "./text_kinds.ts";

/** Values by their dictionary index. */
export class PageDictionary {
  /** Number of values. */
  readonly size: number;
  readonly #page: Buffer;
  readonly #view: DataView;
  /** Bytes of a value; 0 for texts, each of which stands after its length in four bytes. */
  readonly #width: number;

  /** Takes the bytes of a page. Throws RangeError if it is too short for so many values. */
  constructor(page: Uint8Array, { size, width }: { readonly size: number; readonly width: number }) {
    this.size = size;
    this.#page = Buffer.from(page.buffer, page.byteOffset, page.byteLength);
    this.#view = new DataView(page.buffer, page.byteOffset, page.byteLength);
    this.#width = width;
    let end = size * width;
    for (let index = 0; width === 0 && index < size; index++) end += LENGTH_BYTES + this.#view.getUint32(end, true);
    if (end > page.length) throw new RangeError("a dictionary that is cut off");
  }

  /** All texts; none of a dictionary of numbers. */
  texts(): string[] {
    const texts: string[] = [];
    this.#eachText((_, start, end) => texts.push(this.#page.toString("utf8", start, end)));
    return texts;
  }

  /** The texts that are looked for, each with its index and its kind. */
  find(test: TextTest): FoundText[] {
    const found: FoundText[] = [];
    this.#eachText((index, start, end) => {
      const length = end - start;
      if (length > 0 && !test.mayBe(this.#page[start], this.#page[end - 1], length)) return;
      const text = this.#page.toString("utf8", start, end);
      const kind = test.kindOf(text);
      if (kind !== 0) found.push({ index, kind, text });
    });
    return found;
  }

  /** Adds every value to a set that holds values of one column, in a form that is another for other bytes. */
  addTo(values: Set<string | number>): void {
    if (this.#width === 0) {
      this.#eachText((_, start, end) => values.add(this.#page.toString("latin1", start, end)));
      return;
    }
    for (let index = 0; index < this.size; index++) {
      const at = index * this.#width;
      values.add(this.#numberAt(at) ?? this.#page.toString("latin1", at, at + this.#width));
    }
  }

  #eachText(see: (index: number, start: number, end: number) => void): void {
    if (this.#width !== 0) return;
    for (let [index, at] = [0, 0]; index < this.size; index++) {
      const start = at + LENGTH_BYTES;
      see(index, start, at = start + this.#view.getUint32(at, true));
    }
  }

  /** A number that is another for other bytes; `undefined` for one that would be too large. */
  #numberAt(at: number): number | undefined {
    if (this.#width === 1) return this.#view.getUint8(at);
    const low = this.#view.getUint32(at, true);
    if (this.#width === 4) return low;
    const high = this.#view.getInt32(at + 4, true);
    return Math.abs(high) < SAFE_HIGH ? high * 2 ** 32 + low : undefined;
  }
}

const LENGTH_BYTES = 4;
/** Numbers whose upper half is below it are safe. */
const SAFE_HIGH = 2 ** 20;
