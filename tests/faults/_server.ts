/**
 * A scripted server on a raw loopback socket: it sends exactly what a test tells it, however wrong.
 *
 * A test is a row of a table: what the server sends, what must happen. Real servers refuse to be this wrong, so this
 * one knows nothing of HTTP but how to find the end of a request.
 */
import { createServer, type Server, type Socket } from "node:net";
import { Buffer } from "node:buffer";

export interface SeenRequest {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

/** One request and the socket to answer it on. The connection is closed when the reply returns. */
export interface Exchange {
  readonly request: SeenRequest;
  /** Number of the request on this server, from 0. */
  readonly index: number;
  /** Base URL of the server, for redirects to itself. */
  readonly url: string;
  /** Sends bytes as they are, and waits until they are handed over; does nothing when the client has gone. */
  send(data: string | Uint8Array): Promise<void>;
  /** Breaks the connection as a crash would (RST). */
  reset(): void;
  /** Waits until the client goes away or the server is closed; never longer than a test may take. */
  untilGone(): Promise<void>;
  /** Whether the client has gone, or the server is closed. */
  readonly gone: boolean;
}

/** What the server does with one request. */
export type Reply = (exchange: Exchange) => Promise<void>;

export interface FaultServer extends AsyncDisposable {
  /** Base URL, without a trailing slash. */
  readonly url: string;
  /** Every request so far. */
  readonly requests: readonly SeenRequest[];
  /** Resolves when this many connections have been closed by either side. */
  closed(connections: number): Promise<void>;
}

/**
 * Starts a scripted server.
 *
 * @param script Replies in the order of the requests, the last one for all that follow; or one function for all.
 */
export async function serveFaults(script: Reply | readonly Reply[]): Promise<FaultServer> {
  const requests: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  const waiting: (() => void)[] = [];
  let closedCount = 0;
  let url = "";
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      closedCount++;
      for (const wake of waiting.splice(0)) wake();
    });
    readRequest(socket, (request) => {
      const index = requests.push(request) - 1;
      const reply = typeof script === "function" ? script : script[Math.min(index, script.length - 1)];
      reply(exchangeOn(socket, request, index, url)).finally(() => socket.end());
    });
  });
  const port = await listen(server);
  url = `http://127.0.0.1:${port}`;
  return {
    url,
    requests,
    async closed(connections) {
      while (closedCount < connections) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    async [Symbol.asyncDispose]() {
      const closing = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closing;
    },
  };
}

/** A proper answer with its length; header fields given win, and `null` leaves one out. */
export function answer(
  status: number,
  headers: Readonly<Record<string, string | null>> = {},
  body: string | Uint8Array = "",
): Reply {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const fields = new Map<string, string>([["content-length", String(bytes.length)], ["connection", "close"]]);
  for (const [name, value] of Object.entries(headers)) {
    if (value === null) fields.delete(name.toLowerCase());
    else fields.set(name.toLowerCase(), value);
  }
  const lines = [...fields].map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} Scripted\r\n${lines.join("")}\r\n`;
  return async (exchange) => {
    await exchange.send(head);
    if (bytes.length > 0) await exchange.send(bytes);
  };
}

/** An answer with a JSON body. */
export function json(value: unknown, status = 200, headers: Readonly<Record<string, string | null>> = {}): Reply {
  return answer(status, { "content-type": "application/json", ...headers }, JSON.stringify(value));
}

/** Bytes as they are, then the end of the connection. */
export function raw(...parts: (string | Uint8Array)[]): Reply {
  return async (exchange) => {
    for (const part of parts) await exchange.send(part);
  };
}

/** Bytes as they are, then a broken connection. */
export function rawThenReset(...parts: (string | Uint8Array)[]): Reply {
  return async (exchange) => {
    for (const part of parts) await exchange.send(part);
    exchange.reset();
  };
}

/** Bytes as they are, then silence until the client goes. */
export function rawThenSilence(...parts: (string | Uint8Array)[]): Reply {
  return async (exchange) => {
    for (const part of parts) await exchange.send(part);
    await exchange.untilGone();
  };
}

/** Bytes as they are, then the same few bytes again and again until the client goes. */
export function rawThenDrip(head: string, drop: string): Reply {
  return async (exchange) => {
    await exchange.send(head);
    while (!exchange.gone) {
      await exchange.send(drop);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
}

function exchangeOn(socket: Socket, request: SeenRequest, index: number, url: string): Exchange {
  return {
    request,
    index,
    url,
    get gone() {
      return socket.destroyed;
    },
    send: (data) =>
      new Promise((resolve) => {
        if (socket.destroyed) return resolve();
        const done = () => {
          socket.off("close", done);
          resolve();
        };
        socket.once("close", done);
        socket.write(typeof data === "string" ? data : Buffer.from(data), done);
      }),
    reset: () => void socket.resetAndDestroy(),
    untilGone: () =>
      new Promise((resolve) => {
        if (socket.destroyed) return resolve();
        socket.once("close", () => resolve());
        socket.once("end", () => resolve());
      }),
  };
}

function readRequest(socket: Socket, onRequest: (request: SeenRequest) => void): void {
  let bytes = Buffer.alloc(0);
  const onData = (chunk: Uint8Array) => {
    bytes = Buffer.concat([bytes, chunk]);
    const end = bytes.indexOf("\r\n\r\n");
    if (end === -1) return;
    const [first, ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
    const headers = new Headers(lines.map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }));
    const length = Number(headers.get("content-length") ?? 0);
    if (bytes.length < end + 4 + length) return;
    socket.off("data", onData);
    socket.resume();
    const [method, path] = first.split(" ");
    onRequest({ method, path, headers, body: bytes.subarray(end + 4, end + 4 + length).toString() });
  };
  socket.on("data", onData);
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (address === null || typeof address === "string") reject(new Error("Cannot listen on loopback"));
      else resolve(address.port);
    });
  });
}
