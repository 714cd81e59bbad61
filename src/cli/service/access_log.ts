/** The access log of `seqreg serve`: one JSON line for each answer, which never waits for it. */
import { messageOf, RegistryError } from "@seqreg/core/errors";
import type { AccessLogEntry } from "@seqreg/embedded/service";

/** Characters of lines that wait for a slow disk or reader; what comes beyond them is lost. */
const MAX_WAITING = 1 << 22;
/** Time that waiting lines have when the program ends. */
const LAST_MS = 1000;

/** Why lines are lost that no error kept from being written. */
const SLOW = "they are not read, or the disk is slow";

const LF = 0x0a;

/** Where lines go: a file that is appended to, or standard output. */
type LogTarget = Pick<Deno.FsFile, "write"> & Partial<Pick<Deno.FsFile, "stat" | "truncate" | "close">>;

export interface AccessLogOptions {
  readonly onLost: (lines: number, why: string) => void;
  /** Characters that may wait; 4 Mi by default. */
  readonly maxWaiting?: number;
}

/**
 * A log that loses lines and never an answer: lines are written in the background, whole or not at all, in the order of
 * the answers. Those that a full disk, a reader that is gone or one that does not read keeps from being written are
 * counted.
 */
export class AccessLog implements AsyncDisposable {
  readonly #target: LogTarget;
  readonly #options: AccessLogOptions;
  #waiting: string[] = [];
  #characters = 0;
  #underWay = 0;
  #writing: Promise<void> | undefined;
  #isClosed = false;

  /** Takes an open target, which it closes. */
  constructor(target: LogTarget, options: AccessLogOptions) {
    this.#target = target;
    this.#options = options;
  }

  /**
   * Opens a log.
   *
   * @param path A file, which is appended to and created if absent; `-` is standard output.
   * @throws {RegistryError} With code `disk` if the file cannot be opened.
   */
  static async open(path: string, options: AccessLogOptions): Promise<AccessLog> {
    if (path === "-") return new AccessLog({ write: (bytes) => Deno.stdout.write(bytes) }, options);
    try {
      return new AccessLog(await Deno.open(path, { append: true, create: true }), options);
    } catch (cause) {
      const why = messageOf(cause);
      throw new RegistryError("disk", `Cannot write the log ${path}: ${why}; choose a file in a writable folder`, {
        cause,
      });
    }
  }

  /** Adds a line; returns at once. */
  readonly write = (entry: AccessLogEntry): void => {
    const line = `${JSON.stringify(entry)}\n`;
    const { maxWaiting = MAX_WAITING, onLost } = this.#options;
    if (this.#isClosed || this.#characters + line.length > maxWaiting) return onLost(1, SLOW);
    this.#waiting.push(line);
    this.#characters += line.length;
    this.#writing ??= this.#writeAll();
  };

  /** Writes what waits, for at most a second, and closes the file. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, LAST_MS);
    await Promise.race([this.#writing, late.promise]);
    clearTimeout(timer);
    const left = this.#underWay + this.#waiting.length;
    if (left > 0) this.#options.onLost(left, SLOW);
    if (this.#writing === undefined) this.#target.close?.();
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const lines = this.#waiting;
      this.#waiting = [];
      this.#characters = 0;
      this.#underWay = lines.length;
      await this.#writeLines(new TextEncoder().encode(lines.join("")));
      this.#underWay = 0;
    }
    // At once: a line that comes before a later turn would wait for the next answer.
    this.#writing = undefined;
  }

  async #writeLines(bytes: Uint8Array): Promise<void> {
    let written = 0;
    try {
      while (written < bytes.length) written += await this.#target.write(bytes.subarray(written));
    } catch (cause) {
      const whole = bytes.subarray(0, written).lastIndexOf(LF) + 1;
      await this.#dropHalfLine(written - whole);
      this.#options.onLost(bytes.subarray(whole).filter((byte) => byte === LF).length, messageOf(cause));
    }
  }

  /** Takes the beginning of a line off the file's end. */
  async #dropHalfLine(bytes: number): Promise<void> {
    if (bytes === 0 || this.#target.stat === undefined) return;
    try {
      const { isFile, size } = await this.#target.stat();
      if (isFile) await this.#target.truncate?.(size - bytes);
    } catch {
      // The disk is gone: there is no line to mend.
    }
  }
}
