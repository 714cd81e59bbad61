/** Between `node:http` and `fetch`: a request that came in, an answer that goes out, and what happens in between. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { markAnswering } from "./client_error.ts";
import type { Connection } from "./connections.ts";
import { Refusal } from "./refusal.ts";

/** Bytes of an unwanted body that are still read, so that the client sees the answer before the connection closes. */
const LINGER = { bytes: 64 * 2 ** 20, ms: 2000 } as const;

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
  /** Whether the body was asked for. */
  bodyWanted: boolean;
}

/** What became of an answer. */
export interface Sent {
  readonly status: number;
  /** Bytes of the body that were handed to the socket. */
  readonly bytes: number;
  /** Whether the client had all of it. */
  readonly whole: boolean;
}

/** Watches an exchange for the client's leaving. */
export function openExchange(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { connection, expectsContinue }: { readonly connection: Connection; readonly expectsContinue: boolean },
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
 * Sends an answer as fast as the client takes it. A client that goes away, or takes nothing for `stallMs`, cancels it.
 *
 * @throws What the answer's body fails with; the socket is then broken, so that the client cannot take it for whole.
 */
export async function sendResponse(
  response: Response,
  exchange: Exchange,
  options: { readonly stallMs: number; readonly closes: boolean },
): Promise<Sent> {
  const { incoming, outgoing, gone } = exchange;
  const reader = response.body?.getReader();
  const cancel = () => void reader?.cancel(gone.signal.reason).catch(() => {});
  gone.signal.addEventListener("abort", cancel, { once: true });
  let bytes = 0;
  try {
    if (gone.signal.aborted) return { status: response.status, bytes, whole: false };
    response.headers.forEach((value, name) => outgoing.setHeader(name, value));
    const waits = exchange.expectsContinue && !exchange.bodyWanted;
    if (options.closes || response.status === 413 || waits) outgoing.setHeader("connection", "close");
    markAnswering(incoming, outgoing);
    outgoing.writeHead(response.status);
    if (reader === undefined) outgoing.flushHeaders();
    while (reader !== undefined && !gone.signal.aborted) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes += value.length;
      if (!outgoing.write(value)) await drained(exchange, "drain", options.stallMs);
    }
    const readAll = waits || await discardBody(incoming, gone.signal);
    if (!gone.signal.aborted) {
      outgoing.end();
      await drained(exchange, "finish", options.stallMs);
    }
    // What still comes would be taken for the next request.
    if (!readAll) incoming.destroy();
    return { status: response.status, bytes, whole: outgoing.writableFinished };
  } catch (fault) {
    outgoing.destroy();
    if (gone.signal.aborted) return { status: response.status, bytes, whole: false };
    throw fault;
  } finally {
    gone.signal.removeEventListener("abort", cancel);
    cancel();
  }
}

/** Waits for the socket to take what it was given, the client to go, or the patience to end. */
function drained({ outgoing, gone }: Exchange, event: "drain" | "finish", stallMs: number): Promise<void> {
  if (gone.signal.aborted || event === "finish" && outgoing.writableFinished) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      outgoing.off(event, end);
      gone.signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(() => {
      gone.abort(new DOMException(`the client took nothing for ${stallMs} ms`, "AbortError"));
      outgoing.destroy();
    }, stallMs);
    outgoing.once(event, end);
    gone.signal.addEventListener("abort", end, { once: true });
  });
}

/**
 * Reads on past an answer that did not want the body. A socket that is closed with unread bytes is reset, and the
 * client may then never see its answer.
 *
 * @returns Whether the body was read to its end.
 */
async function discardBody(incoming: IncomingMessage, signal: AbortSignal): Promise<boolean> {
  if (incoming.readableEnded || incoming.complete && incoming.readableLength === 0 || signal.aborted) return true;
  await new Promise<void>((resolve) => {
    let left = LINGER.bytes;
    const end = () => {
      clearTimeout(timer);
      incoming.off("end", end).off("close", end).off("data", count);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const count = (chunk: Uint8Array) => {
      left -= chunk.length;
      if (left < 0) end();
    };
    const timer = setTimeout(end, LINGER.ms);
    incoming.once("end", end).once("close", end).on("data", count);
    signal.addEventListener("abort", end, { once: true });
    incoming.resume();
  });
  return incoming.readableEnded;
}
