/** A registry with a fault, and what must come of a download from it. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { fetchArchive, type FetchArchiveOptions, type VerifiedArchive } from "../../../src/core/datasets/mod.ts";
import { RegistryError, type RegistryErrorCode } from "../../../src/core/errors.ts";
import {
  archiveBytes,
  CHECKSUM,
  checksumOf,
  finalFiles,
  ID,
  impatientClient,
  sendWhole,
  serveWell,
} from "./_archive.ts";
import { head, type RawAnswer, type RawServer } from "./_raw_server.ts";

export const BYTES = archiveBytes(1);
/** Another of the same name. */
export const OTHER = archiveBytes(2);
export const TEXT = await checksumOf(BYTES);
export const OTHER_TEXT = await checksumOf(OTHER);
export const HALF = BYTES.length >> 1;
export const ETAG = '"one"';
/** Texts to bytes. */
export const encoder = new TextEncoder();

/** What must have happened in the end. */
export interface Outcome {
  /** The file came whole, or the error that came instead. */
  readonly gives: "the archive" | RegistryErrorCode;
  /** Words of the error, or of a warning. */
  readonly says?: string;
  /** Requests of the archive. */
  readonly requests: number;
}

/** Answers the checksum file well, and the n-th request of the archive by the n-th answer, the last one again. */
export function archiveAnswers(...answers: RawAnswer[]): () => RawAnswer {
  return () => {
    let times = 0;
    return async (request, send) => {
      if (request.fileName === CHECKSUM) return await sendWhole(send, encoder.encode(TEXT));
      await answers[Math.min(times++, answers.length - 1)](request, send);
    };
  };
}

/** A registry without a fault, with and without an ETag. */
export const well = serveWell(() => ({ bytes: BYTES, etag: ETAG, checksum: TEXT }));
export const wellWithoutTag = serveWell(() => ({ bytes: BYTES, checksum: TEXT }));

/** Announces the whole and breaks off after some bytes. */
export function short(bytes: number, fields: Readonly<Record<string, string>> = { ETag: ETAG }): RawAnswer {
  return async (_, send) => {
    await send(head("200 OK", { "Content-Length": BYTES.length, ...fields }));
    await send(BYTES.subarray(0, bytes));
  };
}

/** Fetches the archive, and checks what came of it and what it left. */
export async function expectOutcome(
  server: RawServer,
  cache: string,
  outcome: Outcome,
  options: FetchArchiveOptions = {},
) {
  const result = await attempt(server, cache, options);
  if (result instanceof RegistryError) {
    assertEquals([outcome.gives, result.message], [result.code, result.message]);
    if (outcome.says !== undefined) assertStringIncludes(result.message, outcome.says);
    if (result.code === "checksum") {
      for (const says of ["expected SHA-256", ", got ", "received bytes were removed", "Likely causes: "]) {
        assertStringIncludes(result.message, says);
      }
    }
    assertEquals(await finalFiles(cache), [], "nothing has a final name");
  } else {
    assertEquals(outcome.gives, "the archive");
    assertEquals(await Deno.readFile(result.path), BYTES);
    const warnings = result.ledger.warnings.join("\n");
    if (outcome.says === undefined) assertEquals(warnings, "");
    else assertStringIncludes(warnings, outcome.says);
    assertEquals(await partials(cache), []);
  }
  assertEquals(server.archives.length, outcome.requests);
}

/** Fetches the archive, or gives the error. */
export async function attempt(
  server: RawServer,
  cache: string,
  options: FetchArchiveOptions = {},
): Promise<VerifiedArchive | RegistryError> {
  try {
    return await fetchArchive(impatientClient(server.url), ID, { cache, ...options });
  } catch (error) {
    if (error instanceof RegistryError) return error;
    throw error;
  }
}

/** Names of what is left of downloads. */
export async function partials(cache: string): Promise<string[]> {
  const names = [];
  for await (const entry of Deno.readDir(`${cache}/archives/partial`)) names.push(entry.name);
  return names;
}

/** Breaks a download off after `bytes`, for good, so that a part is left. */
export async function leavePart(server: RawServer, cache: string, bytes: number): Promise<string> {
  const stop = new AbortController();
  let caught: unknown;
  await fetchArchive(impatientClient(server.url), ID, {
    cache,
    signal: stop.signal,
    onProgress: ({ done }) => done >= bytes ? stop.abort(new Error("enough")) : undefined,
  }).catch((error) => caught = error);
  assert(caught instanceof Error);
  assertEquals(caught.message, "enough");
  assertEquals(await finalFiles(cache), []);
  const [part] = (await partials(cache)).filter((name) => name.endsWith(".part"));
  assert(part !== undefined, "the part is kept");
  return `${cache}/archives/partial/${part}`;
}
