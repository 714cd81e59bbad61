/** Wraps sequences anew in plain TypeScript: the reference of the compiled module. */
import { type RewrapRoutines, SLACK_BYTES } from "../../../../src/core/fasta/write/_rewrap_routines.ts";
import {
  BASE_CLASS,
  GREATER,
  INVALID_BASE,
  LF,
  SEMICOLON,
  SPACE,
  WHITE_SPACE,
} from "../../../../src/core/fasta/text/bases.ts";

/** Looks at each byte. */
export class PlainRewrapRoutines implements RewrapRoutines {
  readonly input: Uint8Array;
  readonly output: Uint8Array;
  readonly runs = undefined;
  end = 0;
  column = 0;
  bases = 0;
  lines = 0;
  invalidOffset = -1;
  invalidLines = 0;
  #atLineStart = true;

  constructor(inputBytes: number, outputBytes: number) {
    this.input = new Uint8Array(inputBytes);
    this.output = new Uint8Array(outputBytes + SLACK_BYTES);
  }

  begin(): void {
    this.#atLineStart = true;
    this.column = 0;
    this.bases = 0;
  }

  rewrap(from: number, to: number, limit: number, wrap: number): number {
    const { input, output } = this;
    this.lines = 0;
    this.invalidOffset = -1;
    let at = from;
    for (; at < to && this.end < limit; at++) {
      const byte = input[at];
      if (this.#atLineStart && (byte === GREATER || byte === SEMICOLON)) break;
      this.#atLineStart = byte === LF;
      if (byte === LF) this.lines += 1;
      const kind = BASE_CLASS[byte];
      if (kind === WHITE_SPACE) continue;
      if (kind === INVALID_BASE && this.invalidOffset < 0) {
        this.invalidOffset = at;
        this.invalidLines = this.lines;
      }
      if (this.column === 0 && (byte === GREATER || byte === SEMICOLON)) output[this.end++] = SPACE;
      output[this.end++] = byte;
      this.bases += 1;
      this.column += 1;
      if (this.column < wrap) continue;
      output[this.end++] = LF;
      this.column = 0;
    }
    return at;
  }
}
