/**
 * Records the calls of a registry.
 *
 * What an answer costs to record is done while the next one is awaited, or a moment after it was returned: until then
 * the program has it, and the lock does not. The blocks of a body are compressed while it comes, its last one then too.
 */
import type { BodyObserver, Intercept, InterceptedCall } from "../../client/intercept.ts";
import { releaseOf } from "../../contract/answers/release_mark.ts";
import { type Naming, SPECIFICATION_NAMING } from "../../contract/naming.ts";
import { TOOLKIT } from "../../contract/version.ts";
import { ParseError } from "../../errors.ts";
import { joinBytes } from "../../io/bytes/join_bytes.ts";
import { parseChecksums } from "../../io/digest/checksum_file.ts";
import { sha256Of } from "../../io/digest/sha256.ts";
import { isRecord } from "../../options/is_record.ts";
import type { CallSink } from "./call_sinks.ts";
import { isArchive, isRecordedRefusal, keyOf, requestOf } from "./intercepted_call.ts";
import type { BodyWriter, LockBodies } from "./lock_bodies.ts";
import { shortenRequest } from "./locked_request.ts";
import { canonicalJson, type SetDigest, startSetDigest } from "./set_digest.ts";

export interface RecorderOptions {
  /** The registry, without the path of a folder. */
  readonly registry: string;
  readonly naming: Naming;
  /** File that lists the calls of a replay; calls that are sent are listed there and not in the lock. */
  readonly journal?: string;
}

/** A checksum file is never so long. */
const MOST_CHECKSUM_BYTES = 65_536;

/** How long an answer that was returned waits for the next call, in ms. */
const MOST_WAIT_MS = 20;

/** Maximum number of answers that wait or are written, and bytes of one that waits. */
const MOST_UNFINISHED = 8;
const MOST_WAITING_BYTES = 1 << 20;

/** An answer whose body is being read, or was. */
interface Recording {
  readonly call: InterceptedCall;
  readonly response: Response;
  readonly writer: BodyWriter;
  readonly set: SetDigest | undefined;
  /** Of a checksum file: its bytes. */
  readonly parts: Uint8Array<ArrayBuffer>[];
}

export class Recorder {
  readonly #sink: CallSink;
  readonly #bodies: LockBodies;
  readonly #options: RecorderOptions;
  readonly #naming: string;
  #waiting: (() => Promise<void>)[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #unfinished = new Set<Promise<void>>();
  #fault: unknown;
  #hasThrown = false;

  constructor(sink: CallSink, bodies: LockBodies, options: RecorderOptions) {
    this.#sink = sink;
    this.#bodies = bodies;
    this.#options = options;
    this.#naming = namingName(options.naming);
  }

  readonly intercept: Intercept = async (call, send) => {
    this.#check();
    const sent = send();
    // The request leaves first.
    if (this.#waiting.length > 0) this.#startIn(0);
    const answer = await sent;
    const { status } = answer.response;
    if (isArchive(call) || call.isPart || status !== 200 && !isRecordedRefusal(status)) return answer;
    return { ...answer, observer: await this.#record(call, answer.response) };
  };

  /** Waits until the lock is written. @throws What kept it from being written. */
  async close(): Promise<void> {
    this.#startWaiting();
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

  async #record(call: InterceptedCall, response: Response): Promise<BodyObserver> {
    const mediaType = response.headers.get("content-type") ?? "";
    const isChecksum = call.operation === "datasets_download";
    const set = isChecksum || !response.ok
      ? undefined
      : startSetDigest(mediaType.split(";", 1)[0].trim().toLowerCase());
    const writer = await this.#bodies.start();
    const recording: Recording = { call, response, writer, set, parts: [] };
    return {
      take: (chunk) => {
        if (isChecksum && writer.bytes + chunk.length <= MOST_CHECKSUM_BYTES) recording.parts.push(chunk.slice());
        set?.update(chunk);
        writer.write(chunk);
      },
      end: (sha256) => this.#finishLater(recording, sha256),
      drop: () => writer.discard(),
    };
  }

  #finishLater(recording: Recording, sha256: string): Promise<void> | undefined {
    const finish = () => this.#finish(recording, sha256);
    // In a replay the program may end immediately.
    if (this.#options.journal !== undefined) return finish();
    this.#waiting.push(finish);
    const isFull = this.#waiting.length + this.#unfinished.size > MOST_UNFINISHED;
    if (!isFull && recording.writer.bytes <= MOST_WAITING_BYTES) {
      if (this.#timer === undefined) this.#startIn(MOST_WAIT_MS);
      return undefined;
    }
    this.#startWaiting();
    return isFull ? Promise.race(this.#unfinished) : undefined;
  }

  #startIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#startWaiting(), ms);
  }

  #startWaiting(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const finish of this.#waiting.splice(0)) {
      const kept: Promise<void> = finish().catch((cause) => void (this.#fault ??= cause))
        .finally(() => this.#unfinished.delete(kept));
      this.#unfinished.add(kept);
    }
  }

  /** Puts an answer into the cache and its call into the lock. */
  async #finish({ call, response: { headers, ok, status }, writer, set, parts }: Recording, sha256: string) {
    writer.commit(sha256);
    const release = releaseOf(headers);
    const request = requestOf(call);
    const isChecksum = call.operation === "datasets_download" && ok;
    const archive = isChecksum ? archiveDigest(new TextDecoder().decode(joinBytes(parts))) : undefined;
    const locked = await shortenRequest(request, this.#bodies);
    const versions = await findVersions();
    this.#sink.add(keyOf(call, request, this.#options), {
      accept: call.accept,
      ...archive !== undefined && { archive },
      sha256,
      bytes: writer.bytes,
      mediaType: headers.get("content-type") ?? "",
      naming: this.#naming,
      operation: call.operation,
      registry: this.#options.registry,
      ...release !== undefined && { release },
      request: locked,
      ...set?.digest() ?? { records: null, set: null },
      status,
      versions,
    });
  }
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

let found: Promise<Record<string, string>> | undefined;

/** The versions of what makes a result of an answer; found without loading polars. */
function findVersions(): Promise<Record<string, string>> {
  return found ??= (async () => {
    const [name, version = ""] = TOOLKIT.split(" ");
    const polars = await polarsVersion();
    return { deno: Deno.version.deno, ...polars !== undefined && { polars }, [name]: version };
  })();
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
