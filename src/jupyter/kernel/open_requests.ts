/**
 * Requests that front ends wait for. Each gets exactly one reply and one `idle`: also where the real kernel keeps
 * silent, answers twice or ends, and where the proxy itself fails.
 */
import type { JsonObject, JupyterMessage, MessageWriter } from "./jupyter_message.ts";
import { within } from "./within.ts";
import type { Link } from "./zmtp.ts";

/** Why a request cannot be answered: an error as Jupyter's protocol writes it. */
export interface RequestFailure {
  readonly ename: string;
  readonly evalue: string;
}

/** How long the real kernel may keep silent on a request while it answers others. */
const PATIENCE_MS = 5000;
/** Answered requests that are remembered: a second answer comes soon or never. */
const MOST_ANSWERED = 1000;

/** The real kernel has answered other requests, and not this one. */
export const SILENT: RequestFailure = { ename: "NoReply", evalue: "the kernel did not answer this request" };

/** How requests are answered that the kernel cannot answer any more: by its exit, where that is known. */
export function endOfKernel(status: Deno.CommandStatus | undefined): RequestFailure {
  const how = status === undefined
    ? "the kernel closed the connection"
    : status.signal === null
    ? `the kernel ended with exit code ${status.code}`
    : `the kernel was ended by ${status.signal}`;
  return { ename: "KernelEnded", evalue: `${how} before it answered: its state is lost` };
}

interface OpenRequest {
  readonly message: JupyterMessage;
  readonly front: Link;
  /** Whether it came over the control channel, on which the real kernel reports no status. */
  readonly isControl: boolean;
  readonly answered: PromiseWithResolvers<void>;
  isBusy: boolean;
  isReplied: boolean;
  isIdle: boolean;
}

/** What open requests need of the proxy. */
interface RequestSurroundings {
  readonly writer: MessageWriter;
  readonly publish: (raw: Uint8Array) => void;
  /** Asks the kernel, which answers one request after another, something that it always answers. */
  readonly isAnswering: () => Promise<unknown>;
  readonly runningCell: () => JsonObject | undefined;
  /** How long the kernel may keep silent; 5 s by default. */
  readonly patienceMs?: number;
}

/** Requests that are not answered yet. */
export class OpenRequests {
  readonly #around: RequestSurroundings;
  readonly #open = new Map<string, OpenRequest>();
  readonly #answered = new Set<string>();
  #ended: RequestFailure | undefined;
  /** Counts what the kernel answers. */
  #heard = 0;

  constructor(around: RequestSurroundings) {
    this.#around = around;
  }

  /** Registers a request; messages that expect no reply are ignored. */
  take(message: JupyterMessage, front: Link, channel: "shell" | "control" = "shell"): void {
    if (!message.type.endsWith("_request")) return;
    const isControl = channel === "control";
    const answered = Promise.withResolvers<void>();
    const request = { message, front, isControl, answered, isBusy: false, isReplied: false, isIdle: false };
    this.#open.set(message.id, request);
    if (this.#ended !== undefined) this.fail(message.id, this.#ended);
    else if (isControl) this.#report(request, "busy");
  }

  /** Whether a message of a front end is still to be passed on: a request that was answered meanwhile is not. */
  isWanted({ type, id }: JupyterMessage): boolean {
    return !type.endsWith("_request") || this.#open.has(id);
  }

  /** A reply of the real kernel was held until now: whether it is passed on. */
  takeReply(parent: JsonObject): boolean {
    this.#heard++;
    const id = String(parent.msg_id);
    const request = this.#open.get(id);
    if (request === undefined) return !this.#answered.has(id);
    if (request.isReplied) return false;
    request.isReplied = true;
    return true;
  }

  /** A reply was written: on the control channel the status follows it. */
  endReply({ parent }: JupyterMessage): void {
    const request = this.#open.get(String(parent.msg_id));
    if (request?.isControl) this.#report(request, "idle");
    if (request !== undefined) this.#settle(request);
  }

  /** A status of the real kernel: whether it is passed on. */
  takeStatus({ content, parent }: JupyterMessage): boolean {
    const id = String(parent.msg_id);
    const request = this.#open.get(id);
    if (request === undefined) return !this.#answered.has(id);
    if (content.execution_state === "busy") {
      if (request.isBusy) return false;
      request.isBusy = true;
    } else if (content.execution_state === "idle") {
      this.#heard++;
      if (request.isIdle) return false;
      request.isIdle = true;
      this.#settle(request);
    }
    return true;
  }

  /** The proxy reports that a request is done with where the real kernel has not. */
  reportIdle(id: string): void {
    const request = this.#open.get(id);
    if (request === undefined) return;
    this.#report(request, "idle");
    this.#settle(request);
  }

  /** Answers a request instead of the real kernel, as far as it is not answered. */
  answer(id: string, content: JsonObject): void {
    const request = this.#open.get(id);
    if (request === undefined) return;
    const { message: { header, type }, front } = request;
    this.#report(request, "busy");
    if (!request.isReplied) {
      request.isReplied = true;
      const reply = { type: type.replace(/_request$/, "_reply"), content, parent: header };
      // A front end that has gone needs no answer.
      front.write(this.#around.writer.write(reply)).catch(() => {});
    }
    this.#report(request, "idle");
    this.#settle(request);
  }

  /** Answers a request with an error, which is shown under its cell. */
  fail(id: string, failure: RequestFailure): void {
    const request = this.#open.get(id);
    if (request === undefined) return;
    const content = { ...failure, traceback: [`${failure.ename}: ${failure.evalue}`] };
    const { header, type } = request.message;
    if (type === "execute_request" && !request.isReplied && !request.isIdle) {
      this.#report(request, "busy");
      this.#around.publish(this.#around.writer.write({ type: "error", content, parent: header }));
    }
    this.answer(id, { status: "error", ...content });
  }

  /** A request was passed on: a real kernel that answers others and not this one will not answer it. */
  async watch({ id }: JupyterMessage, giveUp?: () => void): Promise<void> {
    const request = this.#open.get(id);
    if (request === undefined) return;
    const isAnswered = () => within(request.answered.promise.then(() => true), this.#around.patienceMs ?? PATIENCE_MS);
    if (await isAnswered()) return;
    // Control requests do not wait for cells.
    for (let heard = -1; !request.isControl && heard !== this.#heard;) {
      heard = this.#heard;
      const asked = this.#around.isAnswering().then(() => true, () => false);
      if (!await Promise.race([asked, request.answered.promise])) return;
      if (await isAnswered()) return;
    }
    giveUp?.();
    if (giveUp === undefined) this.fail(id, SILENT);
  }

  /** A front end has gone: nobody waits for its requests. */
  leave(front: Link): void {
    for (const [id, { answered }] of [...this.#open].filter(([, request]) => request.front === front)) {
      this.#open.delete(id);
      answered.resolve();
    }
  }

  /** The real kernel has ended, for one front end or altogether: what is open fails, and what is still to come. */
  end(failure: RequestFailure, front?: Link): void {
    if (front === undefined) this.#ended = failure;
    const left = [...this.#open.values()].filter((each) => front === undefined || each.front === front);
    for (const { message } of left) this.fail(message.id, failure);
  }

  #report(request: OpenRequest, state: "busy" | "idle"): void {
    if (state === "busy" ? request.isBusy : request.isIdle) return;
    if (state === "busy") request.isBusy = true;
    else request.isIdle = true;
    this.#tellState(state, request.message.header);
    const running = request.isControl && state === "idle" ? this.#around.runningCell() : undefined;
    // Front ends show the last status as the kernel's: a cell that still runs is busy.
    if (running !== undefined) this.#tellState("busy", running);
  }

  #tellState(state: string, parent: JsonObject): void {
    this.#around.publish(this.#around.writer.write({ type: "status", content: { execution_state: state }, parent }));
  }

  #settle(request: OpenRequest): void {
    if (!request.isReplied || !request.isIdle) return;
    const { id } = request.message;
    this.#open.delete(id);
    request.answered.resolve();
    this.#answered.add(id);
    if (this.#answered.size > MOST_ANSWERED) this.#answered.delete(this.#answered.values().next().value!);
  }
}
