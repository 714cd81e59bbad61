/** The embedded registry behind a socket, on `node:http`. */
import { getHeapStatistics } from "node:v8";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { MOST_MS } from "@seqreg/core/io/tasks";
import { type AnswerSlot, AnswerSlots } from "../http/answer_slots.ts";
import { answerClientError, refuseHeaders } from "../http/client_error.ts";
import { forgivePauses } from "../http/forgive_pauses.ts";
import { allowedHosts, refuseHost } from "../http/hosts.ts";
import { listen, reachable } from "../http/listen.ts";
import { watchAccepting } from "../http/accept_watch.ts";
import { Connections } from "../http/connections.ts";
import { fitToDescriptors } from "../http/descriptors.ts";
import { asWork, startWork } from "../schedule/work.ts";
import { answerPreflight, markReadable, readOrigins } from "../http/cors.ts";
import { breakOff, cutOff, type Exchange, openExchange, sendResponse, toRequest } from "../http/node_http.ts";
import { ReaderPace } from "../http/reader_pace.ts";
import { Refusal } from "../http/refusal.ts";
import type { RegistryService } from "./app.ts";
import { endServer, Grace } from "./_end_server.ts";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { checkOptions } from "@seqreg/core/options/check_options";

/** What a server holds at most, and how long it waits. */
export interface ServerLimits {
  /**
   * Answers under way at once, at most one of each connection; an eighth of them is kept for addresses that have none.
   * While other addresses wait, one address has at most half: what it has beyond that is cut off, slow readers first.
   * 256 by default, fewer where `memoryBytes` is less than 2 MiB for each.
   */
  readonly answers?: number;
  /** Memory that answers under way may take together, 2 MiB each; a quarter of the heap's limit by default. */
  readonly memoryBytes?: number;
  /** Requests that wait to be answered; more get 503 with `Retry-After`. 1,024 by default. */
  readonly waiting?: number;
  /** Requests of one connection that wait while one is answered; one more gets 503, and closes it. 64 by default. */
  readonly pipelined?: number;
  /**
   * Connections at once, 1,024 by default; fewer of them and of the answers where the process may open too few files
   * (`ulimit -n`), as {@linkcode RegistryServer.warnings} says. For one more of an address with fewer, that with the
   * most loses one that is idle, or whose request has not come to its end; else the address itself loses one that was
   * answered and is idle. Without such a one the new connection is closed unanswered.
   */
  readonly connections?: number;
  /** Bytes of a request's line and headers; more get 431, as do more than 200 headers. 16 KiB by default. */
  readonly headerBytes?: number;
  /** Time for a request's line and headers; slower ones get 408. 10 s by default. */
  readonly headersMs?: number;
  /** Time for a whole request; slower ones get 408. 60 s by default. */
  readonly requestMs?: number;
  /** Time of waiting for a client after which it is judged; time of other work does not count. 60 s by default. */
  readonly stallMs?: number;
  /**
   * Bytes that a client must take in `stallMs`; slower ones are cut off. The buffers of the system, some 4 MB, are
   * filled before, and take up to 1 MB at once afterwards. 512 KiB by default, with `stallMs` about 9 kB a second.
   */
  readonly stallBytes?: number;
  /** Time that open answers have to finish after the end was asked for. 10 s by default. */
  readonly graceMs?: number;
}

const SERVER_LIMITS = {
  answers: rule.number({ from: 0, to: Infinity }),
  memoryBytes: rule.number({ from: 0, to: Infinity }),
  waiting: rule.number({ from: 0, to: Infinity }),
  pipelined: rule.number({ from: 0, to: Infinity }),
  connections: rule.number({ from: 0, to: Infinity }),
  headerBytes: rule.number({ from: 1, to: Infinity }),
  headersMs: rule.number({ from: 1, to: Infinity }),
  requestMs: rule.number({ from: 1, to: Infinity }),
  stallMs: rule.number({ from: 1, to: Infinity }),
  stallBytes: rule.number({ from: 1, to: Infinity }),
  graceMs: rule.number({ from: 0, to: Infinity }),
} satisfies OptionRules<ServerLimits>;

/** One line of an access log. */
export interface AccessLogEntry {
  /** When the request came, ISO 8601 in UTC. */
  readonly time: string;
  /** Method as it came. */
  readonly method: string;
  /** Path and query as they came. */
  readonly target: string;
  /** Status of the answer. */
  readonly status: number;
  /** Bytes of the answer's body that were handed to the socket. */
  readonly bytes: number;
  /** Time from the request's headers to the end of the answer. */
  readonly durationMs: number;
  /** Whether the client had all of the answer. */
  readonly whole: boolean;
  /** Why the registry ended the answer before its end, such as a client that reads too slowly; absent otherwise. */
  readonly cutOff?: string;
}

/** Options of {@linkcode serveRegistry}. */
export interface ServeOptions {
  /** Address to listen on; `127.0.0.1` by default: this machine alone. */
  readonly hostname?: string;
  /** Port; 0, the default, picks a free one. */
  readonly port?: number;
  /** Further names by which clients may call this server, with or without a port, such as `registry.lab:8080`. */
  readonly allowHosts?: readonly string[];
  /** Origins whose pages may read the answers, such as `https://lab.example`; `*` for every page. None by default. */
  readonly corsOrigins?: readonly string[];
  /** What the server holds at most, and how long it waits. */
  readonly limits?: ServerLimits;
  /** Begins the end, as {@linkcode RegistryServer.shutdown} does. */
  readonly signal?: AbortSignal;
  /** Called for each answer when it has ended. */
  readonly onAnswer?: (entry: AccessLogEntry) => void;
  /** Called for each answer that broke, such as by a fault of the disk. */
  readonly onFault?: (fault: unknown) => void;
}

const SERVE_OPTIONS = {
  hostname: rule.text,
  port: rule.wholeNumber({ from: 0, to: 65_535 }),
  allowHosts: rule.texts,
  corsOrigins: rule.texts,
  limits: rule.shape<ServerLimits>(SERVER_LIMITS),
  signal: rule.signal,
  onAnswer: rule.callback(),
  onFault: rule.callback(),
} satisfies OptionRules<ServeOptions>;

/** A registry that listens. */
export interface RegistryServer {
  /** Base address, such as `http://127.0.0.1:41234`, without a trailing slash. */
  readonly url: string;
  /** Port it listens on. */
  readonly port: number;
  /** Settles when the last connection is closed. */
  readonly finished: Promise<void>;
  /** What is unusual, such as fewer connections than requested, since the process may open few files. */
  readonly warnings: readonly string[];
  /** Answers that were under way when the grace time was over, and were cut off. */
  readonly cut: number;
  /**
   * Takes no new connections, lets open answers finish within the grace time, then closes what is left. Called
   * again with fewer milliseconds, it shortens that time.
   */
  shutdown(graceMs?: number): Promise<void>;
}

/**
 * Time that an answered connection stays open. A client that asks again just when it is closed sees it reset: longer
 * than the pauses that programs make.
 */
const IDLE_MS = 75_000;

/** Interval between checks whether connections are accepted. */
const ACCEPT_LOOK_MS = 2000;

/**
 * What an answer under way holds, at most: pages of 10,000 records, 10,000 sequences and exports took 1 to 1.6 MB each
 * of 256 at once.
 */
const ANSWER_BYTES = 2 ** 21;

const LIMITS: Required<ServerLimits> = {
  answers: 256,
  memoryBytes: getHeapStatistics().heap_size_limit / 4,
  waiting: 1024,
  pipelined: 64,
  connections: 1024,
  headerBytes: 16 * 1024,
  headersMs: 10_000,
  requestMs: 60_000,
  stallMs: 60_000,
  stallBytes: 512 * 1024,
  graceMs: 10_000,
};

/** Limits that timers measure. */
const TIMES = ["headersMs", "requestMs", "stallMs", "graceMs"] as const;

/**
 * Lets a registry listen on a socket.
 *
 * A request must name one of the server's own hosts (`127.0.0.1`, `localhost`, `[::1]`, the address it listens on, each
 * with its port, and `allowHosts`), else it gets 421: a page elsewhere cannot reach it by a name of its own. No CORS
 * header is sent but to `corsOrigins`. A client that goes away ends the work on its answers. A connection has one
 * answer under way; addresses share slots, connections and computing time in turn.
 *
 * @param service The registry, such as from `createRegistryService()`.
 * @param options Address, hosts, limits, end.
 * @returns The server, which accepts requests.
 * @throws {RangeError} If the port is not an integer from 0 to 65535, or a host name or an origin is invalid.
 * @throws {RegistryError} With code `network` if the port is in use, or the address cannot be listened on.
 * @see Specification 1 and 5. Timeouts, header size, host names and the queue are not shown: chosen so that a slow,
 * large or misbehaving client does not affect others.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { serveRegistry } from "./server.ts";
 *
 * const server = await serveRegistry(() => Promise.resolve(new Response("hello")));
 * const response = await fetch(server.url);
 *
 * assertEquals(await response.text(), "hello");
 * await server.shutdown();
 * ```
 */
export async function serveRegistry(service: RegistryService, options: ServeOptions = {}): Promise<RegistryServer> {
  checkServeOptions(options);
  const { hostname = "127.0.0.1", port = 0, allowHosts = [], signal } = options;
  const given = Object.entries(options.limits ?? {}).filter(([, limit]) => limit !== undefined);
  const asked: Required<ServerLimits> = { ...LIMITS, ...Object.fromEntries(given) };
  signal?.throwIfAborted();
  const { warning, ...held } = fitToDescriptors(asked);
  const times = Object.fromEntries(TIMES.map((name) => [name, Math.min(asked[name], MOST_MS)]));
  const limits: Required<ServerLimits> = { ...asked, ...held, ...times };
  const server = createServer({
    // A whole request may not take less than its headers.
    headersTimeout: Math.min(limits.headersMs, limits.requestMs),
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: Math.ceil(Math.min(4000, limits.headersMs, limits.requestMs) / 4),
    maxHeaderSize: limits.headerBytes,
    keepAliveTimeout: IDLE_MS,
  });
  forgivePauses(server);
  const connections = new Connections(limits);
  connections.watch(server);
  const bound = await listen(server, hostname, port);
  const hosts = allowedHosts(hostname, bound, allowHosts);
  const origins = readOrigins(options.corsOrigins ?? []);
  const url = `http://${reachable(hostname)}:${bound}`;

  const open = new Map<Promise<void>, Exchange>();
  let ending: Promise<void> | undefined;
  // Even the smallest heap answers one at a time.
  const most = Math.floor(Math.min(limits.answers, Math.max(1, limits.memoryBytes / ANSWER_BYTES)));
  const slots = new AnswerSlots(most, most === 0 ? 0 : limits.waiting);
  const choose = async (exchange: Exchange, slot: AnswerSlot | undefined): Promise<Response> => {
    const refusal = refuseHeaders(exchange.incoming, limits.headerBytes) ?? refuseHost(exchange.incoming, hosts);
    if (refusal !== undefined) throw refusal;
    const preflight = answerPreflight(exchange.incoming, origins);
    if (preflight !== undefined) return preflight;
    if (slot === undefined) throw busy();
    const request = toRequest(exchange, url, slot.lost);
    return await asWork(startWork(exchange.client), () => service(request));
  };
  const busy = (): Refusal => {
    const detail = `Busy: ${most} answers are under way, and ${limits.waiting} requests wait; try again`;
    return new Refusal(503, detail, { "retry-after": "1" });
  };
  const answer = async (exchange: Exchange, isExcess: boolean): Promise<void> => {
    const { incoming } = exchange;
    const begun = performance.now();
    const time = new Date().toISOString();
    const { signal: gone } = exchange.gone;
    using slot = isExcess || gone.aborted ? undefined : await slots.wait(exchange.client, gone);
    const chosen = gone.aborted
      ? Promise.reject(gone.reason)
      : isExcess
      ? Promise.reject(tooMany(limits.pipelined))
      : choose(exchange, slot);
    const response = await chosen.catch((error) => {
      if (error instanceof Refusal) return error.toResponse();
      if (gone.aborted) return new Response(null, { status: 499 });
      if (slot?.lost.aborted) return busy().toResponse();
      throw error;
    });
    const readable = markReadable(response, incoming, origins);
    const closes = isExcess || ending !== undefined;
    const pace = new ReaderPace(limits);
    if (slot !== undefined && !slot.lost.aborted) {
      slot.send(() => pace.waitedMs);
      slot.lost.addEventListener("abort", () => cutOff(exchange, "its slot went to another address"));
    }
    const sent = await sendResponse(readable, exchange, { pace, closes });
    options.onAnswer?.({
      time,
      method: incoming.method ?? "",
      target: incoming.url ?? "",
      ...sent,
      durationMs: performance.now() - begun,
    });
  };
  const accept = (incoming: IncomingMessage, outgoing: ServerResponse, expectsContinue: boolean): void => {
    const { socket } = incoming;
    const exchange = openExchange(incoming, outgoing, { connection: connections.of(socket), expectsContinue });
    const answered = connections.answer(incoming, (isExcess) => answer(exchange, isExcess)).catch((fault) => {
      breakOff(exchange);
      options.onFault?.(fault);
    }).finally(() => open.delete(answered));
    open.set(answered, exchange);
  };
  server.on("request", (incoming, outgoing) => accept(incoming, outgoing, false));
  server.on("checkContinue", (incoming, outgoing) => accept(incoming, outgoing, true));
  server.on("clientError", answerClientError);

  const { promise: finished, resolve: onClosed } = Promise.withResolvers<void>();
  // A server that listens anew closes meanwhile.
  server.on("close", () => ending && onClosed());
  let deaf: unknown;
  const grace = new Grace();
  let cut = 0;
  const shutdown = (graceMs = limits.graceMs): Promise<void> => {
    grace.within(graceMs);
    return ending ??= endServer(server, open, grace, finished).then((left) => void (cut = left));
  };
  const onAbort = () => void shutdown();
  signal?.addEventListener("abort", onAbort, { once: true });
  const stopWatching = watchAccepting(server, {
    host: reachable(hostname),
    port: bound,
    everyMs: ACCEPT_LOOK_MS,
    hasRoom: () => ending === undefined && connections.hasRoom,
    onFault: (fault) => options.onFault?.(fault),
    listen: async () => {
      server.close();
      await listen(server, hostname, bound);
      if (ending !== undefined) server.close();
    },
    onEnd: (fault) => {
      deaf = fault;
      void shutdown();
      // A server that does not listen emits no event when it is closed.
      onClosed();
    },
  });
  const ended = finished.then(async () => {
    stopWatching();
    signal?.removeEventListener("abort", onAbort);
    await ending;
    if (deaf !== undefined) throw deaf;
  });
  ended.catch(() => {});
  return {
    url,
    port: bound,
    warnings: warning === undefined ? [] : [warning],
    finished: ended,
    shutdown,
    get cut() {
      return cut;
    },
  };
}

/**
 * Checks address, port, further hosts and origins without listening: before work that takes time.
 *
 * @throws {RangeError} If the port is not an integer from 0 to 65535, or a host name or an origin is invalid.
 *
 * @example
 * ```ts
 * import { assertThrows } from "@std/assert";
 * import { checkServeOptions } from "./server.ts";
 *
 * assertThrows(() => checkServeOptions({ allowHosts: ["http://registry.lab"] }), RangeError);
 * ```
 */
export function checkServeOptions(options: ServeOptions): void {
  checkOptions("serveRegistry()", options, SERVE_OPTIONS);
  const { hostname = "127.0.0.1", port = 0, allowHosts = [], corsOrigins = [] } = options;
  allowedHosts(hostname, port, allowHosts);
  readOrigins(corsOrigins);
}

function tooMany(pipelined: number): Refusal {
  const detail = `Busy: more than ${pipelined} requests wait on this connection; send them when others are answered`;
  return new Refusal(503, detail, { "retry-after": "1" });
}
