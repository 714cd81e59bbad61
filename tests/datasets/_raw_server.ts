/** A server on loopback whose every byte a test decides: HTTP as it goes wrong in the world. */

/** A request as it came. */
export interface RawRequest {
  /** Value of `filename`. */
  readonly fileName: string;
  /** Header fields, names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
}

/** Answers one request: writes what it likes. The connection is closed afterwards. */
export type RawAnswer = (request: RawRequest, send: (bytes: Uint8Array | string) => Promise<void>) => Promise<void>;

/** A running server. */
export interface RawServer extends AsyncDisposable {
  readonly url: string;
  /** Every request so far, in order. */
  readonly requests: readonly RawRequest[];
  /** Requests of archives among them. */
  readonly archives: readonly RawRequest[];
}

/** Options of {@linkcode startRawServer}. */
export interface RawServerOptions {
  /** Whether connections end with a reset: the last byte of a request is left unread, which the kernel answers so. */
  readonly resets?: () => boolean;
}

/** Starts a server. */
export function startRawServer(answer: RawAnswer, options: RawServerOptions = {}): RawServer {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const requests: RawRequest[] = [];
  const open = new Set<Deno.Conn>();
  const serve = async (connection: Deno.Conn) => {
    open.add(connection);
    try {
      const request = await readRequest(connection, options.resets?.() ?? false);
      if (request === undefined) return;
      requests.push(request);
      await answer(request, (bytes) => writeAll(connection, bytes));
    } catch {
      // The client went away, which is its right.
    } finally {
      open.delete(connection);
      try {
        connection.close();
      } catch {
        // Closed already.
      }
    }
  };
  const accepting = (async () => {
    for await (const connection of listener) void serve(connection);
  })();
  return {
    url: `http://127.0.0.1:${listener.addr.port}`,
    requests,
    get archives() {
      return requests.filter(({ fileName }) => fileName.endsWith(".csv.gz"));
    },
    async [Symbol.asyncDispose]() {
      listener.close();
      for (const connection of open) connection.close();
      await accepting.catch(() => {});
    },
  };
}

/** Writes the head of an answer. */
export function head(status: string, fields: Readonly<Record<string, string | number>>): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status}\r\nConnection: close\r\n${lines.join("")}\r\n`;
}

async function readRequest(connection: Deno.Conn, leavesLast: boolean): Promise<RawRequest | undefined> {
  const buffer = new Uint8Array(leavesLast ? 1 : 4096);
  const end = leavesLast ? "\r\n\r" : "\r\n\r\n";
  let text = "";
  while (!text.includes(end)) {
    const count = await connection.read(buffer);
    if (count === null) return undefined;
    text += new TextDecoder().decode(buffer.subarray(0, count));
  }
  const [first, ...lines] = text.split(end, 1)[0].split("\r\n");
  const url = new URL(first.split(" ")[1], "http://127.0.0.1");
  const headers = new Map(lines.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  }));
  return { fileName: url.searchParams.get("filename") ?? "", headers };
}

async function writeAll(connection: Deno.Conn, content: Uint8Array | string): Promise<void> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  for (let start = 0; start < bytes.length;) start += await connection.write(bytes.subarray(start));
}
