/**
 * The process that holds the data of live tables, as the proxy sees it: questions and answers over its standard
 * streams. It is a program of the toolkit's own, and ends with the proxy.
 */
import type { JsonObject } from "../code/json_object.ts";
import { frameOf, readFrames } from "./frames.ts";

/** Longest wait for an answer: the order of all rows of a very large table takes this long. */
const ANSWER_MS = 300_000;

export class DataProcess {
  readonly #process: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>;
  readonly #spill: string;
  readonly #awaited = new Map<number, PromiseWithResolvers<JsonObject>>();
  #asked = 0;
  #hasEnded = false;

  /** Starts it. `program` is a module of the toolkit; see `src/jupyter/live/serve_tables.ts`. */
  constructor(program: URL) {
    this.#spill = Deno.makeTempDirSync({ prefix: "seqreg-live-" });
    const isInstalled = program.pathname.endsWith(".js");
    this.#process = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--quiet",
        "--no-check",
        "--no-prompt",
        ...isInstalled ? ["--no-lock", "--node-modules-dir=manual"] : ["--frozen"],
        "--allow-read",
        `--allow-write=${this.#spill}`,
        "--allow-ffi",
        "--allow-env",
        "--allow-sys",
        program.href,
        this.#spill,
      ],
      // A configuration of the notebook's folder is not the toolkit's.
      cwd: this.#spill,
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    this.#writer = this.#process.stdin.getWriter();
    this.#read().catch(() => {}).finally(() => this.end());
  }

  /** Whether it has ended, by itself or not. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get pid(): number {
    return this.#process.pid;
  }

  /**
   * Asks it.
   *
   * @throws {Error} If it ends before it has answered.
   */
  async ask(question: JsonObject): Promise<JsonObject> {
    if (this.#hasEnded) throw lost();
    const number = ++this.#asked;
    const waiting = Promise.withResolvers<JsonObject>();
    this.#awaited.set(number, waiting);
    const late = setTimeout(() => waiting.reject(new Error("there was no answer for five minutes")), ANSWER_MS);
    this.#writer.write(frameOf({ ...question, number })).catch(() => this.end());
    try {
      return await waiting.promise;
    } finally {
      clearTimeout(late);
      this.#awaited.delete(number);
    }
  }

  /** Ends it; questions that wait for an answer fail. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    try {
      this.#process.kill("SIGKILL");
    } catch {
      // It ended before.
    }
    for (const { reject } of this.#awaited.values()) reject(lost());
    const remove = () => {
      try {
        Deno.removeSync(this.#spill, { recursive: true });
      } catch {
        // It is gone, or a last file is still being written.
      }
    };
    // At once, since the proxy may be about to end; and once more when nobody writes there any more.
    remove();
    this.#process.status.then(remove);
  }

  async #read(): Promise<void> {
    for await (const answer of readFrames(this.#process.stdout)) {
      const { number, ...said }: JsonObject = Object(answer);
      this.#awaited.get(Number(number))?.resolve(said);
    }
  }
}

function lost(): Error {
  return new Error(
    "the process that holds the data has ended, perhaps for want of memory; the next question starts it anew",
  );
}
