/** Code of the proxy's own that the real kernel runs: silent, without a result or an execution count. */
import { type JsonObject, type MessageWriter, parseMessage } from "./jupyter_message.ts";
import type { Link } from "./zmtp.ts";

/** Runs the proxy's own code in the kernel, which runs one piece after another. */
export class OwnRequests {
  readonly #shell: Link;
  readonly #writer: MessageWriter;
  readonly #open = new Map<string, PromiseWithResolvers<JsonObject>>();
  #failure: { readonly cause: unknown } | undefined;

  /** Takes an exclusive connection to the kernel's shell channel. */
  constructor(shell: Link, writer: MessageWriter) {
    this.#shell = shell;
    this.#writer = writer;
    this.#listen();
  }

  /**
   * Runs code. How long it takes depends on what the kernel runs before it: who must go on sets a limit.
   *
   * @param header Header to send it under: a cell's own makes what the code puts out belong to that cell.
   * @returns Whether it ran without an error.
   */
  async run(code: string, header: JsonObject = this.#writer.header("execute_request")): Promise<boolean> {
    return (await this.#ask(code, header)).status === "ok";
  }

  /** Runs code that may fail, and returns what it failed with; `undefined` where it does not. */
  async failureOf(code: string): Promise<{ readonly ename: string; readonly evalue: string } | undefined> {
    const { status, ename, evalue } = await this.#ask(code, this.#writer.header("execute_request"));
    if (status !== "error" || typeof evalue !== "string") return undefined;
    return { ename: typeof ename === "string" && ename !== "" ? ename : "Error", evalue };
  }

  async #ask(code: string, header: JsonObject): Promise<JsonObject> {
    if (this.#failure !== undefined) throw this.#failure.cause;
    const content = { code, silent: true, store_history: false, user_expressions: {}, allow_stdin: false };
    const id = String(header.msg_id);
    const reply = Promise.withResolvers<JsonObject>();
    this.#open.set(id, reply);
    try {
      await this.#shell.write(this.#writer.write({ type: "execute_request", content, header }));
      return await reply.promise;
    } finally {
      this.#open.delete(id);
    }
  }

  async #listen(): Promise<void> {
    try {
      for (;;) {
        const answer = parseMessage((await this.#shell.readMessage()).parts);
        if (answer !== undefined) this.#open.get(String(answer.parent.msg_id))?.resolve(answer.content);
      }
    } catch (cause) {
      this.#failure = { cause };
      for (const { promise, reject } of this.#open.values()) {
        promise.catch(() => {});
        reject(cause);
      }
    }
  }
}
