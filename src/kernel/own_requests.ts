/**
 * Code of the proxy's own that the real kernel runs: silent, without a result or an execution count.
 *
 * @module
 */
import type { JsonObject, MessageWriter } from "./jupyter_message.ts";
import { parseMessage } from "./jupyter_message.ts";
import type { Link } from "./zmtp.ts";

/** Runs the proxy's own code in the kernel, one piece at a time. */
export class OwnRequests {
  readonly #shell: Link;
  readonly #writer: MessageWriter;
  #last: Promise<unknown> = Promise.resolve();

  /** Takes an exclusive connection to the kernel's shell channel. */
  constructor(shell: Link, writer: MessageWriter) {
    this.#shell = shell;
    this.#writer = writer;
  }

  /**
   * Runs code.
   *
   * @param code TypeScript.
   * @param header Header to send it under: a cell's own makes what the code puts out belong to that cell.
   * @returns Whether it ran without an error.
   */
  run(code: string, header?: JsonObject): Promise<boolean> {
    const content = { code, silent: true, store_history: false, user_expressions: {}, allow_stdin: false };
    const next = this.#last.then(async () => {
      await this.#shell.write(this.#writer.write({ type: "execute_request", content, header }));
      for (;;) {
        const answer = parseMessage((await this.#shell.readMessage()).parts);
        if (answer !== undefined) return answer.content.status === "ok";
      }
    });
    this.#last = next.catch(() => {});
    return next;
  }
}
