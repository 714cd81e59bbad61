/**
 * Joins printed lines that follow each other quickly.
 *
 * The real kernel sends one message per line. Front ends process each of them: nbclient drops output that it has not
 * processed four seconds after a cell's reply, so that of 40,000 lines thousands are lost. The first line is forwarded
 * at once; lines that follow within a moment are forwarded together.
 */
import type { JsonObject } from "./jupyter_message.ts";

/** How long lines are gathered. */
const GATHER_MS = 20;
/** Characters that are sent on at once, however short the gathering was. */
const MAX_CHARACTERS = 100_000;

export interface PrintedText {
  /** `stdout` or `stderr`. */
  readonly name: string;
  readonly text: string;
  /** Header of the request. */
  readonly parent: JsonObject;
}

/** Gathers printed text and passes it on in order. */
export class JoinedOutput {
  readonly #publish: (printed: PrintedText) => void;
  #held: { name: string; texts: string[]; parent: JsonObject } | undefined;
  #characters = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(publish: (printed: PrintedText) => void) {
    this.#publish = publish;
  }

  /**
   * Takes a printed text.
   *
   * @returns Whether it was kept to be joined; else the caller passes it on as it is.
   */
  take({ name, text, parent }: PrintedText): boolean {
    if (this.#timer === undefined) {
      this.#wait();
      return false;
    }
    if (this.#held !== undefined && (this.#held.name !== name || this.#held.parent.msg_id !== parent.msg_id)) {
      this.flush();
    }
    this.#held ??= { name, texts: [], parent };
    this.#held.texts.push(text);
    this.#characters += text.length;
    if (this.#characters > MAX_CHARACTERS) this.flush();
    return true;
  }

  /** Passes on what is held: before anything else that is shown, and when a cell is over. */
  flush(): void {
    const held = this.#held;
    this.#held = undefined;
    this.#characters = 0;
    if (held !== undefined) this.#publish({ name: held.name, text: held.texts.join(""), parent: held.parent });
  }

  #wait(): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#held === undefined) return;
      this.flush();
      this.#wait();
    }, GATHER_MS);
  }
}
