/**
 * Tables that a page asks for rows while it shows them, by Jupyter's comm messages.
 *
 * `deno jupyter` hears no comm: it answers a page's `comm_open` with `comm_close` and drops `comm_msg`. So a cell tells
 * the proxy what its view shows, and the proxy answers the page itself, out of a process that holds the data: also
 * while a cell computes. Comms of others pass as they did.
 *
 * ```
 * cell: live(lake) --broadcast "seqreg_live"--> proxy --comm_open--> page
 * page --comm_msg--> proxy, aside of the line of cells --frames--> data process
 * page <--comm_msg-- proxy <------------------------------ answer
 * ```
 */
import { type JsonObject, objectOf } from "../code/json_object.ts";
import { SHARED_NAME } from "../inside/own_scope.ts";
import { DataProcess } from "./data_process.ts";
import { Lanes } from "./lanes.ts";

/** Name of the message by which a cell tells of a view. */
export const LIVE_TYPE = "seqreg_live";
/** Target of the comms by which pages ask. */
export const LIVE_TARGET = "seqreg.live";
/** Where the kernel keeps the function that takes what is seen of its views. */
export const LIVE_SEEN_KEY = "seqreg.live.seen";

/** Views kept: one more ends the oldest. */
const MOST_VIEWS = 32;
/** Quiet after which a page learns that its questions are answered. */
const QUIET_MS = 300;
/** Characters of what a page says of its state. */
const MOST_STATE = 1_000_000;

/** A view, as the proxy knows it. */
interface View {
  /** What the data process opens. */
  source: unknown;
  /** What a page shows it by: title, height, columns, number of rows. */
  facts: JsonObject;
  /** Filters, order and columns as a page or a cell set them last. */
  state: JsonObject;
  /** The cell that shows it, as front ends name cells. */
  readonly cell?: string;
}

/** A file that was written for one view alone. */
interface TemporaryFile {
  readonly path: string;
  /** The cell that made the view, which another one may show. */
  readonly cell: string | undefined;
  /** Whether nothing but a page can ask for the view any more: its cell runs again, or was deleted. */
  isOver: boolean;
}

/** A message, as far as views read it. */
export interface LiveMessage {
  /** Type, such as `comm_msg`. */
  readonly type: string;
  /** Header, to answer with. */
  readonly header: JsonObject;
  /** Header of the message that this one answers. */
  readonly parent: JsonObject;
  /** What a front end says of it besides, such as which cell it runs. */
  readonly metadata: JsonObject;
  readonly content: JsonObject;
}

/** What the views need of the proxy. */
export interface LiveSurroundings {
  /** Sends a message to all front ends. */
  readonly publish: (raw: Uint8Array) => void;
  /** Writes a message, framed and signed. */
  readonly writer: {
    write(message: { readonly type: string; readonly content: JsonObject; readonly parent?: JsonObject }): Uint8Array;
  };
  /** The data process's program; `undefined` where no toolkit is found. */
  readonly program: URL | undefined;
  /** Header of the running cell's request. */
  readonly running: () => JsonObject | undefined;
}

export class LiveViews {
  readonly #around: LiveSurroundings;
  readonly #views = new Map<string, View>();
  /** States that a page has set and the kernel does not know, by their view; also of views that are forgotten. */
  readonly #unseen = new Map<string, JsonObject>();
  readonly #files = new Map<string, TemporaryFile>();
  readonly #lanes = new Lanes();
  #process: DataProcess | undefined;
  /** Views that the present data process has opened. */
  #opened = new Map<string, Promise<JsonObject>>();
  #cell: string | undefined;
  readonly #done: JsonObject[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(around: LiveSurroundings) {
    this.#around = around;
  }

  /** A cell is about to run: its earlier views, and those of cells that were deleted, are forgotten. */
  beginCell({ metadata }: LiveMessage): void {
    const { cellId, deletedCells } = metadata;
    this.#cell = typeof cellId === "string" ? cellId : undefined;
    const gone = new Set([this.#cell, ...Array.isArray(deletedCells) ? deletedCells : []]);
    for (const file of this.#files.values()) file.isOver ||= file.cell !== undefined && gone.has(file.cell);
    for (const [id, { cell }] of this.#views) if (cell !== undefined && gone.has(cell)) this.#forget(id);
    for (const [id, { isOver }] of this.#files) if (isOver && !this.#views.has(id)) this.#removeFile(id);
  }

  /** A cell tells of a view, or of what one shows from now on. */
  learn({ content, parent }: LiveMessage): void {
    const { view, source, facts, state, temporary, soon } = content;
    if (soon === true) return this.#prepare();
    const id = String(view);
    if (typeof temporary === "string" && !this.#files.has(id)) {
      this.#files.set(id, { path: temporary, cell: this.#cell, isOver: false });
    }
    const known = this.#views.get(id);
    if (known !== undefined) {
      known.state = objectOf(state);
      this.#unseen.delete(id);
      this.#send(id, { state: known.state }, parent);
      return;
    }
    if (source === undefined) return;
    this.#views.set(id, {
      source,
      facts: objectOf(facts),
      state: objectOf(state),
      ...this.#cell !== undefined && { cell: this.#cell },
    });
    for (const oldest of [...this.#views.keys()].slice(0, -MOST_VIEWS)) this.#forget(oldest);
    this.#publish("comm_open", { comm_id: id, target_name: LIVE_TARGET, data: this.#told(id) }, parent);
    // Opened at once, so that the first rows are there when the page asks.
    this.#open(id).catch(() => {});
  }

  /**
   * Takes a front end's message if it is about a view; such a message waits for no cell.
   *
   * @param reply Sends an answer on the channel that the message came by.
   * @returns Whether it was taken.
   */
  take(message: LiveMessage, reply: (raw: Uint8Array) => Promise<void>): boolean {
    const { type, content, header } = message;
    const id = String(content.comm_id);
    if (type === "comm_info_request" && content.target_name === LIVE_TARGET) {
      const comms = Object.fromEntries([...this.#views.keys()].map((id) => [id, { target_name: LIVE_TARGET }]));
      const answer = { type: "comm_info_reply", content: { status: "ok", comms }, parent: header };
      reply(this.#around.writer.write(answer)).catch(() => {});
    } else if (type === "comm_close" && this.#views.has(id)) {
      // One page closes its end; others may show the view too, and this one may come back.
    } else if (type === "comm_msg" && this.#views.has(id)) this.#hear(id, objectOf(content.data), header);
    else return false;
    this.#idle(header);
    return true;
  }

  /** Number of the data process, for tests that end it; `undefined` where none runs. */
  get dataPid(): number | undefined {
    return this.#process?.hasEnded === false ? this.#process.pid : undefined;
  }

  /** Code that tells the kernel what is seen of its views; `undefined` where it knows. */
  tellSeen(): string | undefined {
    if (this.#unseen.size === 0) return undefined;
    const states = [...this.#unseen];
    this.#unseen.clear();
    return `${SHARED_NAME}("${LIVE_SEEN_KEY}")?.(${JSON.stringify(states)})`;
  }

  end(): void {
    clearTimeout(this.#timer);
    for (const id of [...this.#views.keys()]) this.#forget(id);
    for (const id of [...this.#files.keys()]) this.#removeFile(id);
    this.#process?.end();
  }

  #hear(id: string, said: JsonObject, header: JsonObject): void {
    const view = this.#views.get(id);
    if (view === undefined) return;
    if (said.op === "hello") this.#send(id, this.#told(id), header);
    else if (said.op === "state") {
      if (JSON.stringify(said.state ?? {}).length > MOST_STATE) return;
      view.state = objectOf(said.state);
      this.#unseen.set(id, view.state);
    } else if (said.op === "renew") this.#renew(id, said, header);
    else if (said.op === "ask") this.#ask(id, said, header);
  }

  #told(id: string): JsonObject {
    const view = this.#views.get(id);
    return { view: id, facts: view?.facts, state: view?.state };
  }

  async #ask(view: string, { id, question }: JsonObject, header: JsonObject): Promise<void> {
    // Pages begin the numbers of their questions with a name of their own.
    const page = String(id).replace(/-\d+$/, "");
    const lane = JSON.stringify([view, page, objectOf(question).op]);
    const answer = await this.#lanes.run(lane, async () => {
      await this.#open(view);
      return await this.#data().ask({ op: "ask", view, question });
    });
    this.#send(view, { id, ...answer }, header);
    this.#idle(header);
  }

  /** Opens a view's files anew after they were changed. */
  async #renew(id: string, { id: asked }: JsonObject, header: JsonObject): Promise<void> {
    const view = this.#views.get(id);
    const answer = await this.#lanes.run(JSON.stringify([id, "renew"]), async () => {
      await this.#open(id).catch(() => {});
      return await this.#data().ask({ op: "renew", view: id });
    });
    const { source, columns, count, ...others } = answer;
    if (view !== undefined && source !== undefined) {
      view.source = source;
      view.facts = { ...view.facts, columns, count };
    }
    this.#send(id, { id: asked, ...others, ...source !== undefined && { facts: view?.facts } }, header);
  }

  /** A view is being made: the process is there when it is. */
  #prepare(): void {
    try {
      if (this.#around.program !== undefined) this.#data();
    } catch {
      // The page that asks gets the reason.
    }
  }

  /** Has the data process open a view, once; one that ended is started again. */
  async #open(id: string): Promise<void> {
    const view = this.#views.get(id);
    if (view === undefined) throw new Error("the view is closed: run its cell again");
    const data = this.#data();
    let opening = this.#opened.get(id);
    if (opening === undefined) {
      opening = data.ask({ op: "open", view: id, source: view.source });
      this.#opened.set(id, opening);
    }
    await opening;
  }

  #data(): DataProcess {
    if (this.#process === undefined || this.#process.hasEnded) {
      const { program } = this.#around;
      if (program === undefined) throw new Error("no toolkit is found next to the kernel: run seqreg kernel install");
      this.#process = new DataProcess(program);
      this.#opened = new Map();
    }
    return this.#process;
  }

  #forget(id: string): void {
    const view = this.#views.get(id);
    if (view === undefined) return;
    this.#views.delete(id);
    this.#publish("comm_close", { comm_id: id, data: {} }, {});
    if (this.#opened.delete(id) && this.#process?.hasEnded === false) {
      this.#process.ask({ op: "close", view: id }).catch(() => {});
    }
    const { cell, isOver } = this.#files.get(id) ?? {};
    // Where cells have no names nothing else shows that it is over.
    if (isOver || cell === undefined) this.#removeFile(id);
  }

  #removeFile(id: string): void {
    const file = this.#files.get(id);
    this.#files.delete(id);
    if (file !== undefined) removeTemporary(file.path);
  }

  #publish(type: string, content: JsonObject, parent: JsonObject): void {
    this.#around.publish(this.#around.writer.write({ type, content, parent }));
  }

  #send(comm: string, data: JsonObject, parent: JsonObject): void {
    this.#publish("comm_msg", { comm_id: comm, data }, parent);
  }

  /**
   * Front ends keep what they sent until it is idle. That is said when nothing has been asked for a while: a server
   * between us and the page holds an answer that follows it for 40 ms. The last status they hear is the kernel's.
   */
  #idle(header: JsonObject): void {
    this.#done.push(header);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const say = (execution_state: string, parent: JsonObject) => this.#publish("status", { execution_state }, parent);
      for (const parent of this.#done.splice(0)) say("idle", parent);
      const cell = this.#around.running();
      if (cell !== undefined) say("busy", cell);
    }, QUIET_MS);
  }
}

/** Removes a file that a cell wrote for its view, by the name that `live()` gives such files, and its folder. */
function removeTemporary(path: string): void {
  const folder = /^(.*[/\\]seqreg-live-[A-Za-z0-9]+)[/\\]frame\.parquet$/.exec(path)?.[1];
  if (folder === undefined) return;
  try {
    Deno.removeSync(path);
    Deno.removeSync(folder);
  } catch {
    // It is gone, or something else is in the folder too.
  }
}
