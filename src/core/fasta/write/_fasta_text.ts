/** Builds FASTA text: headers and wrapped bases, in chunks whose memory is reused. */
import { LF } from "../text/bases.ts";
import { makeLineRoutines } from "../scan/line_routines.ts";

/** Bytes of a chunk, about: few writes, and the processor's cache holds it. */
const CHUNK_BYTES = 1 << 20;
/** Bases that are wrapped at a time. */
const PIECE_BYTES = 1 << 16;
/** Lines of one base that begin with `>` are the worst: a space, the base, a line end. */
const WORST_GROWTH = 3;
/** No line is as long as this: bases are not wrapped. */
const ENDLESS = 0xffff_ffff;

/** Makes chunks. Each is valid until the next is asked for. */
export class FastaText {
  readonly #wrap: number;
  readonly #routines = makeLineRoutines(PIECE_BYTES, CHUNK_BYTES + WORST_GROWTH * PIECE_BYTES + 64);
  readonly #encoder = new TextEncoder();
  #length = 0;

  /** Takes the length of lines; 0 for one line a sequence. */
  constructor(wrap = 70) {
    this.#wrap = wrap === 0 ? ENDLESS : wrap;
  }

  *addLine(line: string): Generator<Uint8Array> {
    const { output } = this.#routines;
    if (line.length * 3 + 1 > output.length - CHUNK_BYTES) {
      yield* this.rest();
      yield this.#encoder.encode(line + "\n");
      return;
    }
    this.#length += this.#encoder.encodeInto(line, output.subarray(this.#length)).written;
    output[this.#length++] = LF;
    if (this.#length >= CHUNK_BYTES) yield* this.rest();
  }

  /** Adds bases, none of which is white space, in lines. */
  *addBases(bases: Uint8Array): Generator<Uint8Array> {
    const { input, output } = this.#routines;
    let column = 0;
    for (let at = 0; at < bases.length; at += PIECE_BYTES) {
      const piece = bases.subarray(at, at + PIECE_BYTES);
      input.set(piece);
      this.#length = this.#routines.wrapBases(piece.length, this.#length, column, this.#wrap);
      // A line that is full is ended by the base that comes next.
      column = (column + piece.length - 1) % this.#wrap + 1;
      if (this.#length >= CHUNK_BYTES) yield* this.rest();
    }
    if (bases.length > 0) output[this.#length++] = LF;
  }

  /** What has not been given out. */
  *rest(): Generator<Uint8Array> {
    const chunk = this.#routines.output.subarray(0, this.#length);
    this.#length = 0;
    if (chunk.length > 0) yield chunk;
  }
}
