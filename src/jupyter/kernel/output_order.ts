/**
 * The ordering rule: a cell is over when everything that it put out has been passed on.
 *
 * The real kernel sends `idle` while printed lines are still queued, and late lines arrive under the next cell. So the
 * proxy holds back a cell's `idle`, its reply and the next request until a marker returns that was sent through the
 * kernel's output queue after the cell's output. The order does not depend on timing; the time limits below only apply
 * if the marker is lost, for example when the kernel dies.
 *
 * States of a cell: *running* (from the request), *draining* (from the kernel's first `idle`: the marker is on its
 * way), *over* (errors, then `idle`, are passed on; the reply follows, then the next cell).
 */
import type { JsonObject, JupyterMessage, MessageWriter, NewMessage } from "./jupyter_message.ts";
import { COMMANDS_NAME } from "./code/cell_commands.ts";
import { KEEP_NAME } from "./code/kept_values.ts";
import { named, SHARED_NAME } from "./inside/own_scope.ts";
import { findFailedImport } from "./failed_imports.ts";
import { findSyntaxFault } from "./syntax_faults.ts";
import { JoinedOutput } from "./joined_output.ts";
import { type OpenRequests, SILENT } from "./open_requests.ts";
import type { OwnRequests } from "./own_requests.ts";

/** Longest wait for the marker while nothing else arrives. */
const MARKER_TIMEOUT_MS = 5000;
/** Longest wait for the reply of a cell that is otherwise over. */
const PATIENCE_MS = 5000;
/** Quiet time that ends the wait where the marker could not be sent. */
const QUIET_MS = 200;

/** Name of the message in which the marker returns. */
const MARKER_TYPE = "seqreg_marker";
const MARKER = "__seqreg_marker";
/** What cells put out, as long as anything of theirs runs. */
const OUTPUT_TYPES = new Set(["stream", "display_data", "update_display_data", "clear_output"]);

/** Name of the kernel's function that sends what was printed and is held. */
export const PRINTED_NAME = "__seqreg_printed";

/** Name of what a cell's end needs of the errors in the kernel: `flush()` and `describe()`. */
export const THROWN_NAME = "__seqreg_thrown";

/**
 * Code that gives the kernel its marker function. What a cell failed with may be shown in more than words before it.
 */
export const INSTALL_MARKER: string = `const send = Deno.jupyter.broadcast;
const shared = (key) => globalThis[Symbol.for(key)];
const marker = async (id, failure, said = [], promises = {}) => {
  globalThis.${THROWN_NAME}?.flush();
  globalThis.${PRINTED_NAME}?.();
  for (const [name, { read, hint }] of Object.entries(promises)) {
    try { if (read() instanceof Promise) said.push(hint); } catch {}
  }
  if (said.length > 0) send("stream", { name: "stderr", text: said.join("\\n") + "\\n" });
  try { if (failure !== undefined) await shared("seqreg.show_faults")?.(failure); } catch {}
  globalThis.${COMMANDS_NAME}?.clear();
  let thrown;
  try { if (failure !== undefined) thrown = globalThis.${THROWN_NAME}?.describe(failure); } catch {}
  globalThis.${KEEP_NAME}?.clear();
  send("${MARKER_TYPE}", { id, thrown });
};
${named(SHARED_NAME, "shared")}
${named(MARKER, "marker")}
// By this modules know the kernel.
globalThis[Symbol.for("seqreg.marker")] = marker;`;

/** Takes a message that front ends do not receive; may return a replacement to display, by media type. */
export type Told = (message: JupyterMessage) => JsonObject | void;

/** One cell on its way through the kernel. */
interface RunningCell {
  readonly header: JsonObject;
  /** Its code as it was written, where another was run. */
  readonly code?: string;
  /** Its code as the kernel parses it, awaits aside. */
  readonly source: string;
  /** Code that reports on it at its end: of a list, and of an object; see `forgotten_awaits.ts`. */
  readonly hints?: string;
  readonly over: PromiseWithResolvers<void>;
  /** Ends when the reply has come, or its way is gone. */
  readonly replied: PromiseWithResolvers<void>;
  readonly onOver: () => void;
  /** Error outputs: the kernel sends them ahead of printed lines, readers expect them behind. */
  readonly errors: { readonly content: JsonObject; readonly raw?: Uint8Array }[];
  /** Message of the last of them. */
  failure?: string;
  idle?: { readonly message: JupyterMessage; readonly raw: Uint8Array };
  isDraining?: boolean;
  /** Whether nobody waits for its reply. */
  isLost?: boolean;
  idleCount: number;
  reply?: JsonObject;
}

/** What the order of output needs of the proxy. */
interface OutputSurroundings {
  readonly publish: (raw: Uint8Array) => void;
  readonly own: OwnRequests;
  readonly writer: MessageWriter;
  /** Requests that front ends wait for. */
  readonly requests: OpenRequests;
  /** Whether the user pressed Stop in the running cell. */
  readonly wasStopped: () => boolean;
  /** Longest wait for the reply of a cell that is otherwise over; 5 s by default. */
  readonly patienceMs?: number;
  /** What was probably meant, by the message of an error. */
  readonly adviseOn: (failure: string) => Promise<string | undefined>;
  /** What the kernel and the toolkit tell the proxy alone, by the type of the message. */
  readonly told: Readonly<Record<string, Told>>;
}

/** Puts a kernel's published messages in the order in which they belong. */
export class OutputOrder {
  readonly #around: OutputSurroundings;
  readonly #cells = new Map<string, RunningCell>();
  readonly #markers = new Map<string, (thrown: unknown) => void>();
  readonly #joined: JoinedOutput;
  /** Header of the cell that began last. */
  #latest: JsonObject | undefined;
  #lastOutputAt = 0;

  constructor(around: OutputSurroundings) {
    this.#around = around;
    this.#joined = new JoinedOutput(({ name, text, parent }) =>
      this.#write({ type: "stream", content: { name, text }, parent })
    );
  }

  /** A cell's request is about to be passed on. */
  begin(request: JupyterMessage, onOver: () => void, told: Pick<RunningCell, "source" | "code" | "hints">): void {
    this.#latest = request.header;
    this.#cells.set(request.id, {
      header: request.header,
      ...told,
      over: Promise.withResolvers(),
      replied: Promise.withResolvers(),
      onOver,
      errors: [],
      idleCount: 0,
    });
  }

  /** A cell's reply has come; waits until it may be passed on. */
  async holdReply(reply: JupyterMessage): Promise<void> {
    const cell = this.#cells.get(String(reply.parent.msg_id));
    if (cell === undefined) return;
    cell.reply = reply.content;
    cell.replied.resolve();
    await cell.over.promise;
  }

  /** Header of the running cell's request. */
  get running(): JsonObject | undefined {
    return [...this.#cells.values()].at(-1)?.header;
  }

  /** Prints under the running cell. */
  tell(text: string): void {
    const parent = this.running;
    if (parent === undefined) return;
    this.#joined.flush();
    this.#write({ type: "stream", content: { name: "stderr", text }, parent });
  }

  /** A cell's reply cannot come any more: the front end that asked for it has gone. */
  loseReply(request: string): void {
    const cell = this.#cells.get(request);
    if (cell === undefined) return;
    cell.isLost = true;
    cell.replied.resolve();
  }

  /** The kernel goes on without having reported the end of this cell: the cell is over. */
  giveUp(request: string): void {
    const cell = this.#cells.get(request);
    if (cell !== undefined) this.#drain(cell);
  }

  /** A cell's request did not reach the kernel. */
  cancel(request: string): void {
    const cell = this.#cells.get(request);
    if (cell === undefined) return;
    this.#cells.delete(request);
    this.#end(cell);
  }

  /** Takes a published message and passes it on when its time has come. */
  take(message: JupyterMessage | undefined, raw: Uint8Array): void {
    if (message?.type === MARKER_TYPE) {
      this.#markers.get(String(message.content.id))?.(message.content.thrown);
      return;
    }
    if (message !== undefined && Object.hasOwn(this.#around.told, message.type)) {
      const data = this.#around.told[message.type](message);
      if (data !== undefined && Object.keys(data).length > 0) this.#show(data, message.parent);
      return;
    }
    if (message?.parent.session === this.#around.writer.session) {
      // The kernel sends all output under its latest request: also that of a cell, if the request is the proxy's own.
      if (this.#latest === undefined || !OUTPUT_TYPES.has(message.type)) return;
      const output = { ...message, parent: this.#latest };
      this.take(output, this.#around.writer.write(output));
      return;
    }
    const cell = this.#cells.get(String(message?.parent.msg_id));
    if (message !== undefined && cell !== undefined) {
      this.#lastOutputAt = performance.now();
      if (message.type === "stream" && this.#join(message)) return;
    }
    this.#joined.flush();
    if (message === undefined || cell === undefined) {
      if (message?.type !== "status" || this.#around.requests.takeStatus(message)) this.#around.publish(raw);
      return;
    }
    if (message.type === "status" && message.content.execution_state === "idle") {
      if (cell.idleCount++ === 0) {
        cell.idle = { message, raw };
        this.#drain(cell);
      }
      return;
    }
    // The marker is sent under the cell's own header: its `busy` and its echo are not the cell's.
    if (cell.isDraining && (message.type === "status" || message.type === "execute_input")) return;
    if (message.type === "status" && !this.#around.requests.takeStatus(message)) return;
    if (message.type === "execute_input" && cell.code !== undefined) {
      const content = { ...message.content, code: cell.code };
      this.#write({ type: message.type, content, parent: message.parent });
    } else if (message.type === "error") {
      cell.errors.push({ content: message.content, raw });
      cell.failure = String(message.content.evalue);
    } else this.#around.publish(raw);
  }

  #write(message: NewMessage): void {
    this.#around.publish(this.#around.writer.write(message));
  }

  #show(data: JsonObject, parent: JsonObject): void {
    this.#joined.flush();
    const content = { data, metadata: {}, transient: {} };
    this.#write({ type: "display_data", content, parent });
  }

  #join({ content, parent }: JupyterMessage): boolean {
    return typeof content.text === "string" &&
      this.#joined.take({ name: String(content.name), text: content.text, parent });
  }

  /** The kernel has exited: what it said is passed on, and pending waits end. */
  abandon(): void {
    for (const cell of this.#cells.values()) this.#conclude(cell);
  }

  async #drain(cell: RunningCell): Promise<void> {
    if (cell.isDraining) return;
    cell.isDraining = true;
    await this.#untilMarkerReturns(cell);
    // It travels on a channel of its own, and says whether the cell failed.
    await Promise.race([cell.replied.promise, sleep(this.#around.patienceMs ?? PATIENCE_MS)]);
    if (cell.reply?.status === "error" && cell.errors.length === 0) {
      cell.errors.push({ content: await this.#silentError(cell) });
    }
    if (cell.failure !== undefined) await this.#addAdvice(cell, cell.failure);
    const id = String(cell.header.msg_id);
    // The kernel may have ended meanwhile.
    if (!this.#cells.has(id)) return;
    this.#conclude(cell);
    if (cell.reply === undefined) this.#around.requests.fail(id, SILENT);
    else if (cell.idle === undefined) this.#around.requests.reportIdle(id);
  }

  /** Passes on what was held of a cell; without a reply its request stays open. */
  #conclude(cell: RunningCell): void {
    this.#joined.flush();
    for (const { content, raw } of cell.errors) {
      this.#around.publish(raw ?? this.#around.writer.write({ type: "error", content, parent: cell.header }));
    }
    const { idle, reply } = cell;
    if (idle !== undefined && (reply !== undefined || cell.isLost) && this.#around.requests.takeStatus(idle.message)) {
      this.#around.publish(idle.raw);
    }
    this.#cells.delete(String(cell.header.msg_id));
    this.#end(cell);
  }

  #end(cell: RunningCell): void {
    cell.over.resolve();
    cell.onOver();
  }

  async #untilMarkerReturns(cell: RunningCell): Promise<void> {
    const id = crypto.randomUUID();
    let returned = false;
    const back = new Promise<void>((resolve) => {
      this.#markers.set(id, (thrown) => {
        const error = cell.errors.at(-1)?.content;
        if (error !== undefined && typeof thrown === "object" && thrown !== null) {
          cell.errors[cell.errors.length - 1] = { content: { ...error, ...thrown } };
        }
        returned = true;
        resolve();
      });
    });
    const failure = cell.failure === undefined ? "undefined" : JSON.stringify(cell.failure);
    let sent: boolean | undefined;
    const hints = cell.hints === undefined ? "" : `, ${cell.hints}`;
    const running = this.#around.own.run(`${MARKER}("${id}", ${failure}${hints})`, cell.header);
    running.then((ran) => sent = ran, () => sent = false);
    const quietFor = () => performance.now() - this.#lastOutputAt;
    // A long output may take longer than any one of these times: only quiet counts.
    while (!returned && quietFor() < (sent === false ? QUIET_MS : MARKER_TIMEOUT_MS)) {
      await Promise.race([back, sleep(50)]);
    }
    this.#markers.delete(id);
    // The marker's own `idle` is still to come; after it nothing of this cell can.
    while (cell.idleCount < 2 && quietFor() < QUIET_MS) await sleep(2);
  }

  /** The kernel reports a cell that was not run, or was stopped, without saying why under the cell. */
  async #silentError({ source }: RunningCell): Promise<JsonObject> {
    if (this.#around.wasStopped()) return errorOf("Interrupted", "stopped by the user; the kernel's state is kept");
    const fault = await findSyntaxFault(source).catch(() => undefined);
    if (fault !== undefined) return errorOf("SyntaxError", `the cell was not run: ${fault.message}`, fault.excerpt);
    const failure = await findFailedImport(source, this.#around.own).catch(() => undefined);
    if (failure !== undefined) return errorOf(failure.ename, failure.evalue);
    return errorOf("NoResult", "the kernel reports that the cell failed, and not why: it may have run in part");
  }

  /** Adds to a cell's last error what was probably meant. */
  async #addAdvice({ errors }: RunningCell, failure: string): Promise<void> {
    const advice = await this.#around.adviseOn(failure).catch(() => undefined);
    const error = errors.at(-1)?.content;
    if (advice === undefined || error === undefined || !Array.isArray(error.traceback)) return;
    const add = (line: unknown) => String(line).replace(failure, () => `${failure}: ${advice}`);
    const [head, ...rest] = error.traceback;
    errors[errors.length - 1] = { content: { ...error, evalue: add(error.evalue), traceback: [add(head), ...rest] } };
  }
}

function errorOf(ename: string, evalue: string, ...excerpt: readonly string[]): JsonObject {
  return { ename, evalue, traceback: [`${ename}: ${evalue}`, ...excerpt] };
}

function sleep(timeMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, timeMs));
}
