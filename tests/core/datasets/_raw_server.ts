/** The scripted server of `tests/faults`, as tests of datasets speak to it: by file names. */
import { serveFaults } from "../../faults/_server.ts";

export interface RawRequest {
  /** Value of `filename`. */
  readonly fileName: string;
  readonly headers: Headers;
  /** Breaks the connection as a crash would. */
  reset(): void;
}

/** Sends bytes as they are; throws when the client has gone, so that endless answers end. */
export type Send = (bytes: Uint8Array | string) => Promise<void>;

/** Answers one request: writes what it likes. The connection is closed afterwards. */
export type RawAnswer = (request: RawRequest, send: Send) => Promise<void>;

export interface RawServer extends AsyncDisposable {
  readonly url: string;
  /** Every request so far, in order. */
  readonly requests: readonly RawRequest[];
  /** Requests of archives among them. */
  readonly archives: readonly RawRequest[];
}

class ClientGone extends Error {}

export async function startRawServer(answer: RawAnswer): Promise<RawServer> {
  const requests: RawRequest[] = [];
  const server = await serveFaults(async (exchange) => {
    const url = new URL(exchange.request.path, exchange.url);
    const request: RawRequest = {
      fileName: url.searchParams.get("filename") ?? "",
      headers: exchange.request.headers,
      reset: () => exchange.reset(),
    };
    requests.push(request);
    const send: Send = async (bytes) => {
      if (exchange.gone) throw new ClientGone();
      await exchange.send(bytes);
    };
    try {
      await answer(request, send);
    } catch (error) {
      if (!(error instanceof ClientGone)) throw error;
    }
  });
  return {
    url: server.url,
    requests,
    get archives() {
      return requests.filter(({ fileName }) => fileName.endsWith(".csv.gz"));
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Writes the head of an answer. */
export function head(status: string, fields: Readonly<Record<string, string | number>>): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status}\r\nConnection: close\r\n${lines.join("")}\r\n`;
}
