/** The texts of a dictionary page, each after its length in four bytes: they are many, and few are looked at. */
import { Buffer } from "node:buffer";

/** Texts by their place, from 0. */
export class TextDictionary {
  readonly #page: Buffer;
  /** Number of texts. */
  readonly size: number;

  /** Takes the bytes of a page. */
  constructor(page: Uint8Array, size: number) {
    this.#page = Buffer.from(page.buffer, page.byteOffset, page.byteLength);
    this.size = size;
  }

  /** All texts. */
  texts(): string[] {
    return [...this.#spans(Infinity)].map(({ text }) => text);
  }

  /** Places of those of some texts that are there. */
  find(texts: ReadonlySet<string>): number[] {
    const longest = Math.max(0, ...[...texts].map((text) => Buffer.byteLength(text)));
    return [...this.#spans(longest)].filter(({ text }) => texts.has(text)).map(({ place }) => place);
  }

  /** The texts of at most so many bytes. Throws RangeError where the page is cut off. */
  *#spans(longest: number): Generator<{ readonly place: number; readonly text: string }> {
    for (let [place, at] = [0, 0]; place < this.size; place++) {
      const length = this.#page.readUInt32LE(at);
      const start = at + 4;
      at = start + length;
      if (at > this.#page.length) throw new RangeError("a dictionary that is cut off");
      if (length <= longest) yield { place, text: this.#page.toString("utf8", start, at) };
    }
  }
}
