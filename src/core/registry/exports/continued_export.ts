/** The bytes of an export whose connection may break: it is requested again, and resumed after the bytes received. */
import { type FileAnswer, NetworkError, NoResultsError, type Receipt, type RetryBudget } from "../../client/mod.ts";
import { RegistryError } from "../../errors.ts";
import { transformed } from "../../io/bytes/closing.ts";
import { equalDigests, startSha256 } from "../../io/digest/sha256.ts";

const LF = 10;

/** How an export is requested again. */
export interface ContinuedExport {
  /** Requests the same export once more. */
  readonly askAgain: () => Promise<FileAnswer>;
  /** Attempts and waiting, shared with the requests. */
  readonly retries: RetryBudget;
  readonly signal?: AbortSignal;
  /** Called with each chunk before it is yielded. */
  readonly onChunk: (chunk: Uint8Array) => void;
  /** Called at the end, with the answer that was read to its end, and whether it ends within a line. */
  readonly onEnd: (answer: FileAnswer, endsInLine: boolean) => void;
}

/** Shows the receipt of an answer to `see`; closes the answer if that throws. */
export async function seenAnswer(answer: FileAnswer, see: (receipt: Receipt) => void): Promise<FileAnswer> {
  try {
    see(answer.receipt());
  } catch (error) {
    await answer.body.cancel();
    throw error;
  }
  return answer;
}

/** Bytes that were handed out, and their digest. */
interface Given {
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Yields the bytes of an export, each once. An export has no ranges: after a break it is requested as a whole, and what
 * was handed out is skipped if the registry sends it again, byte for byte.
 *
 * @throws {NetworkError} If the connection breaks and no attempt is left, or the export begins with other bytes.
 */
export function continuedExport(first: FileAnswer, again: ContinuedExport): AsyncGenerator<Uint8Array> {
  return transformed(first.body, (chunks) => continued(first, chunks, again));
}

async function* continued(
  first: FileAnswer,
  chunks: AsyncIterable<Uint8Array>,
  { askAgain, retries, signal, onChunk, onEnd }: ContinuedExport,
): AsyncGenerator<Uint8Array> {
  let answer = first;
  let body = chunks;
  let given: Given = { bytes: 0, sha256: "" };
  let endsInLine = false;
  for (;;) {
    const hash = startSha256();
    let handedOut = 0;
    try {
      for await (const chunk of withoutGiven(body, given, answer.receipt().url)) {
        hash.update(chunk.bytes);
        if (!chunk.isNew) continue;
        retries.progress(chunk.bytes.length);
        handedOut += chunk.bytes.length;
        endsInLine = chunk.bytes.at(-1) !== LF;
        onChunk(chunk.bytes);
        yield chunk.bytes;
      }
      return onEnd(answer, endsInLine);
    } catch (broken) {
      await retries.pause(broken, { signal });
      if (handedOut > 0) given = { bytes: given.bytes + handedOut, sha256: hash.digest() };
      answer = await askAgain().catch((error) => {
        // What matched a moment ago is not gone: the break is what happened.
        throw error instanceof NoResultsError ? broken : error;
      });
      body = answer.body;
    }
  }
}

/** Marks the bytes of a body that were not handed out yet; throws before the first if those before them are others. */
async function* withoutGiven(
  body: AsyncIterable<Uint8Array>,
  { bytes, sha256 }: Given,
  url: string,
): AsyncGenerator<{ readonly bytes: Uint8Array; readonly isNew: boolean }> {
  let left = bytes;
  const hash = startSha256();
  const check = () => {
    if (left === 0 && equalDigests(hash.digest(), sha256)) return;
    throw otherBytes(url, bytes);
  };
  for await (const chunk of body) {
    if (left === 0) {
      yield { bytes: chunk, isNew: true };
      continue;
    }
    const old = chunk.subarray(0, left);
    left -= old.length;
    hash.update(old);
    yield { bytes: old, isNew: false };
    if (left > 0) continue;
    check();
    if (old.length < chunk.length) yield { bytes: chunk.subarray(old.length), isNew: true };
  }
  if (left > 0) check();
}

function otherBytes(url: string, bytes: number): RegistryError {
  return new NetworkError(
    `Cannot download: the connection to ${url} broke after ${bytes} bytes, and the same request brought other bytes ` +
      "then, so that the file cannot be continued; try again",
    url,
    { permanent: true },
  );
}
