/** Decodes bodies with a `Content-Encoding`, within a maximum ratio and size. */
import { transformed } from "../io/bytes/closing.ts";
import { copyBytes } from "../io/bytes/join_bytes.ts";
import { CutGzipError, GzipError } from "../io/gzip/gunzip.ts";
import { type Codec, compressionOf, compressionOfCoding, isUndecided } from "../io/compression/compression.ts";
import { CutZstdError, ZstdError } from "../io/zstd/zstd_error.ts";
import { UnexpectedResponseError } from "./errors.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Maximum ratio of decoded to encoded bytes; gzip cannot exceed 1,032, real exports stay below 60. */
const MAX_RATIO = 250;

/** Decoded bytes up to which the ratio is not checked. */
const FREE_BYTES = 64 << 20;

/** Maximum decoded size if the encoded size is unknown: larger than any export of the specification's size. */
const MAX_CONTENT_BYTES = 2 ** 40;

/** Origin of an encoded body, for errors. */
interface CodedOrigin {
  readonly task: string;
  readonly url: string;
}

/** A body and its coding, for errors. */
interface CodedBody extends CodedOrigin {
  readonly coding: string;
}

/** The requested encoding of an answer. */
export interface CodingRequest {
  /** Whether gzip was accepted: then an injected `fetch` may have decoded the body. */
  readonly acceptsGzip: boolean;
}

/**
 * The request's header fields about content codings.
 *
 * The platform's `fetch` decodes only the first member of a gzip body, silently drops the others, and decodes a whole
 * piece of the network's at once, a thousand times its size. It decodes nothing if identity is requested, nor if the
 * request has a `Range`: bodies are decoded here, within limits. A server ignores a range of a POST, and one in a unit
 * that it does not know (RFC 9110, 14.2).
 */
export function codingFields({ acceptsGzip }: CodingRequest): Readonly<Record<string, string>> {
  return acceptsGzip
    ? { "accept-encoding": "gzip, identity;q=0.5", "range": "answer=whole" }
    : { "accept-encoding": "identity" };
}

/** Name of the content coding in lower case; empty for identity. */
function codingOf(headers: Headers): string {
  const coding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  return coding === "identity" ? "" : coding;
}

/** Length that the header announces; `null` without one, or if it counts encoded bytes. */
export function announcedBytes(headers: Headers): number | null {
  return codingOf(headers) === "" ? contentLength(headers) : null;
}

function contentLength(headers: Headers): number | null {
  const length = headers.get("content-length")?.trim() ?? "";
  return /^[0-9]{1,15}$/.test(length) ? Number(length) : null;
}

/**
 * Decodes the body of an answer.
 *
 * If gzip was accepted, an injected `fetch` may have decoded the body and kept the header field: the first bytes
 * decide.
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
  const compression = compressionOfCoding(coding);
  if (compression === undefined) {
    const shown = JSON.stringify(coding.slice(0, 50));
    throw new UnexpectedResponseError(
      `Cannot ${origin.task}: ${origin.url}: the answer is encoded as ${shown}, expected gzip, zstd or plain bytes; a proxy ` +
        `in between may do that, so try without it`,
      origin.url,
    );
  }
  const encodedBytes = contentLength(response.headers);
  const isChunked = response.headers.get("transfer-encoding")?.trim().toLowerCase() === "chunked";
  const how = { coding, compression, encodedBytes, isChunked, mayBeDecoded: acceptsGzip, origin };
  return toStream(transformed(response.body, (body) => decoded(body, how)));
}

/** How a body is encoded, and what is known of its length. */
interface BodyCoding {
  readonly coding: string;
  readonly compression: Codec;
  readonly encodedBytes: number | null;
  readonly isChunked: boolean;
  readonly mayBeDecoded: boolean;
  readonly origin: CodedOrigin;
}

async function* decoded(
  body: AsyncIterable<Bytes>,
  { coding, compression, encodedBytes, isChunked, mayBeDecoded, origin }: BodyCoding,
): AsyncGenerator<Bytes> {
  const chunks = body[Symbol.asyncIterator]();
  let received = 0;
  // Chunks end with a mark of their own: without it, reading them fails.
  const isWhole = () => isChunked || encodedBytes !== null && received >= encodedBytes;
  try {
    // One byte may come alone, and does not tell whether it is compressed.
    let head = new Uint8Array(0);
    for (let isAll = false; !isAll && isUndecided(head);) {
      const { done, value } = await chunks.next();
      isAll = done === true;
      if (!done) head = copyBytes([head, value]);
    }
    if (head.length === 0) return;
    received = head.length;
    const source = (async function* () {
      yield head;
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
        received += next.value.length;
        yield next.value;
      }
    })();
    const isDecoded = mayBeDecoded && compressionOf(head) === undefined;
    if (isDecoded) return yield* limited(source, () => encodedBytes, origin);
    const content = (async function* () {
      // The decompressor reuses its buffer; a reader of the body may keep its chunks.
      for await (const chunk of compression.decompress(source, "the answer")) yield chunk.slice();
    })();
    yield* limited(content, () => received, origin);
  } catch (cause) {
    if (!(cause instanceof GzipError || cause instanceof ZstdError)) throw cause;
    const isCut = cause instanceof CutGzipError || cause instanceof CutZstdError;
    if (isCut && isWhole()) throw endsEarly(cause, received, { ...origin, coding });
    throw isCut ? cause : damaged(cause, { ...origin, coding });
  }
}

function endsEarly(cause: Error, received: number, { task, url, coding }: CodedBody): UnexpectedResponseError {
  return new UnexpectedResponseError(
    `Cannot ${task}: ${url}: all ${received} bytes of the answer came, but its ${coding} data ends early; asking again is ` +
      "unlikely to help: report it to the registry",
    url,
    { cause },
  );
}

function damaged(cause: Error, { task, url, coding }: CodedBody): UnexpectedResponseError {
  return new UnexpectedResponseError(
    `Cannot ${task}: ${url}: the answer is declared as ${coding}, but is damaged or not ${coding} (${cause.message}); a ` +
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
