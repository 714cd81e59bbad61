/** Answers data that is not HTTP, and requests that arrive too slowly. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { Refusal } from "./refusal.ts";

/** Sockets on which an answer has begun: nothing else may be written there. */
const answering = new WeakSet<Duplex>();

/** Notes that a socket is taken by an answer from its first byte to its last. */
export function markAnswering(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { socket } = incoming;
  answering.add(socket);
  outgoing.once("finish", () => answering.delete(socket));
}

/** Writes 408, 431 or 400 on a socket that broke off, and closes it. */
export async function answerClientError(error: Error, socket: Duplex): Promise<void> {
  if (!socket.writable || answering.has(socket)) {
    socket.destroy();
    return;
  }
  const response = refusalOf(error).toResponse();
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const head = `HTTP/1.1 ${response.status} ${REASONS[response.status]}\r\n${headers}connection: close\r\n\r\n`;
  socket.end(head + await response.text(), () => socket.destroy());
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
