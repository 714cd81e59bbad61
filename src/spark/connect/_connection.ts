/**
 * Requests of gRPC over the platform's own HTTP/2, `fetch`.
 *
 * `node:http2` of Deno 2.9 can end the whole process while a server closes a connection (denoland/deno#36788): a
 * notebook would lose its kernel. `fetch` shows no trailers, where gRPC puts a status that follows messages. A result
 * is complete with Spark's own `ResultComplete`, though, and a stream that ends without it is taken up again: the
 * server then sends the status of a failure alone, and such a status comes in the header.
 */
import type { UniversalClientRequest, UniversalClientResponse } from "@connectrpc/connect/protocol";
import { messageOf } from "@seqreg/core/errors";

/**
 * Calls that one connection carries at a time. A call's answers may be 2 MiB ahead of their reader and those of all
 * calls 5 MiB: of three calls, two slow readers leave room for the third.
 */
const MAX_CALLS = 3;

/** A connection, and how many calls it carries now. */
interface Way {
  readonly client: Deno.HttpClient;
  calls: number;
}

/** The connections to a server, made when they are needed and again when they are lost. */
export class SparkConnection {
  readonly #options: Deno.CreateHttpClientOptions;
  readonly #ways: Way[] = [];
  readonly #end = new AbortController();

  /** Takes the server's origin and a certificate to trust in addition to those of the platform. */
  constructor(baseUrl: string, ca: string | undefined) {
    const { protocol, hostname, port } = new URL(baseUrl);
    this.#options = {
      http1: false,
      http2: true,
      ...ca !== undefined && { caCerts: [ca] },
      // A proxy of the environment does not speak HTTP/2 without TLS: the way is direct.
      ...protocol === "http:" && { proxy: { transport: "tcp", hostname, port: Number(port || 80) } },
    };
  }

  /** Makes a request, until its signal ends it; the answer's body is read as fast as it is asked for. */
  async send({ url, header, body, signal }: UniversalClientRequest): Promise<UniversalClientResponse> {
    signal?.throwIfAborted();
    const way = this.#take();
    // The signal of connect ends with every call, whether it failed or not.
    signal?.addEventListener("abort", () => way.calls--, { once: true });
    const response = await fetch(url, {
      method: "POST",
      headers: header,
      // A body that is a stream is sent once: whether to repeat a request is for the session to decide.
      ...body !== undefined && { body: ReadableStream.from(body) },
      redirect: "manual",
      signal: AbortSignal.any([this.#end.signal, ...signal === undefined ? [] : [signal]]),
      client: way.client,
    }).catch(fail);
    const trailer = new Headers();
    return { status: response.status, header: response.headers, body: read(response, trailer), trailer };
  }

  /** Ends all requests and closes the connections at once. */
  close(): void {
    this.#end.abort();
    for (const { client } of this.#ways.splice(0)) client.close();
  }

  #take(): Way {
    let way = this.#ways.find(({ calls }) => calls < MAX_CALLS);
    if (way === undefined) {
      way = { client: Deno.createHttpClient(this.#options), calls: 0 };
      this.#ways.push(way);
    }
    way.calls++;
    return way;
  }
}

/** Reads a body, and then sets the status that its trailers have, were they shown. */
async function* read({ headers, body }: Response, trailer: Headers): AsyncGenerator<Uint8Array, void, void> {
  const reader = body?.getReader();
  for (;;) {
    const { value } = await reader?.read().catch(fail) ?? {};
    if (value === undefined) break;
    yield value;
  }
  if (!headers.has("grpc-status")) trailer.set("grpc-status", "0");
}

/** Throws the failure of a connection that was not made or was lost, without the request's address. */
function fail(thrown: unknown): never {
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
  throw new Error(messageOf(cause).replace(/^error sending request.*?\): (client error \(Connect\): )?/, ""), {
    cause: thrown,
  });
}
