/** Builds the text of a `.fai`; lines are appended and never parsed again. */
import { GrowingBytes } from "../text/growing.ts";
import { IdTable } from "../text/id_table.ts";
import type { FastaIndexEntry, SequenceExtent } from "./fasta_index_entry.ts";
import { extentIn, writeNumber } from "./_index_table.ts";
import { LF, TAB } from "../text/bases.ts";

/** Bytes of a line besides its id: four numbers of up to fifteen digits, four tabs and a line feed. */
const NUMBER_BYTES = 65;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Where sequences lie, in the order of the file, as samtools writes it. */
export class IndexText {
  size = 0;
  readonly #text = new GrowingBytes(1 << 16);
  /** Bytes of each id, which need not be looked for then. */
  #idLengths = new Uint32Array(1 << 12);

  /** Adds lines that a module has written, and the length of the id of each. */
  append(lines: Uint8Array, idLengths: Uint32Array): void {
    this.#reserve(idLengths.length);
    this.#idLengths.set(idLengths, this.size);
    this.size += idLengths.length;
    this.#text.append(lines);
  }

  add(id: Uint8Array, { length, offset, lineLetters: lineBases, lineBytes }: SequenceExtent): void {
    this.#reserve(1);
    this.#idLengths[this.size] = id.length;
    this.size += 1;
    const text = this.#text;
    text.append(id);
    text.reserve(NUMBER_BYTES);
    let at = text.length;
    for (const number of [length, offset, lineBases, lineBytes]) {
      text.bytes[at] = TAB;
      at = writeNumber(number, text.bytes, at + 1);
    }
    text.bytes[at] = LF;
    text.length = at + 1;
  }

  /** Removes each sequence whose id came before, and yields these ids; read to the end, the table is whole again. */
  *removeRepeated(): Generator<Uint8Array> {
    const ids = new IdTable();
    const { bytes } = this.#text;
    let kept = 0;
    let keptBytes = 0;
    for (const { row, start, tab, end } of this.#lines()) {
      if (!ids.add(bytes, start, tab)) {
        yield bytes.slice(start, tab);
        continue;
      }
      bytes.copyWithin(keptBytes, start, end);
      keptBytes += end - start;
      this.#idLengths[kept] = this.#idLengths[row];
      kept += 1;
    }
    this.#text.length = keptBytes;
    this.size = kept;
  }

  entries(): FastaIndexEntry[] {
    const { bytes } = this.#text;
    return Array.from(this.#lines(), ({ start, tab }) => ({
      id: decoder.decode(bytes.subarray(start, tab)),
      ...extentIn(bytes, tab + 1),
    }));
  }

  format(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#text.view());
  }

  *#lines(): Generator<{ readonly row: number; readonly start: number; readonly tab: number; readonly end: number }> {
    const { bytes } = this.#text;
    const { size } = this;
    for (let row = 0, start = 0; row < size; row++) {
      const tab = start + this.#idLengths[row];
      const end = bytes.indexOf(LF, tab) + 1;
      yield { row, start, tab, end };
      start = end;
    }
  }

  #reserve(count: number): void {
    if (this.size + count <= this.#idLengths.length) return;
    const larger = new Uint32Array(Math.max(this.size + count, this.#idLengths.length * 2));
    larger.set(this.#idLengths.subarray(0, this.size));
    this.#idLengths = larger;
  }
}
