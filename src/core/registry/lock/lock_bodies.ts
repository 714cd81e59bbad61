/** Answers in the cache, compressed, by the SHA-256 of their bytes. */
import { join } from "node:path";
import { namesIn } from "../../datasets/archive_cache.ts";
import type { CacheOptions } from "../../datasets/cache_contents.ts";
import { ANSWERS_ROOM } from "../../datasets/cache_rooms.ts";
import { messageOf, ParseError, RegistryError } from "../../errors.ts";
import { sha256, startSha256 } from "../../io/digest/sha256.ts";
import { diskError } from "../../io/files/disk_error.ts";
import { writeAll } from "../../io/files/write_all.ts";
import { gunzip } from "../../io/gzip/gunzip.ts";
import type { LockedCall } from "./lock_file.ts";
import { readBytes } from "../../io/bytes/byte_source.ts";

/** Loaded when it is needed: most commands of locks write no body. */
let loading: Promise<typeof import("node:zlib")> | undefined;

/** Bytes that are compressed at once. */
const BLOCK_BYTES = 1 << 18;

/** Blocks that are kept. */
const MOST_SPARE = 8;

/** Memory that is not in use: touching fresh memory takes longer than compressing a small answer. */
const spare: Uint8Array<ArrayBuffer>[] = [];

type Bytes = Uint8Array<ArrayBuffer>;

export interface BodyWriter {
  /** Takes a chunk, whose memory may be used again. @throws {RegistryError} With code `disk`, as `commit` does. */
  write(chunk: Uint8Array): void;
  /** Bytes written so far. */
  readonly bytes: number;
  /** Ends; the body is in the cache then, under its SHA-256. */
  commit(sha256: string): void;
  /** Ends without keeping it. */
  discard(): void;
}

/** A body, hashed again. */
export interface BodyVerdict {
  /** Its path in the cache. */
  readonly name: string;
  /** Whether its bytes still have the digest that names it. */
  readonly ok: boolean;
  /** What is wrong, in words; empty if it is valid. */
  readonly reason: string;
}

export class LockBodies {
  readonly #folder: string;
  readonly #other: LockBodies | undefined;

  /** Takes the folder of the cache, and of another one, from which answers are opened that the first lacks. */
  constructor(cache: string, other?: string) {
    this.#folder = join(cache, ANSWERS_ROOM);
    if (other !== undefined) this.#other = new LockBodies(other);
  }

  /** Where a body is, or would be. */
  pathOf(digest: string): string {
    return join(this.#folder, `${digest}.gz`);
  }

  /** Whether a body is there; whether it is whole is not examined. */
  async holds(digest: string): Promise<boolean> {
    return await Deno.stat(this.pathOf(digest)).then(() => true, () => false);
  }

  /** Starts a body. Nothing is created before a block of it is full, or it ends. */
  async start(): Promise<BodyWriter> {
    const { gzipSync } = await (loading ??= import("node:zlib"));
    let temporary = "";
    let file: Deno.FsFile | undefined;
    let bytes = 0;
    let block: Bytes | undefined;
    let used = 0;
    const close = () => {
      file?.close();
      file = undefined;
      if (block !== undefined && spare.length < MOST_SPARE) spare.push(block);
      block = undefined;
    };
    const discard = () => {
      close();
      if (temporary === "") return;
      try {
        Deno.removeSync(temporary);
      } catch {
        // It was not created, or what keeps it from being removed has been reported.
      }
    };
    const written = (work: () => void) => {
      try {
        work();
      } catch (cause) {
        discard();
        throw diskError(cause, { action: `write ${temporary || this.#folder}` });
      }
    };
    // Members of gzip follow each other. Compressed at once: the platform's asynchronous gzip has no thread of its own.
    const flush = () => {
      if (file === undefined) {
        temporary = join(this.#folder, `.${crypto.randomUUID()}.part`);
        file = this.#create(temporary);
      }
      writeAll(file, gzipSync(block?.subarray(0, used) ?? new Uint8Array(0), { level: 1 }));
      used = 0;
    };
    return {
      get bytes() {
        return bytes;
      },
      write: (chunk) =>
        written(() => {
          bytes += chunk.length;
          for (let from = 0; from < chunk.length;) {
            if (used === BLOCK_BYTES) flush();
            block ??= spare.pop() ?? new Uint8Array(BLOCK_BYTES);
            const part = chunk.subarray(from, from + BLOCK_BYTES - used);
            block.set(part, used);
            used += part.length;
            from += part.length;
          }
        }),
      commit: (sha256) =>
        written(() => {
          if (used > 0 || bytes === 0) flush();
          close();
          Deno.renameSync(temporary, this.pathOf(sha256));
        }),
      discard,
    };
  }

  /** Creates a file in the folder, which is made if need be. Calls that wait take longer than the little they do. */
  #create(path: string): Deno.FsFile {
    const open = () => Deno.openSync(path, { write: true, createNew: true });
    try {
      return open();
    } catch (cause) {
      if (!(cause instanceof Deno.errors.NotFound)) throw cause;
      Deno.mkdirSync(this.#folder, { recursive: true });
      return open();
    }
  }

  /** What is wrong with a body: `undefined` if it is there and whole. */
  async faultOf(digest: string): Promise<"absent" | "damaged" | undefined> {
    try {
      return await sha256(ReadableStream.from(this.read(digest))) === digest ? undefined : "damaged";
    } catch (cause) {
      if (await Deno.stat(this.pathOf(digest)).then(() => false, (error) => error instanceof Deno.errors.NotFound)) {
        return "absent";
      }
      if (cause instanceof RegistryError || cause instanceof SyntaxError) return "damaged";
      throw cause;
    }
  }

  /** Hashes every body again; a damaged one stays. */
  async verify({ onProgress, signal }: Pick<CacheOptions, "onProgress" | "signal"> = {}): Promise<BodyVerdict[]> {
    const digests = (await namesIn(this.#folder)).filter(isBody).map((name) => name.slice(0, -".gz".length));
    const verdicts: BodyVerdict[] = [];
    for (const [index, digest] of digests.entries()) {
      signal?.throwIfAborted();
      const name = `${ANSWERS_ROOM}/${digest}.gz`;
      onProgress?.({ task: `verifying ${name}`, done: index, total: digests.length, unit: "files" });
      const ok = await this.faultOf(digest) !== "damaged";
      const reason = ok
        ? ""
        : `${
          this.pathOf(digest)
        }: it is damaged; remove it, and unpack its lock (seqreg lock unpack FILE) or record again`;
      verdicts.push({ name, ok, reason });
    }
    return verdicts;
  }

  /**
   * Keeps a compressed body that comes from elsewhere, such as an unpacked lock; one that is there and whole stays.
   *
   * @param call Its digest and size, as its lock has them.
   * @throws {ParseError} If it is not the body of that digest.
   */
  async keep(call: Pick<LockedCall, "sha256" | "bytes">, chunks: AsyncIterable<Bytes>): Promise<void> {
    const writer = await this.start();
    const hash = startSha256();
    let received = 0;
    try {
      for await (const chunk of gunzip(chunks, call.sha256)) {
        received += chunk.length;
        if (received > call.bytes) break;
        hash.update(chunk);
        writer.write(chunk);
      }
    } catch (cause) {
      writer.discard();
      throw cause;
    }
    if (received === call.bytes && hash.digest() === call.sha256) return writer.commit(call.sha256);
    writer.discard();
    throw new ParseError(
      `Cannot unpack the body ${call.sha256}: it is damaged, its SHA-256 differs; get the file again`,
    );
  }

  /**
   * Opens a body, verified before its first byte is read.
   *
   * @throws {RegistryError} With code `offline` if the cache does not hold it, `damaged` if it is not as it was
   * written.
   */
  async open(digest: string, call: string): Promise<ReadableStream<Bytes>> {
    const fault = await this.faultOf(digest);
    if (fault === "absent" && this.#other !== undefined) return await this.#other.open(digest, call);
    if (fault === "absent") {
      throw new RegistryError(
        "offline",
        `Cannot answer ${call} offline: its body ${digest} is not in the cache; unpack it (seqreg lock unpack FILE), or ` +
          "record the call again",
      );
    }
    if (fault === "damaged") {
      throw new RegistryError(
        "damaged",
        `Cannot answer ${call} offline: its body in the cache, ${this.pathOf(digest)}, is damaged; remove that file, ` +
          "and record the call again",
      );
    }
    return ReadableStream.from(this.read(digest)) as ReadableStream<Bytes>;
  }

  async *read(digest: string): AsyncGenerator<Bytes> {
    const path = this.pathOf(digest);
    try {
      for await (const chunk of gunzip(readBytes(path), path)) yield chunk.slice();
    } catch (cause) {
      if (cause instanceof RegistryError || cause instanceof SyntaxError) throw cause;
      throw new RegistryError("damaged", `Cannot read ${path}: ${messageOf(cause)}; remove it and record again`, {
        cause,
      });
    }
  }
}

function isBody(name: string): boolean {
  return /^[0-9a-f]{64}\.gz$/.test(name);
}
