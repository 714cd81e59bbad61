/** Results on a terminal: characters that it would obey are written visibly. */

/** Control characters but line ends and tabs, and marks that turn the direction of writing. */
const OBEYED =
  // deno-lint-ignore no-control-regex
  /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\r(?!\n)/g;

/**
 * Makes the bytes of a result safe to print on a terminal, piece by piece. Line feeds, tabs and the carriage return of
 * a CRLF stay; other control characters become `\u{…}`. A carriage return, or a part of a character, at the very end
 * of a result is not shown.
 *
 * Only a terminal obeys such characters: into files and pipes the bytes go as they are.
 */
export class TerminalBytes {
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  readonly #encoder = new TextEncoder();
  /** A carriage return at the end of the last piece: the next character tells whether it ends a line. */
  #held = "";

  /** Takes the next bytes; the last ones of a character wait for its others. */
  push(bytes: Uint8Array): Uint8Array {
    const text = this.#held + this.#decoder.decode(bytes, { stream: true });
    this.#held = text.endsWith("\r") ? "\r" : "";
    const whole = this.#held === "" ? text : text.slice(0, -1);
    return this.#encoder.encode(whole.replace(OBEYED, (mark) => `\\u{${mark.charCodeAt(0).toString(16)}}`));
  }
}
