/** Checks and wraps lines in plain TypeScript: the reference of the compiled module. */
import type { LineRoutines } from "../../../../src/core/fasta/scan/line_routines.ts";
import { BASE_CLASS, GREATER, LF, SEMICOLON, WHITE_SPACE } from "../../../../src/core/fasta/text/bases.ts";

/** Looks at each byte. */
export class PlainLineRoutines implements LineRoutines {
  readonly input: Uint8Array;
  readonly output: Uint8Array;
  readonly foundText = new Uint8Array(0);
  readonly idLengths = new Uint32Array(0);
  readonly foundLines = 0;
  readonly mayRepeat = true;
  stop = 0;

  constructor(inputBytes: number, outputBytes: number) {
    this.input = new Uint8Array(inputBytes);
    this.output = new Uint8Array(outputBytes);
  }

  /** Leaves all records to the caller, who is no slower. */
  findRecords(from: number): number {
    this.stop = from;
    return 0;
  }

  /** Leaves it to the caller to hold all ids against each other. */
  noteId(): void {}

  countGraphic(from: number, to: number): number {
    let count = to - from;
    for (let at = from; at < to; at++) if (this.input[at] <= 0x20 || this.input[at] >= 0x7f) count -= 1;
    return count;
  }

  countFullLines(from: number, to: number, bytes: number, bases: number): number {
    const { input } = this;
    let count = 0;
    for (let at = from; at + bytes <= to; at += bytes) {
      if (input[at] === GREATER || input[at] === SEMICOLON || input[at + bytes - 1] !== LF) break;
      if (bytes - bases === 2 && input[at + bases] !== 0x0d) break;
      if (this.countGraphic(at, at + bases) !== bases) break;
      count += 1;
    }
    return count;
  }

  wrapBases(count: number, at: number, column: number, wrap: number): number {
    const { input, output } = this;
    let out = at;
    let room = wrap - column;
    for (let from = 0; from < count; from++) {
      if (room === 0) {
        output[out++] = LF;
        room = wrap;
      }
      if (room === wrap && (input[from] === GREATER || input[from] === SEMICOLON)) output[out++] = 0x20;
      output[out++] = input[from];
      room -= 1;
    }
    return out;
  }

  joinLines(from: number, to: number, column: number, bases: number, bytes: number): number {
    const { input, output } = this;
    let count = 0;
    let place = column;
    for (let at = from; at < to; at++) {
      const byte = input[at];
      if (place >= bases) {
        if (BASE_CLASS[byte] !== WHITE_SPACE) return -1;
      } else if (byte <= 0x20 || byte >= 0x7f) return -1;
      else output[count++] = byte;
      place = place + 1 === bytes ? 0 : place + 1;
    }
    return count;
  }
}
