/** Sends signed requests to a store: attempts, limits of time, errors. */
import { sha256 } from "../digest/sha256.ts";
import { readBytes } from "../bytes/byte_source.ts";
import { unlessAborted } from "../tasks/pause.ts";
import { joinBytes } from "../bytes/join_bytes.ts";
import { messageOf } from "../../errors.ts";
import { answerError, type Asked } from "./_answer_error.ts";
import { formatObjectAddress } from "./object_address.ts";
import { ObjectStoreError } from "./object_store_error.ts";
import type { StoreAccess } from "./store_access.ts";

export interface StoreRequest extends Asked {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer>;
  /** Statuses besides 200, 204 and 206 that are answers and no failures. */
  readonly accepts?: readonly number[];
}

/** An answer whose body has not been read. */
export interface StoreReply {
  readonly status: number;
  readonly headers: Headers;
  /** The body, in chunks; ends with an error if none comes for a while. Read it, or cancel. */
  readonly body: ReadableStream<Uint8Array> | null;
}

/** How requests are sent. */
export interface StoreTransport {
  /** Who asks, and where. */
  readonly access: StoreAccess;
  readonly fetch: (request: Request) => Promise<Response>;
  /** Waits before another attempt, in milliseconds. */
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
}

const MAX_ATTEMPTS = 4;
const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 20_000;
const HEADERS_MS = 30_000;
/** Slowest upload that is waited for, in bytes per millisecond. */
const SLOWEST = 64;
const MAX_TEXT_BYTES = 16 * 1024 * 1024;

/**
 * Sends a request until it is answered, four times at most, when a failure may pass.
 *
 * @throws {ObjectStoreError} If the store cannot be reached, or refuses.
 */
export async function exchange(
  request: StoreRequest,
  transport: StoreTransport,
  signal?: AbortSignal,
): Promise<StoreReply> {
  for (let attempt = 1;; attempt++) {
    const outcome = await sendOnce(request, transport, signal);
    if (!(outcome instanceof ObjectStoreError)) return outcome;
    if (attempt === MAX_ATTEMPTS || !["busy", "unreachable"].includes(outcome.fault)) throw outcome;
    const ms = FIRST_WAIT_MS * 4 ** (attempt - 1);
    await transport.wait(Math.min(MAX_WAIT_MS, ms / 2 + Math.random() * ms / 2), signal);
  }
}

export async function textOf(reply: StoreReply, signal?: AbortSignal): Promise<string> {
  if (reply.body === null) return "";
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const chunk of readBytes(reply.body, { signal })) {
    bytes += chunk.length;
    if (bytes > MAX_TEXT_BYTES) throw new Error(`the answer is larger than ${MAX_TEXT_BYTES} bytes`);
    chunks.push(chunk.slice());
  }
  return new TextDecoder().decode(joinBytes(chunks));
}

async function sendOnce(
  request: StoreRequest,
  { access, fetch }: StoreTransport,
  signal: AbortSignal | undefined,
): Promise<StoreReply | ObjectStoreError> {
  signal?.throwIfAborted();
  const address = formatObjectAddress(request.address);
  const stop = new AbortController();
  const onAbort = () => stop.abort(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  const limitMs = HEADERS_MS + (request.body?.length ?? 0) / SLOWEST;
  const timer = setTimeout(() => stop.abort(new Error(`no answer within ${Math.ceil(limitMs / 1000)} s`)), limitMs);
  const signed = await signRequest(request, access, stop.signal);
  try {
    const { status, headers, body } = await unlessAborted(fetch(signed), stop.signal);
    if ([200, 204, 206, ...request.accepts ?? []].includes(status)) return { status, headers, body };
    const text = await textOf({ status, headers, body }, stop.signal).catch(() => "");
    return answerError(request, { status, headers, text }, access);
  } catch (cause) {
    signal?.throwIfAborted();
    return unreachable(request, address, access, stop.signal.aborted ? stop.signal.reason : cause);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

async function signRequest(request: StoreRequest, access: StoreAccess, signal: AbortSignal): Promise<Request> {
  const url = new URL(request.address.key, access.bucketUrl(request.address.bucket));
  for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value);
  const headers = new Headers(request.headers);
  headers.set("x-amz-content-sha256", await sha256(request.body ?? new Uint8Array(0)));
  const { method, body } = request;
  const key = access.revealKey();
  let sent = headers;
  if (key !== undefined) {
    const { AwsV4Signer } = await import("aws4fetch");
    const signer = new AwsV4Signer({ url: url.href, method, headers, service: "s3", region: access.region, ...key });
    sent = (await signer.sign()).headers;
  }
  // Not signed: what is between here and the store may write it anew.
  sent.set("accept-encoding", "identity");
  return new Request(url, {
    method,
    headers: sent,
    redirect: "manual",
    credentials: "omit",
    cache: "no-store",
    signal,
    ...body !== undefined && { body },
  });
}

function unreachable(asked: Asked, address: string, access: StoreAccess, cause: unknown): ObjectStoreError {
  const where = access.endpoint ?? "AWS";
  if (cause instanceof Deno.errors.NotCapable) {
    const { host } = new URL(access.bucketUrl(asked.address.bucket));
    const message = `Cannot ${asked.task} ${address}: the network is not permitted; run with --allow-net=${host}`;
    return new ObjectStoreError(message, { fault: "denied", address }, cause);
  }
  const texts: string[] = [];
  for (let at = cause; at instanceof Error && texts.length < 5; at = at.cause) texts.unshift(at.message);
  const text = texts.length === 0 ? messageOf(cause) : texts.join(": ");
  const [, why] = REASONS.find(([pattern]) => pattern.test(text)) ?? ["", text.slice(0, 300)];
  const message = access.conceal(
    `Cannot ${asked.task} ${address}: ${where} did not answer: ${why}; check the endpoint`,
  );
  return new ObjectStoreError(message, { fault: "unreachable", address }, cause);
}

const REASONS: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/connection refused/i, "the connection was refused"],
  // The names of a certificate of another host appear as DnsName.
  [
    /certificate|UnknownIssuer|tls handshake/i,
    "its certificate is not trusted; set DENO_CERT=FILE for your own authority",
  ],
  [/dns|lookup|resolve|name or service not known|no such host/i, "host not found"],
  [/reset|closed before|broken pipe|unexpected eof|incomplete/i, "the connection broke"],
];
