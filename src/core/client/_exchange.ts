/** From a planned request to an answer in memory or a file stream: attempts, statuses, limits, receipts. */
import { joinBytes } from "../io/bytes/join_bytes.ts";
import type { Naming } from "../contract/naming.ts";
import { releaseOf } from "../contract/answers/release_mark.ts";
import {
  type AnswerOrigin,
  type CheckedFileType,
  checkFileHead,
  checkFilePart,
  mediaTypeOf,
  unexpected,
} from "./_answer_checks.ts";
import { hideInError, hideValues } from "./caller_headers.ts";
import { statusError } from "./_status_error.ts";
import { type Call, type Reply, sendOnce, type Transport } from "./_transport.ts";
import type { FileAnswer, Receipt } from "./answers.ts";
import type { DatasetRequestOptions, RequestOptions } from "./options.ts";
import type { RetryBudget } from "./retry_budget.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Bytes of a file that are checked before it is returned. */
const HEAD_BYTES = 512;

export interface PlannedCall extends Call {
  /** Type of the requested file, if its first bytes can be checked. */
  readonly fileType?: CheckedFileType;
}

/** What all exchanges of a client share. */
export interface ExchangeContext {
  readonly baseUrl: string;
  /** The spellings of the deployment. */
  readonly naming: Naming;
  readonly transport: Transport;
  /** Maximum size of an answer that is held in memory. */
  readonly maxAnswerBytes: number;
  /** Time in milliseconds since 1970. */
  readonly now: () => number;
  /** Starts a retry budget for a request that has none. */
  readonly startRetries: () => RetryBudget;
}

export interface Whole<T> {
  readonly value: T;
  /** The bytes, untouched. */
  readonly bytes: Bytes;
  readonly mediaType: string;
  /** What happened on the wire. */
  readonly receipt: Receipt;
}

interface Outcome<T> {
  readonly value: T;
  readonly tries: number;
  readonly startedMs: number;
}

/** Calls an operation and reads its answer into memory; `read` checks it, and throws if it is invalid. */
export async function exchangeWhole<T>(
  plan: PlannedCall,
  options: RequestOptions,
  context: ExchangeContext,
  read: (bytes: Bytes, mediaType: string, origin: AnswerOrigin) => T,
): Promise<Whole<T>> {
  const outcome = await tryUntilAccepted(plan, options, context, async (reply) => {
    const origin = { task: plan.task, url: reply.url };
    const bytes = await readWhole(reply, context.maxAnswerBytes, origin);
    const mediaType = mediaTypeOf(reply.response.headers);
    return { reply, bytes, mediaType, value: read(bytes, mediaType, origin) };
  });
  const { reply, bytes, mediaType, value } = outcome.value;
  const { status, headers } = reply.response;
  const wire = { url: reply.url, status, headers, bytes: bytes.length, sha256: reply.body.sha256 };
  return { value, bytes, mediaType, receipt: receiptOf(plan, outcome, context, wire, context.now()) };
}

/** Calls an operation whose answer is a file: its status and its first bytes are checked before it is returned. */
export async function exchangeFile(
  plan: PlannedCall,
  options: DatasetRequestOptions,
  context: ExchangeContext,
): Promise<FileAnswer> {
  const { isDataset } = plan;
  const outcome = await tryUntilAccepted(plan, options, context, async (reply) => {
    const origin = { task: plan.task, url: reply.url };
    const part = checkFilePart(reply.response, options.range, origin);
    const head: Bytes[] = [];
    while (reply.body.bytes < HEAD_BYTES) {
      const chunk = await reply.body.read();
      if (chunk === null) break;
      head.push(chunk);
    }
    if (part.start === 0) checkFileHead(joinBytes(head), mediaTypeOf(reply.response.headers), origin, plan.fileType);
    return { reply, part, head };
  });
  const { reply: { response, url, body }, part, head } = outcome.value;
  let bytes = 0;
  let sha256: string | null = null;
  let finishedMs: number | null = null;
  const stream = body.toStream(head, (chunk) => bytes += chunk.length, () => {
    sha256 = isDataset ? null : body.sha256;
    finishedMs = context.now();
  });
  return {
    status: response.status,
    mediaType: mediaTypeOf(response.headers),
    headers: response.headers,
    ...part,
    body: stream,
    receipt() {
      const { status, headers } = response;
      return receiptOf(plan, outcome, context, { url, status, headers, bytes, sha256 }, finishedMs);
    },
  };
}

/** Retries until an answer is accepted, or a retry cannot help. */
async function tryUntilAccepted<T>(
  plan: PlannedCall,
  options: DatasetRequestOptions,
  context: ExchangeContext,
  accept: (reply: Reply) => Promise<T>,
): Promise<Outcome<T>> {
  const { signal } = options;
  const retries = options.retries ?? context.startRetries();
  const startedMs = context.now();
  for (let tries = 1;; tries++) {
    try {
      const reply = await sendOnce(plan, context.transport, options);
      try {
        await demandStatus(plan, reply, context, signal);
        return { value: await accept(reply), tries, startedMs };
      } catch (error) {
        await reply.body.cancel(error);
        throw error;
      }
    } catch (error) {
      const hide = (text: string) => hideValues(text, context.transport.headers);
      await retries.pause(hideInError(error, hide), { signal });
    }
  }
}

async function demandStatus(
  plan: PlannedCall,
  reply: Reply,
  { transport, naming }: ExchangeContext,
  signal?: AbortSignal,
): Promise<void> {
  const { response, url, body } = reply;
  if (response.status === 200 || response.status === 206 && plan.operation === "datasets_download") return;
  if (response.status < 400) {
    const origin = { task: plan.task, url };
    if (response.status === 202 || response.status === 204) {
      const what = response.status === 202 ? "accepted the request (202) but sent no result" : "sent no content (204)";
      throw unexpected(`the registry ${what}`, origin, { advice: "try again later, or ask the registry's operators" });
    }
    throw unexpected(`expected status 200, got ${response.status}`, origin);
  }
  const isDownload = plan.operation === "download";
  const { headers, timeouts } = transport;
  const timeoutMs = timeouts.headersMs;
  throw await statusError({
    task: plan.task,
    isDownload,
    response,
    url,
    body,
    timeoutMs,
    secrets: headers,
    naming,
    signal,
  });
}

/** Reads a body into memory, within limits. */
async function readWhole({ body }: Reply, maxBytes: number, origin: AnswerOrigin): Promise<Bytes> {
  const parts: Bytes[] = [];
  for (let chunk = await body.read(); chunk !== null; chunk = await body.read()) {
    parts.push(chunk);
    if (body.bytes > maxBytes) {
      throw unexpected(`the answer is larger than ${maxBytes} bytes, which is too large for memory`, origin, {
        advice: "request less at once, such as smaller pages",
        maxBytes,
      });
    }
  }
  return joinBytes(parts);
}

function receiptOf(
  { operation, method, request }: PlannedCall,
  { tries, startedMs }: Outcome<unknown>,
  { baseUrl }: ExchangeContext,
  { headers, ...wire }: Pick<Receipt, "url" | "status" | "bytes" | "sha256"> & { readonly headers: Headers },
  finishedMs: number | null,
): Receipt {
  const started = new Date(startedMs).toISOString();
  const finished = finishedMs === null ? null : new Date(finishedMs).toISOString();
  const release = releaseOf(headers);
  const mark = release === undefined ? {} : { release };
  return { operation, registry: baseUrl, method, request, ...wire, started, finished, tries, ...mark };
}
