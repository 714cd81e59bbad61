/** Records the calls of a registry in a lock, or answers them from it. */
import { dirname } from "node:path";
import type { Intercept, InterceptedAnswer, InterceptedCall } from "../../client/intercept.ts";
import { RELEASE_HEADER, releaseOf } from "../../contract/answers/release_mark.ts";
import { type Naming, SPECIFICATION_NAMING } from "../../contract/naming.ts";
import { isRecord } from "../../options/is_record.ts";
import { TOOLKIT } from "../../contract/version.ts";
import { ParseError, RegistryError } from "../../errors.ts";
import { parseChecksums } from "../../io/digest/checksum_file.ts";
import { sha256Of } from "../../io/digest/sha256.ts";
import { cut, visible } from "../../io/display/html.ts";
import { type BodyWriter, LockBodies } from "./lock_bodies.ts";
import { appendToJournal } from "./journal.ts";
import { mergeIntoLock, pendingCalls, readLock, replacedText } from "./lock_file.ts";
import { callKey, type LockedCall } from "./locked_call.ts";
import { shortenRequest } from "./locked_request.ts";
import { canonicalJson, type SetDigest, startSetDigest } from "./set_digest.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** What a lock needs to know of its registry. */
export interface CallLockOptions {
  readonly cache: string;
  /** Folder of another cache, which may hold answers that the first does not. */
  readonly otherCache?: string;
  /** Whether the registry answers in this process, from archives on this machine. */
  readonly isEmbedded: boolean;
  /** Whether calls are answered from the lock alone. */
  readonly offline: boolean;
  /** The registry, without the path of a folder. */
  readonly registry: string;
  readonly naming: Naming;
  /** File that lists the calls of a replay; calls that are sent are listed there and not in the lock. */
  readonly journal?: string;
  /** Receives a sentence when recorded answers are replaced by others. */
  readonly onWarning?: (warning: string) => void;
}

/** A lock that a client's calls go through. */
export interface CallLock {
  readonly intercept: Intercept;
  /** Waits until the lock is written. @throws What kept it from being written. */
  close(): Promise<void>;
}

/** A checksum file is never so long. */
const MOST_CHECKSUM_BYTES = 65_536;

/** Refusals that say nothing of the data: of the caller, or for now. */
const PASSING = new Set([401, 403, 407, 408, 421, 423, 425, 429]);

/** Whether a status is a refusal that a lock records as the answer. */
export function isRecordedRefusal(status: number): boolean {
  return status >= 400 && status < 500 && !PASSING.has(status);
}

/**
 * Opens a lock.
 *
 * @throws {ParseError} If it is damaged, or of a newer version.
 * @throws {RegistryError} With code `offline` if it does not exist and must answer.
 */
export async function openCallLock(path: string, options: CallLockOptions): Promise<CallLock> {
  const { offline, cache, otherCache, journal } = options;
  const bodies = new LockBodies(cache, otherCache);
  if (!offline && journal !== undefined) return new Recorder(new JournalSink(journal), bodies, options);
  const known = await readLock(path);
  if (!offline) {
    await demandFolder(path);
    return new Recorder(new LockSink(path, options.onWarning), bodies, options);
  }
  if (known === undefined) {
    throw new RegistryError(
      "offline",
      `Cannot answer from the lock ${path}: it does not exist; record it first, where the registry can be reached`,
    );
  }
  const refuse = (error: RegistryError): never => {
    if (journal !== undefined) appendToJournal(journal, { refused: error.message });
    throw error;
  };
  return {
    intercept: async (call, send) => {
      const request = requestOf(call);
      const shown = describe(call, request);
      if (isArchive(call) && options.isEmbedded) return await send();
      if (isArchive(call)) {
        return refuse(
          new RegistryError(
            "offline",
            `Cannot answer ${shown} offline: the cache does not hold the archive; fetch it once, where the ` +
              "registry can be reached",
          ),
        );
      }
      const key = keyOf(call, request, options);
      // An older lock, or a quicker search, has no second answer.
      const locked = known.get(key) ?? known.get(keyOf({ ...call, isAgain: false }, request, options));
      if (locked === undefined) {
        return refuse(
          new RegistryError(
            "offline",
            `Cannot answer ${shown} of ${options.registry} offline: the call is not in ${path}; record it ` +
              "first, where the registry can be reached",
          ),
        );
      }
      const headers = new Headers({ "content-length": String(locked.bytes) });
      if (locked.mediaType !== "") headers.set("content-type", locked.mediaType);
      if (locked.release !== undefined) headers.set(RELEASE_HEADER, locked.release);
      const body = await bodies.open(locked.sha256, shown).catch((error) =>
        error instanceof RegistryError ? refuse(error) : Promise.reject(error)
      );
      if (journal !== undefined) appendToJournal(journal, { key, call: locked });
      return {
        response: new Response(null, { status: locked.status, headers }),
        body,
        url: `the lock ${path}`,
        expectedBytes: locked.bytes,
      };
    },
    close: () => Promise.resolve(),
  };
}

/** A lock is written in the background: that its folder is missing must not be found after the first answers. */
async function demandFolder(path: string): Promise<void> {
  const folder = dirname(path);
  const isFolder = await Deno.stat(folder).then(({ isDirectory }) => isDirectory, () => false);
  if (isFolder) return;
  throw new RegistryError("disk", `Cannot write the lock ${path}: there is no folder ${folder}; create it first`);
}

/** Least time between two writes of a lock, in ms: it is read and written as a whole; calls are listed meanwhile. */
const WRITE_MS = 2000;

/** Maximum number of answers written in the background. */
const MOST_UNFINISHED = 8;

interface CallSink {
  /** @throws What kept earlier calls from being written. */
  check(): void;
  add(key: string, call: LockedCall): void;
  /** Waits until all is written. @throws What kept it from being written. */
  close(): Promise<void>;
}

class LockSink implements CallSink {
  readonly #path: string;
  readonly #onWarning: ((warning: string) => void) | undefined;
  #fresh = new Map<string, LockedCall>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writtenAt = -Infinity;
  #writing: Promise<void> | undefined;
  #fault: unknown;

  constructor(path: string, onWarning?: (warning: string) => void) {
    this.#path = path;
    this.#onWarning = onWarning;
  }

  check(): void {
    if (this.#fault !== undefined) throw this.#fault;
  }

  add(key: string, call: LockedCall): void {
    // The program may be killed before the lock is written.
    appendToJournal(pendingCalls(this.#path), { key, call });
    this.#fresh.set(key, call);
    this.#timer ??= setTimeout(() => this.#start(), Math.max(0, this.#writtenAt + WRITE_MS - performance.now()));
  }

  async close(): Promise<void> {
    this.#start();
    await this.#writing;
    this.check();
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing ??= this.#write().catch((cause) => void (this.#fault = cause)).finally(() => {
      this.#writing = undefined;
      this.#writtenAt = performance.now();
    });
  }

  /** Writes what was recorded, and what is recorded meanwhile. */
  async #write(): Promise<void> {
    while (this.#fresh.size > 0) {
      const calls = this.#fresh;
      this.#fresh = new Map();
      await mergeIntoLock(this.#path, calls, (replaced) => this.#onWarning?.(replacedText(this.#path, replaced)));
    }
  }
}

class JournalSink implements CallSink {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  check(): void {}

  add(key: string, call: LockedCall): void {
    appendToJournal(this.#path, { key, call });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

class Recorder implements CallLock {
  readonly #sink: CallSink;
  readonly #bodies: LockBodies;
  readonly #options: CallLockOptions;
  readonly #unfinished = new Set<Promise<void>>();
  #fault: unknown;
  #hasThrown = false;
  #versions: Promise<Record<string, string>> | undefined;

  constructor(sink: CallSink, bodies: LockBodies, options: CallLockOptions) {
    this.#sink = sink;
    this.#bodies = bodies;
    this.#options = options;
  }

  readonly intercept: Intercept = async (call, send) => {
    this.#check();
    const answer = await send();
    const { status } = answer.response;
    if (isArchive(call) || call.isPart || status !== 200 && !isRecordedRefusal(status)) return answer;
    return { ...answer, body: ReadableStream.from(this.#record(call, answer)) as ReadableStream<Bytes> };
  };

  async close(): Promise<void> {
    await Promise.all(this.#unfinished);
    const hasThrown = this.#hasThrown;
    try {
      await this.#sink.close();
      this.#check();
    } catch (error) {
      // A second error, of `await using`, would hide the message of the first in a SuppressedError.
      if (!hasThrown) throw error;
    }
  }

  #check(): void {
    try {
      if (this.#fault !== undefined) throw this.#fault;
      this.#sink.check();
    } catch (error) {
      this.#hasThrown = true;
      throw error;
    }
  }

  async *#record(call: InterceptedCall, { response, body, expectedBytes }: InterceptedAnswer): AsyncGenerator<Bytes> {
    const mediaType = response.headers.get("content-type") ?? "";
    const set = startSetDigest(mediaType.split(";", 1)[0].trim().toLowerCase());
    const isChecksum = call.operation === "datasets_download";
    const parts: Bytes[] = [];
    const writer = await this.#bodies.start();
    let isWhole = false;
    try {
      let received = 0;
      for await (const chunk of body ?? []) {
        await writer.write(chunk);
        set.update(chunk);
        received += chunk.length;
        if (isChecksum && received <= MOST_CHECKSUM_BYTES) parts.push(chunk.slice());
        yield chunk;
      }
      isWhole = expectedBytes === null || received === expectedBytes;
    } finally {
      if (!isWhole) await writer.discard();
    }
    if (!isWhole) return;
    const finishing = this.#finish(call, response, {
      writer,
      set: isChecksum || !response.ok ? undefined : set,
      parts,
    });
    // Written in the background; in a replay the program may end immediately.
    if (this.#options.journal !== undefined) return await finishing;
    const kept: Promise<void> = finishing.catch((cause) => void (this.#fault ??= cause))
      .finally(() => this.#unfinished.delete(kept));
    this.#unfinished.add(kept);
    if (this.#unfinished.size > MOST_UNFINISHED) await kept;
  }

  /** Puts an answer into the cache and its call into the lock. */
  async #finish(
    call: InterceptedCall,
    { headers, ok, status }: Response,
    { writer, set, parts }: { readonly writer: BodyWriter; readonly set?: SetDigest; readonly parts: readonly Bytes[] },
  ): Promise<void> {
    const stored = await writer.commit();
    const release = releaseOf(headers);
    const request = requestOf(call);
    const isChecksum = call.operation === "datasets_download" && ok;
    const archive = isChecksum
      ? archiveDigest(new TextDecoder().decode(await new Blob([...parts]).arrayBuffer()))
      : undefined;
    this.#sink.add(keyOf(call, request, this.#options), {
      accept: call.accept,
      ...archive !== undefined && { archive },
      ...stored,
      mediaType: headers.get("content-type") ?? "",
      naming: namingName(this.#options.naming),
      operation: call.operation,
      registry: this.#options.registry,
      ...release !== undefined && { release },
      request: await shortenRequest(request, this.#bodies),
      ...set?.digest() ?? { records: null, set: null },
      status,
      versions: await (this.#versions ??= findVersions()),
    });
  }
}

function isArchive({ operation, request }: InterceptedCall): boolean {
  return operation === "datasets_download" &&
    !(isRecord(request) && typeof request.filename === "string" && request.filename.endsWith(".sha256"));
}

function requestOf({ body, request }: InterceptedCall): unknown {
  return body === null ? request : JSON.parse(body);
}

function keyOf(
  { operation, accept, isAgain }: InterceptedCall,
  request: unknown,
  { registry }: CallLockOptions,
): string {
  return callKey({ accept, isAgain, operation, registry, request });
}

function describe({ operation }: InterceptedCall, request: unknown): string {
  return `${operation} ${cut(visible(canonicalJson(request)), 200)}`;
}

function archiveDigest(text: string): string | undefined {
  try {
    return parseChecksums(text).at(0)?.sha256;
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}

function namingName(naming: Naming): string {
  const text = canonicalJson(naming);
  return text === canonicalJson(SPECIFICATION_NAMING) ? "specification" : sha256Of(text);
}

/** Finds the versions of what makes a result of an answer; without loading polars. */
async function findVersions(): Promise<Record<string, string>> {
  const [name, version = ""] = TOOLKIT.split(" ");
  const polars = await polarsVersion();
  return { deno: Deno.version.deno, ...polars !== undefined && { polars }, [name]: version };
}

async function polarsVersion(): Promise<string | undefined> {
  try {
    const entry = import.meta.resolve("nodejs-polars");
    const version = /nodejs-polars[@/]([0-9]+(?:\.[0-9]+)+)/.exec(entry)?.[1];
    if (version !== undefined) return version;
    const about: unknown = JSON.parse(await Deno.readTextFile(new URL("../package.json", entry)));
    return isRecord(about) && typeof about.version === "string" ? about.version : undefined;
  } catch {
    // It is not installed, or may not be read.
    return undefined;
  }
}
