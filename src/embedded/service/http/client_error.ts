/** Answers data that is not HTTP, and requests that arrive too slowly. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { linger } from "./linger.ts";
import { Refusal } from "./refusal.ts";

/** Answers that have begun, by their sockets: nothing else may be written there. */
const answering = new WeakMap<Duplex, ServerResponse>();

/** Notes that a socket is taken by an answer from its first byte to its last. */
export function markAnswering(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { socket } = incoming;
  answering.set(socket, outgoing);
  outgoing.once("finish", () => answering.delete(socket));
}

/** Sockets that broke off, and are being closed. */
const broken = new WeakSet<Duplex>();

/**
 * Writes 408, 431 or 400 on a socket that broke off, after the answer that is under way there, and closes it when the
 * client has stopped sending.
 */
export async function answerClientError(error: Error, socket: Duplex): Promise<void> {
  // The parser reports another error for each chunk that still arrives, and adds a listener for each.
  if (broken.has(socket)) return;
  broken.add(socket);
  socket.removeAllListeners("data");
  const text = await textOf(refusalOf(error).toResponse());
  const answer = answering.get(socket);
  if (answer === undefined) return await close(socket, text);
  // The end of a request that has its answer already gets no second one.
  answer.once("finish", () => close(socket, answer.req.complete ? text : ""));
}

async function textOf(response: Response): Promise<string> {
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const body = await response.text();
  return `HTTP/1.1 ${response.status} ${REASONS[response.status]}\r\n${headers}connection: close\r\n\r\n${body}`;
}

async function close(socket: Duplex, text: string): Promise<void> {
  if (socket.writable) {
    socket.end(text);
    await linger(socket);
  }
  socket.destroy();
}

const REASONS: Readonly<Record<number, string>> = {
  400: "Bad Request",
  408: "Request Timeout",
  431: "Request Header Fields Too Large",
};

function refusalOf(error: Error): Refusal {
  const code = "code" in error ? error.code : "";
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new Refusal(408, "The request did not come in time; send it faster");
  if (code === "HPE_HEADER_OVERFLOW") return headersTooLarge();
  return new Refusal(400, "The request breaks the rules of HTTP");
}

/** Most headers of a request: the runtime drops some silently beyond 2,000. */
const MAX_HEADERS = 200;

/** Finds whether a request's headers are too many or too large together: the parser counts each alone. */
export function refuseHeaders({ rawHeaders }: IncomingMessage, maxBytes: number): Refusal | undefined {
  const bytes = rawHeaders.reduce((sum, text) => sum + text.length + 2, 0);
  return rawHeaders.length > 2 * MAX_HEADERS || bytes > maxBytes ? headersTooLarge() : undefined;
}

function headersTooLarge(): Refusal {
  return new Refusal(431, "The request's headers are too large or too many");
}
