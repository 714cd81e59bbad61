/** Answers `GET /v2/datasets_download`: the sixteen dataset files, as they were imported, whole or in part. */
import { RegistryError } from "@seqreg/core/errors";
import { nearest } from "@seqreg/core/options/nearest";
import type { ServiceContext } from "./context.ts";
import { COMMON_HEADERS, invalid, Refusal } from "../http/refusal.ts";
import { type ByteRange, readRange } from "../http/byte_range.ts";
import type { ArchiveReading, StoredArchive } from "../store/store.ts";

/** Bytes of a file that are read at once. */
const CHUNK_BYTES = 1 << 18;

/**
 * Answers `GET /v2/datasets_download` and `HEAD` of it. A name is looked up in the store's list and never used as a
 * path.
 *
 * @see Specification 4.1. Not shown in it: that a part can be asked for (`Range`, with `If-Range`), that the `etag` is
 * the file's SHA-256, and that a matching `If-None-Match` is answered with 304, another `If-Match` with 412. Chosen so
 * that downloads resume.
 */
export async function answerDatasetFile(request: Request, context: ServiceContext): Promise<Response> {
  const file = findFile(new URL(request.url).searchParams.getAll("filename"), context.store.files);
  using opened = new DisposableStack();
  // What is no longer there is neither sent nor called unchanged.
  const reading = opened.use(await openUnchanged(file, context));
  const etag = `"${file.sha256}"`;
  const headers = {
    ...COMMON_HEADERS,
    "content-type": file.name.endsWith(".gz") ? "application/gzip" : "text/plain; charset=utf-8",
    "content-disposition": `attachment; filename="${file.name}"`,
    "accept-ranges": "bytes",
    etag,
  };
  const [ifMatch, ifNoneMatch] = ["if-match", "if-none-match"].map((name) => request.headers.get(name));
  if (ifMatch !== null && !listsTag(ifMatch, etag)) {
    throw new Refusal(412, `${file.name} is another version than the one that If-Match names`, { etag });
  }
  // RFC 9110: weak tags count here as well.
  if (ifNoneMatch !== null && listsTag(ifNoneMatch.replaceAll("W/", ""), etag)) {
    return new Response(null, { status: 304, headers });
  }
  const isHead = request.method === "HEAD";
  const ifRange = request.headers.get("if-range");
  // RFC 9110: only GET knows parts, and a part of another version than the caller's is the whole of this one.
  const wantsPart = !isHead && (ifRange === null || ifRange === etag);
  const range = wantsPart ? readRange(request.headers.get("range"), file.bytes) : undefined;
  if (range === "unsatisfiable") {
    throw new Refusal(416, `The range is outside the file, which has ${file.bytes} bytes`, {
      "content-range": `bytes */${file.bytes}`,
    });
  }
  const { start, end } = range ?? { start: 0, end: file.bytes };
  if (!isHead) opened.move();
  return new Response(isHead ? null : streamFile(reading, { start, end }, context.onFault), {
    status: range === undefined ? 200 : 206,
    headers: {
      ...headers,
      "content-length": String(end - start),
      ...range && { "content-range": `bytes ${start}-${end - 1}/${file.bytes}` },
    },
  });
}

function findFile(names: readonly string[], files: ReadonlyMap<string, StoredArchive>): StoredArchive {
  if (names.length !== 1) {
    throw invalid(
      ["query", "filename"],
      `expected one filename, got ${names.length === 0 ? "none" : names.length}`,
      names.length === 0 ? "missing" : "too_many",
    );
  }
  const file = files.get(names[0]);
  if (file !== undefined) return file;
  const known = [...files.keys()];
  throw invalid(
    ["query", "filename"],
    `expected one of ${known.join(", ")}; did you mean ${nearest(names[0], known)}?`,
    "invalid_value",
  );
}

function listsTag(header: string, etag: string): boolean {
  return header.trim() === "*" || header.split(",").some((tag) => tag.trim() === etag);
}

/** What was proved at import is not what would be sent after an archive was overwritten: better nothing than that. */
async function openUnchanged(file: StoredArchive, { onFault, retrySeconds }: ServiceContext): Promise<ArchiveReading> {
  try {
    return await file.open();
  } catch (cause) {
    if (!(cause instanceof RegistryError)) throw cause;
    onFault(cause);
    throw new Refusal(
      503,
      `${file.name} was overwritten after it was imported; it will be available once the registry has imported the ` +
        "new version",
      { "retry-after": String(retrySeconds) },
    );
  }
}

/** Each piece is handed out after it was checked that the file was not overwritten. */
function streamFile(
  reading: ArchiveReading,
  { start, end }: ByteRange,
  onFault: (fault: unknown) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let position = start;
  let cancelled = false;
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      try {
        const chunk = new Uint8Array(Math.min(CHUNK_BYTES, end - position));
        await reading.read(chunk, position);
        position += chunk.length;
        if (chunk.length > 0) controller.enqueue(chunk);
        if (position < end) return;
        reading[Symbol.dispose]();
        controller.close();
      } catch (fault) {
        reading[Symbol.dispose]();
        // The reader is gone: discard the pending read.
        if (cancelled) return;
        onFault(fault);
        throw fault;
      }
    },
    cancel() {
      cancelled = true;
      reading[Symbol.dispose]();
    },
  }, { highWaterMark: 0 });
}
