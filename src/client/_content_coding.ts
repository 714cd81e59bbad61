/** Decodes bodies with a `Content-Encoding`, within a maximum ratio and size. */
import { isGzipFault } from "./_gzip_fault.ts";
import { isGzip } from "../io/gzip/is_gzip.ts";
import { UnexpectedResponseError } from "./errors.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Encodings that this module decodes, also if a server uses one unrequested. */
const UNDERSTOOD = ["gzip", "x-gzip"];

/** Additional encodings that the platform's `fetch` decodes, unless identity is requested. */
const DECODED_BY_FETCH = ["br"];

/** Maximum ratio of decoded to encoded bytes; gzip cannot exceed 1,032, real exports stay below 60. */
const MAX_RATIO = 250;

/** Decoded bytes up to which the ratio is not checked. */
const FREE_BYTES = 64 << 20;

/**
 * Maximum decoded size if the encoded size is unknown: larger than any export of the specification's size.
 */
const MAX_CONTENT_BYTES = 2 ** 40;

/** Origin of an encoded body, for errors. */
interface CodedOrigin {
  readonly task: string;
  readonly url: string;
}

/** The requested encoding of an answer. */
export interface CodingRequest {
  /** Whether gzip was accepted: then the platform's `fetch` decodes, but only the first member of a gzip body. */
  readonly acceptsGzip: boolean;
}

/**
 * The request's `Accept-Encoding`.
 *
 * The platform's `fetch` decodes only the first member of a gzip body and silently drops the others. It decodes nothing
 * if identity is requested: a body that is encoded anyway is then decoded here, with all members.
 */
export function acceptEncoding({ acceptsGzip }: CodingRequest): string {
  return acceptsGzip ? "gzip, identity;q=0.5" : "identity";
}

/** Name of the content coding in lower case; empty for identity. */
export function codingOf(headers: Headers): string {
  const coding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  return coding === "identity" ? "" : coding;
}

/**
 * Decodes the body of an answer.
 *
 * If gzip was accepted, the platform's `fetch` has decoded the body and kept the header field; an injected function may
 * not have: the first bytes decide. If identity was requested, nothing has been decoded.
 *
 * @throws {UnexpectedResponseError} If the coding is unknown; the stream fails with it beyond the limits.
 */
export function decodeContent(
  response: Response,
  origin: CodedOrigin,
  { acceptsGzip }: CodingRequest,
): ReadableStream<Bytes> | null {
  const coding = codingOf(response.headers);
  if (coding === "" || response.body === null) return response.body;
  if (!UNDERSTOOD.includes(coding) && !(acceptsGzip && DECODED_BY_FETCH.includes(coding))) {
    const shown = JSON.stringify(coding.slice(0, 50));
    throw new UnexpectedResponseError(
      `Cannot ${origin.task}: ${origin.url}: the answer is encoded as ${shown}, expected gzip or plain bytes; a proxy ` +
        `in between may do that, so try without it`,
      origin.url,
    );
  }
  const length = response.headers.get("content-length")?.trim() ?? "";
  const encodedBytes = /^[0-9]{1,15}$/.test(length) ? Number(length) : null;
  return toStream(decoded(response.body, { encodedBytes, mayBeDecoded: acceptsGzip, origin }));
}

async function* decoded(
  body: ReadableStream<Bytes>,
  { encodedBytes, mayBeDecoded, origin }: {
    readonly encodedBytes: number | null;
    readonly mayBeDecoded: boolean;
    readonly origin: CodedOrigin;
  },
): AsyncGenerator<Bytes> {
  const chunks = body[Symbol.asyncIterator]();
  try {
    let first = await chunks.next();
    while (!first.done && first.value.length === 0) first = await chunks.next();
    if (first.done) return;
    let received = first.value.length;
    const source = (async function* () {
      yield first.value;
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
        received += next.value.length;
        yield next.value;
      }
    })();
    if (mayBeDecoded && !isGzip(first.value)) return yield* limited(source, () => encodedBytes, origin);
    const { gunzip } = await import("../io/gzip/gunzip.ts");
    const content = (async function* () {
      // The decompressor reuses its buffer; a reader of the body may keep its chunks.
      for await (const chunk of gunzip(source, "the answer")) yield chunk.slice();
    })();
    yield* limited(content, () => received, origin);
  } catch (cause) {
    throw isGzipFault(cause) ? damaged(cause, origin) : cause;
  } finally {
    await chunks.return?.();
  }
}

function damaged(cause: Error, { task, url }: CodedOrigin): UnexpectedResponseError {
  return new UnexpectedResponseError(
    `Cannot ${task}: ${url}: the answer is declared as gzip, but is damaged or not gzip (${cause.message}); a ` +
      `proxy in between may do that, so try without it`,
    url,
    { cause },
  );
}

async function* limited(
  content: AsyncGenerator<Bytes>,
  encodedBytes: () => number | null,
  { task, url }: CodedOrigin,
): AsyncGenerator<Bytes> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    const encoded = encodedBytes();
    const most = encoded === null ? MAX_CONTENT_BYTES : Math.max(FREE_BYTES, encoded * MAX_RATIO);
    if (bytes > most) {
      const of = encoded === null ? "" : ` from ${encoded} encoded bytes, more than ${MAX_RATIO} per byte`;
      throw new UnexpectedResponseError(
        `Cannot ${task}: ${url}: the encoded answer has more than ${most} bytes${of}; report it to the registry`,
        url,
      );
    }
    yield chunk;
  }
}

function toStream(chunks: AsyncGenerator<Bytes>): ReadableStream<Bytes> {
  return new ReadableStream<Bytes>({
    async pull(controller) {
      const { value, done } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  }, { highWaterMark: 0 });
}
