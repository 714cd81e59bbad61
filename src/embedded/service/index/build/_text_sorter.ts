/** Orders any number of texts in bounded memory: runs are sorted, written, and merged. */
import { compareBytes } from "../format/bytes.ts";
import { FileReader } from "../../files/file_reader.ts";
import { FileWriter } from "../../files/file_writer.ts";
import { RunReader } from "./_run_reader.ts";
import { sortTexts } from "./_sort_texts.ts";
import type { Turns } from "../../schedule/turns.ts";

/** Bytes that all runs together are read ahead in, and the least for each. */
const MERGE_BYTES = 32 << 20;
const LEAST_READ_BYTES = 1 << 12;
const GIVEN = 4096;

/** Takes texts in the order of their rows. */
export class TextSorter {
  /** Whether all texts came in order so far. */
  sorted = true;
  count = 0;
  readonly #path: string;
  readonly #file: FileWriter;
  readonly #runBytes: number;
  #bytes: Uint8Array;
  #starts = new Uint32Array(1 << 12);
  #rows = new Uint32Array(1 << 12);
  #texts = 0;
  #runSorted = true;
  #last: Uint8Array | undefined;
  readonly #runs: [from: number, to: number][] = [];

  /** Sorts so many bytes at once. */
  constructor(path: string, runBytes: number) {
    this.#path = path;
    this.#file = new FileWriter(path);
    this.#runBytes = runBytes;
    this.#bytes = new Uint8Array(runBytes);
  }

  /** Adds a text of a row, later than all before. */
  add(bytes: Uint8Array, from: number, to: number, row: number): void {
    let end = this.#starts[this.#texts];
    if (this.#texts > 0 && end + to - from > this.#runBytes) {
      this.#endRun();
      end = 0;
    }
    if (to - from > this.#bytes.length) this.#bytes = new Uint8Array(to - from);
    const buffer = this.#bytes;
    for (let at = from; at < to; at++) buffer[end++] = bytes[at];
    if (this.#texts + 2 > this.#starts.length) this.#grow();
    this.#rows[this.#texts++] = row;
    this.#starts[this.#texts] = end;
    this.count++;
    if (this.#runSorted && this.#texts > 1) {
      const [before, start] = [this.#starts[this.#texts - 2], this.#starts[this.#texts - 1]];
      this.#runSorted = compareBytes(buffer, before, start, buffer, start, end) <= 0;
    }
  }

  /** Yields rows, and their texts one after the other with their starts, in order; each is valid until the next. */
  async *inOrder(turns: Turns): AsyncGenerator<{ rows: Uint32Array; bytes: Uint8Array; starts: Uint32Array }> {
    if (this.#texts > 0) this.#endRun();
    this.#file.close();
    using reader = new FileReader(this.#path);
    const each = Math.max(LEAST_READ_BYTES, Math.floor(MERGE_BYTES / Math.max(1, this.#runs.length)));
    const heap: RunReader[] = [];
    for (const [from, to] of this.#runs) {
      const run = new RunReader(reader, from, to, each);
      if (run.next()) heap.push(run);
    }
    for (let at = heap.length >>> 1; at-- > 0;) sink(heap, at);
    const rows = new Uint32Array(GIVEN);
    const starts = new Uint32Array(GIVEN + 1);
    let bytes = new Uint8Array(1 << 16);
    let count = 0;
    let used = 0;
    while (heap.length > 0) {
      const run = heap[0];
      if (used + run.length > bytes.length) {
        const grown = new Uint8Array((used + run.length) * 2);
        grown.set(bytes.subarray(0, used));
        bytes = grown;
      }
      for (let at = run.start, end = at + run.length; at < end; at++) bytes[used++] = run.buffer[at];
      rows[count++] = run.row;
      starts[count] = used;
      if (!run.next()) {
        const last = heap.pop()!;
        if (heap.length > 0) heap[0] = last;
      }
      if (heap.length > 1) sink(heap, 0);
      if (count < GIVEN && heap.length > 0 && used < 1 << 20) continue;
      yield { rows: rows.subarray(0, count), bytes, starts };
      count = 0;
      used = 0;
      if (turns.over) await turns.next();
    }
  }

  #endRun(): void {
    const texts = { bytes: this.#bytes, starts: this.#starts, count: this.#texts };
    const order = this.#runSorted ? undefined : sortTexts(texts);
    const end = this.#starts[this.#texts];
    this.sorted &&= this.#runSorted &&
      (this.#last === undefined ||
        compareBytes(this.#last, 0, this.#last.length, this.#bytes, 0, this.#starts[1]) <= 0);
    if (this.sorted) this.#last = this.#bytes.slice(this.#starts[this.#texts - 1], end);
    const from = this.#file.position;
    const header = new Uint32Array(2);
    const headerBytes = new Uint8Array(header.buffer);
    let staged = new Uint8Array(1 << 16);
    let used = 0;
    for (let at = 0; at < this.#texts; at++) {
      const text = order === undefined ? at : order[at];
      const [start, stop] = [this.#starts[text], this.#starts[text + 1]];
      if (used + 8 + stop - start > staged.length) {
        this.#file.append(staged.subarray(0, used));
        used = 0;
        if (8 + stop - start > staged.length) staged = new Uint8Array(8 + stop - start);
      }
      header[0] = stop - start;
      header[1] = this.#rows[text];
      for (let byte = 0; byte < 8; byte++) staged[used++] = headerBytes[byte];
      for (let byte = start; byte < stop; byte++) staged[used++] = this.#bytes[byte];
    }
    this.#file.append(staged.subarray(0, used));
    this.#runs.push([from, this.#file.position]);
    this.#texts = 0;
    this.#runSorted = true;
  }

  #grow(): void {
    const starts = new Uint32Array(this.#starts.length * 2);
    starts.set(this.#starts);
    this.#starts = starts;
    const rows = new Uint32Array(starts.length);
    rows.set(this.#rows);
    this.#rows = rows;
  }
}

function sink(heap: RunReader[], at: number): void {
  const run = heap[at];
  for (;;) {
    let child = at * 2 + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && comesBefore(heap[child + 1], heap[child])) child++;
    if (!comesBefore(heap[child], run)) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = run;
}

function comesBefore(a: RunReader, b: RunReader): boolean {
  return (compareBytes(a.buffer, a.start, a.start + a.length, b.buffer, b.start, b.start + b.length) ||
    a.row - b.row) < 0;
}
