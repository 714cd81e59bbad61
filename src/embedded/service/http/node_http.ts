/** Between `node:http` and `fetch`: a request that came in, an answer that goes out, and what happens in between. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { markAnswering } from "./client_error.ts";
import type { ClientConnection } from "./connections.ts";
import { linger } from "./linger.ts";
import type { ReaderPace } from "./reader_pace.ts";
import { Refusal } from "./refusal.ts";

/** Bytes that are handed to the socket at once: what it may hold back, and the unit in which pace is measured. */
const PIECE_BYTES = 1 << 16;

/** One request with the response that will answer it. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Whether the client waits for `100 Continue` before it sends its body. */
  readonly expectsContinue: boolean;
  /** Ends when the client goes away. */
  readonly gone: AbortController;
  /** Address of the client. */
  readonly client: string;
  bodyWanted: boolean;
}

/** What became of an answer. */
export interface Sent {
  readonly status: number;
  /** Bytes of the body that were handed to the socket. */
  readonly bytes: number;
  /** Whether the client had all of it. */
  readonly whole: boolean;
  /** Why the registry ended the answer before its end; absent if it did not. */
  readonly cutOff?: string;
}

/** An answer is ended although the client is still there. */
export class CutOff extends DOMException {
  constructor(message: string) {
    super(message, "AbortError");
  }
}

/** Ends an exchange although its client is still there. */
export function cutOff(exchange: Exchange, why: string): void {
  exchange.gone.abort(new CutOff(why));
  breakOff(exchange);
}

/**
 * Closes the socket of an answer before its end. HTTP/1.0 has no chunks, and an answer without a length ends there with
 * its connection, as a proxy of that version reads it: only a reset shows that it is not whole.
 */
export function breakOff({ incoming, outgoing }: Pick<Exchange, "incoming" | "outgoing">): void {
  if (incoming.httpVersion === "1.0") incoming.socket.resetAndDestroy();
  else outgoing.destroy();
}

/** Watches an exchange for the client's leaving. */
export function openExchange(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { connection, expectsContinue }: { readonly connection: ClientConnection; readonly expectsContinue: boolean },
): Exchange {
  const gone = new AbortController();
  const leave = () => {
    if (!outgoing.writableFinished) gone.abort(new DOMException("the client went away", "AbortError"));
  };
  outgoing.once("close", leave);
  incoming.once("aborted", leave);
  incoming.on("error", leave);
  outgoing.on("error", leave);
  connection.left.addEventListener("abort", leave);
  outgoing.once("finish", () => connection.left.removeEventListener("abort", leave));
  return { incoming, outgoing, expectsContinue, gone, client: connection.client, bodyWanted: false };
}

/**
 * Makes a `Request`. Its body is read from the socket only as fast as it is used.
 *
 * @throws {Refusal} If the request cannot be one: an unknown method, target or header.
 */
export function toRequest(exchange: Exchange, origin: string, lost: AbortSignal): Request {
  const { incoming, gone } = exchange;
  const method = incoming.method ?? "GET";
  const target = (incoming.url ?? "/").replace(/^https?:\/\/[^/?#]*/i, "") || "/";
  if (!target.startsWith("/") && !target.startsWith("?")) {
    throw new Refusal(400, "Expected a target that begins with /");
  }
  const headers = new Headers();
  try {
    for (let at = 0; at + 1 < incoming.rawHeaders.length; at += 2) {
      headers.append(incoming.rawHeaders[at], incoming.rawHeaders[at + 1]);
    }
  } catch {
    throw new Refusal(400, "A header is malformed");
  }
  if (method === "TRACE" || method === "CONNECT" || method === "TRACK") {
    throw new Refusal(405, `Method not allowed: ${method}`, { allow: "GET, HEAD, POST" });
  }
  const body = method === "GET" || method === "HEAD" ? null : bodyOf(exchange);
  // Written after the origin, a target such as //elsewhere/v2 stays a path.
  return new Request(`${origin}${target}`, { method, headers, body, signal: AbortSignal.any([gone.signal, lost]) });
}

function bodyOf(exchange: Exchange): ReadableStream<Uint8Array> {
  const { incoming, outgoing, gone } = exchange;
  let chunks: AsyncIterator<Uint8Array> | undefined;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (chunks === undefined) {
        exchange.bodyWanted = true;
        if (exchange.expectsContinue) outgoing.writeContinue();
        // The socket outlives its body: an answer is still to be sent.
        chunks = incoming.iterator({ destroyOnReturn: false });
      }
      try {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(new Uint8Array(value));
      } catch (cause) {
        gone.abort(new DOMException("the client went away", "AbortError"));
        throw cause;
      }
    },
    async cancel() {
      await chunks?.return?.();
    },
  }, { highWaterMark: 0 });
}

/**
 * Sends an answer as fast as the client takes it. A client that goes away, or takes too little, cancels it.
 *
 * @throws What the answer's body fails with; the socket is then closed, so that the client cannot mistake the
 * answer for complete.
 */
export async function sendResponse(
  response: Response,
  exchange: Exchange,
  options: { readonly pace: ReaderPace; readonly closes: boolean },
): Promise<Sent> {
  const { incoming, outgoing, gone } = exchange;
  const reader = response.body?.getReader();
  const cancel = () => void reader?.cancel(gone.signal.reason).catch(() => {});
  gone.signal.addEventListener("abort", cancel, { once: true });
  let bytes = 0;
  const broken = (): Sent => {
    const { reason } = gone.signal;
    return { status: response.status, bytes, whole: false, ...reason instanceof CutOff && { cutOff: reason.message } };
  };
  try {
    if (gone.signal.aborted) return broken();
    response.headers.forEach((value, name) => outgoing.setHeader(name, value));
    const waits = exchange.expectsContinue && !exchange.bodyWanted;
    if (options.closes || response.status === 413 || waits) outgoing.setHeader("connection", "close");
    markAnswering(incoming, outgoing);
    outgoing.writeHead(response.status);
    if (reader === undefined) outgoing.flushHeaders();
    while (reader !== undefined && !gone.signal.aborted) {
      const { done, value } = await reader.read();
      if (done) break;
      for (let at = 0; at < value.length && !gone.signal.aborted; at += PIECE_BYTES) {
        const piece = value.subarray(at, at + PIECE_BYTES);
        bytes += piece.length;
        if (!outgoing.write(piece)) await drained(exchange, "drain", options.pace);
        options.pace.take(piece.length);
      }
    }
    const readAll = waits || await discardBody(incoming, gone.signal);
    if (!gone.signal.aborted) {
      outgoing.end();
      await drained(exchange, "finish", options.pace);
    }
    // What still comes would be taken for the next request.
    if (!readAll) incoming.destroy();
    return outgoing.writableFinished ? { status: response.status, bytes, whole: true } : broken();
  } catch (fault) {
    breakOff(exchange);
    if (gone.signal.aborted) return broken();
    throw fault;
  } finally {
    gone.signal.removeEventListener("abort", cancel);
    cancel();
  }
}

/** Waits for the socket to take what it was given, the client to go, or to be found too slow. */
function drained(exchange: Exchange, event: "drain" | "finish", pace: ReaderPace): Promise<void> {
  const { outgoing, gone } = exchange;
  if (gone.signal.aborted || event === "finish" && outgoing.writableFinished) return Promise.resolve();
  return new Promise((resolve) => {
    let since = performance.now();
    const pass = () => {
      const now = performance.now();
      pace.wait(now - since);
      since = now;
    };
    const end = () => {
      pass();
      clearTimeout(timer);
      outgoing.off(event, end);
      gone.signal.removeEventListener("abort", end);
      resolve();
    };
    const judge = () => {
      pass();
      if (pace.judge()) cutOff(exchange, "the client reads too slowly");
      else timer = setTimeout(judge, pace.leftMs);
    };
    let timer = setTimeout(judge, pace.leftMs);
    outgoing.once(event, end);
    gone.signal.addEventListener("abort", end, { once: true });
  });
}

/** Reads on past an answer that did not want the body. Returns whether the body was read to its end. */
async function discardBody(incoming: IncomingMessage, signal: AbortSignal): Promise<boolean> {
  if (incoming.readableEnded || incoming.complete && incoming.readableLength === 0 || signal.aborted) return true;
  await linger(incoming, signal);
  return incoming.readableEnded;
}
