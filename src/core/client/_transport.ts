/** One attempt: sends a request, follows redirects, and waits for the answer's header. */
import { VERSION } from "../contract/version.ts";
import { unlessAborted } from "../io/tasks/pause.ts";
import { BodyReader } from "./_body_reader.ts";
import { announcedBytes, codingFields, decodeContent } from "./_content_coding.ts";
import { isUnreachable } from "./_connect_probe.ts";
import { networkError } from "./_network_error.ts";
import { type Hop, isRedirect, isSameHost, nextHop, shownUrl } from "./_redirects.ts";
import { TimeoutError } from "./errors.ts";
import type { Intercept, InterceptedAnswer, InterceptedCall } from "./intercept.ts";
import type { Fetch, RequestOptions, Timeouts } from "./options.ts";
import type { Operation } from "../contract/paths.ts";
import { RETRIED_STATUSES } from "./retry_budget.ts";

/** A request of one of the five methods. */
export interface Call {
  /** The operation, for errors: `Cannot <task>: …`. */
  readonly task: string;
  readonly operation: Operation;
  /** The request, for the receipt. */
  readonly request: unknown;
  readonly method: "GET" | "POST";
  readonly url: URL;
  /** JSON text of a POST. */
  readonly body?: string;
  /** Header fields of this operation. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the answer is a file whose bytes are verified by a digest: never encoded, possibly from another host. */
  readonly isDataset: boolean;
  /** Whether the answer may be encoded: only if a truncated one is invalid, as with JSON. */
  readonly acceptsGzip: boolean;
  /** Milliseconds to the first byte of the body, if they differ from those of other requests. */
  readonly firstByteMs?: number;
}

export interface Transport {
  readonly fetch: Fetch;
  /** The caller's header fields, sent to the registry's own host only. */
  readonly headers: Readonly<Record<string, string>>;
  /** Answers calls instead of the wire, or lets them be sent. */
  readonly intercept?: Intercept;
  readonly timeouts: Required<Timeouts>;
  /** Whether to test with a separate connection if the host can be reached. */
  readonly probes: boolean;
}

/** An answer whose header was received. */
export interface Reply {
  /** Status and header; its body belongs to `body`. */
  readonly response: Response;
  /** Address that answered. */
  readonly url: string;
  readonly body: BodyReader;
}

/**
 * Sends a request once.
 *
 * Everything that can end the exchange (the caller's signal, a time limit, a consumer that stops) goes through one
 * controller, whose reason is thrown. A `fetch` that ignores its signal is abandoned, and its later answer is
 * cancelled.
 */
export async function sendOnce(
  call: Call,
  transport: Transport,
  { signal, again = false }: Pick<RequestOptions, "signal" | "again">,
): Promise<Reply> {
  signal?.throwIfAborted();
  const stop = new AbortController();
  const onAbort = () => stop.abort(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  const release = () => signal?.removeEventListener("abort", onAbort);
  const clearLimits = startLimits(call, transport, stop);
  try {
    const answering = transport.intercept === undefined
      ? answer(call, transport, stop.signal)
      : transport.intercept(describeCall(call, again), () => answer(call, transport, stop.signal));
    const { response, url, body: stream, expectedBytes, observer } = await unlessAborted(answering, stop.signal);
    const body = new BodyReader(stream, {
      task: call.task,
      url,
      expectedBytes,
      observer,
      isHashed: !call.isDataset || observer !== undefined,
      idleMs: transport.timeouts.idleMs,
      firstByteMs: call.firstByteMs ?? transport.timeouts.idleMs,
      stop,
      release,
    });
    return { response, url, body };
  } catch (error) {
    release();
    throw error;
  } finally {
    clearLimits();
  }
}

async function answer(call: Call, transport: Transport, stop: AbortSignal): Promise<InterceptedAnswer> {
  const { response, url } = await follow(call, transport, stop);
  return { response, url, body: await bodyOf(response, url, call), expectedBytes: announcedBytes(response.headers) };
}

/** The body without its coding; none where the coding is unknown and the status alone calls for another attempt. */
async function bodyOf(response: Response, url: string, call: Call): Promise<InterceptedAnswer["body"]> {
  if (call.isDataset) return response.body;
  try {
    return decodeContent(response, { task: call.task, url }, call);
  } catch (error) {
    await response.body?.cancel().catch(() => {});
    if (!RETRIED_STATUSES.includes(response.status)) throw error;
    return null;
  }
}

function describeCall({ operation, request, body, headers }: Call, isAgain: boolean): InterceptedCall {
  return {
    operation,
    request,
    body: body ?? null,
    accept: headers.accept ?? "*/*",
    isPart: headers.range !== undefined,
    isAgain,
  };
}

/** Sends the request and follows redirects to an answer. */
async function follow(
  call: Call,
  transport: Transport,
  stop: AbortSignal,
): Promise<{ response: Response; url: string }> {
  const hops: Hop[] = [{ method: call.method, url: call.url }];
  for (;;) {
    const { method, url } = hops[hops.length - 1];
    const ownHost = isSameHost(call.url, url);
    const response = await send({ ...call, method, url }, ownHost ? transport.headers : {}, transport, stop);
    if (stop.aborted) {
      await response.body?.cancel().catch(() => {});
      throw stop.reason;
    }
    if (!isRedirect(response.status)) return { response, url: shownUrl(url, call.url) };
    await response.body?.cancel().catch(() => {});
    const location = response.headers.get("location");
    hops.push(nextHop(call.task, hops, response.status, location, { otherHosts: call.isDataset }));
  }
}

async function send(
  call: Call,
  callersHeaders: Readonly<Record<string, string>>,
  transport: Transport,
  stop: AbortSignal,
): Promise<Response> {
  const headers = new Headers({ "user-agent": `seqreg/${VERSION}`, ...callersHeaders });
  for (const [name, value] of Object.entries(call.headers)) headers.set(name, value);
  for (const [name, value] of Object.entries(codingFields(call))) headers.set(name, value);
  const body = call.method === "POST" ? call.body : undefined;
  if (body !== undefined) headers.set("content-type", "application/json");
  try {
    return await transport.fetch(
      new Request(call.url, {
        method: call.method,
        body,
        headers,
        redirect: "manual",
        credentials: "omit",
        cache: "no-store",
        signal: stop,
      }),
    );
  } catch (cause) {
    if (stop.aborted) throw stop.reason;
    throw networkError(call.task, call.url.href, cause);
  }
}

const NO_ANSWER = "no answer from";

function startLimits(call: Call, transport: Transport, stop: AbortController): () => void {
  const { connectMs } = transport.timeouts;
  const headersMs = call.firstByteMs ?? transport.timeouts.headersMs;
  const { href } = call.url;
  const end = (what: string, ms: number) =>
    stop.abort(
      new TimeoutError(
        `Cannot ${call.task}: ${what} ${href} within ${ms / 1000} s; ` +
          (call.firstByteMs === undefined || what !== NO_ANSWER
            ? `check the base URL and the network, or allow more time`
            : `an export of all matches has this time for its first byte: allow more (--export-timeout, exportMs)`),
        href,
        ms,
      ),
    );
  const headersTimer = setTimeout(() => end(NO_ANSWER, headersMs), headersMs);
  const probe = new AbortController();
  let probeTimer: ReturnType<typeof setTimeout> | undefined;
  if (transport.probes && connectMs < headersMs) {
    probeTimer = setTimeout(async () => {
      probeTimer = setTimeout(() => probe.abort("late"), connectMs - connectMs / 2);
      const unreachable = await isUnreachable(call.url, probe.signal);
      if (unreachable && probe.signal.reason === "late") end("no connection to", connectMs);
    }, connectMs / 2);
  }
  return () => {
    clearTimeout(headersTimer);
    clearTimeout(probeTimer);
    probe.abort("over");
  };
}
