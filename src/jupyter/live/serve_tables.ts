/**
 * The program that answers questions about live tables: `serve_tables.ts SPILL_FOLDER`, with frames of
 * `kernel/live/frames.ts` on its standard streams. It ends when its input does.
 */
import { isRecord } from "@seqreg/core/options/is_record";
import { messageOf } from "@seqreg/core/errors";
import { frameOf, readFrames } from "../kernel/live/frames.ts";
import { readQuestion } from "./live_question.ts";
import { LiveTable } from "./live_table.ts";
import { ChangedFileError } from "./parquet_rows.ts";
import { readSource, renewSource } from "./live_source.ts";
import type { LiveSource } from "./live_question.ts";

/** Tables that are open at once; one more closes the one that was not asked for longest. */
const MOST_TABLES = 4;
/** A table that nobody asks for this long gives its memory back. */
const IDLE_MS = 300_000;

interface ServedTable {
  readonly table: Promise<LiveTable>;
  /** Questions that are being answered. */
  busy: number;
  askedAt: number;
}

/** Answers questions about views. */
class TableServer {
  readonly #spill: string;
  readonly #sources = new Map<string, LiveSource>();
  /** By their sources, so that views of one table share it. */
  readonly #tables = new Map<string, ServedTable>();

  constructor(spill: string) {
    this.#spill = spill;
    const watch = setInterval(() => this.#forgetIdle(performance.now() - IDLE_MS), IDLE_MS / 5);
    Deno.unrefTimer(watch);
  }

  /** Answers one message; a failure is an answer too. */
  async answer({ op, view, source, question }: Readonly<Record<string, unknown>>): Promise<object> {
    try {
      const name = String(view);
      switch (op) {
        case "open":
          this.#sources.set(name, readSource(source));
          return await this.#use(name, facts);
        case "renew": {
          const renewed = await renewSource(this.#sourceOf(name));
          this.#sources.set(name, renewed);
          return { ...await this.#use(name, facts), source: renewed };
        }
        case "close":
          this.#sources.delete(name);
          return {};
        default:
          return await this.#use(name, (table) => table.answer(readQuestion(question, table.columns)));
      }
    } catch (cause) {
      return { error: messageOf(cause), ...cause instanceof ChangedFileError && { changed: true } };
    }
  }

  #sourceOf(view: string): LiveSource {
    const source = this.#sources.get(view);
    if (source === undefined) throw new TypeError("Cannot read the table: its view is closed; run the cell again");
    return source;
  }

  async #use<T>(view: string, work: (table: LiveTable) => Promise<T> | T): Promise<T> {
    const source = this.#sourceOf(view);
    const key = JSON.stringify(source);
    const opened = this.#tables.get(key) ??
      { table: LiveTable.open(source, { spill: this.#spill }), busy: 0, askedAt: 0 };
    this.#tables.delete(key);
    this.#tables.set(key, opened);
    opened.busy++;
    try {
      return await work(await opened.table);
    } catch (cause) {
      // What cannot be opened, or is another one now, is opened anew when it is asked for.
      const isOpen = await opened.table.then(() => true, () => false);
      if (!isOpen || cause instanceof ChangedFileError) this.#forget(key, opened);
      throw cause;
    } finally {
      opened.busy--;
      opened.askedAt = performance.now();
      if (this.#tables.get(key) !== opened) close(opened);
      this.#forgetBeyond(MOST_TABLES);
    }
  }

  #forgetBeyond(most: number): void {
    const idle = [...this.#tables].filter(([, { busy }]) => busy === 0);
    for (const [key, table] of idle.slice(0, Math.max(0, this.#tables.size - most))) this.#forget(key, table);
  }

  #forgetIdle(before: number): void {
    for (const [key, table] of this.#tables) if (table.askedAt < before) this.#forget(key, table);
  }

  #forget(key: string, opened: ServedTable): void {
    if (this.#tables.get(key) !== opened) return;
    this.#tables.delete(key);
    close(opened);
  }
}

/** Closes a table when its last question is answered. */
function close({ table, busy }: ServedTable): void {
  if (busy === 0) table.then((opened) => opened[Symbol.asyncDispose]()).catch(() => {});
}

function facts(table: LiveTable): object {
  return { columns: table.columns, count: table.count };
}

if (import.meta.main) {
  const [spill] = Deno.args;
  // The process is started while a cell describes its table: what opens it loads meanwhile.
  import("@duckdb/node-api").catch(() => {});
  const server = new TableServer(spill);
  for await (const message of readFrames(Deno.stdin.readable)) {
    const { number, ...asked } = isRecord(message) ? message : {};
    // Several at once: an order that takes long holds up no window.
    server.answer(asked).then((answer) => {
      const frame = frameOf({ ...answer, number });
      // In one go, so that answers do not mix.
      for (let at = 0; at < frame.length;) at += Deno.stdout.writeSync(frame.subarray(at));
    });
  }
  await Deno.remove(spill, { recursive: true }).catch(() => {});
  Deno.exit(0);
}
