/** Answers in the cache, compressed, by the SHA-256 of their bytes. */
import { join } from "node:path";
import { promisify } from "node:util";
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

/** Bytes that are compressed at once. */
const BLOCK_BYTES = 1 << 18;

/** Blocks that are kept. */
const MOST_SPARE = 8;

/** Memory that is not in use: touching fresh memory takes longer than compressing a small answer. */
const spare: Uint8Array<ArrayBuffer>[] = [];

type Bytes = Uint8Array<ArrayBuffer>;

export interface BodyWriter {
  write(chunk: Bytes): Promise<void>;
  /** SHA-256 of what was written; nothing may be written after it. */
  digest(): string;
  /** Ends; the body is in the cache then. */
  commit(): Promise<{ readonly sha256: string; readonly bytes: number }>;
  /** Ends without keeping it. */
  discard(): Promise<void>;
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

  async start(): Promise<BodyWriter> {
    const temporary = join(this.#folder, `.${crypto.randomUUID()}.part`);
    const action = `write ${temporary}`;
    let file: Deno.FsFile | undefined;
    const gzip = promisify((await import("node:zlib")).gzip);
    const hash = startSha256();
    let sha256: string | undefined;
    let bytes = 0;
    const digest = () => sha256 ??= hash.digest();
    let block: Bytes | undefined;
    let used = 0;
    let writing = Promise.resolve();
    // One block is compressed in another thread while the next is filled; members of gzip follow each other.
    const flush = async () => {
      const full = block;
      const bytes = full?.subarray(0, used) ?? new Uint8Array(0);
      block = undefined;
      used = 0;
      await writing;
      writing = gzip(bytes, { level: 1 }).then((packed) => {
        // An empty body has no block.
        if (full !== undefined && spare.length < MOST_SPARE) spare.push(full);
        writeAll(file ??= this.#create(temporary), packed);
      });
      // Its failure is met by the next write or the end.
      writing.catch(() => {});
    };
    const close = () => {
      file?.close();
      file = undefined;
    };
    const discard = async () => {
      await writing.catch(() => {});
      close();
      await Deno.remove(temporary).catch(() => {});
    };
    return {
      write: async (chunk) => {
        hash.update(chunk);
        bytes += chunk.length;
        try {
          for (let from = 0; from < chunk.length;) {
            block ??= spare.pop() ?? new Uint8Array(BLOCK_BYTES);
            const taken = Math.min(chunk.length - from, BLOCK_BYTES - used);
            block.set(chunk.subarray(from, from + taken), used);
            used += taken;
            from += taken;
            if (used === BLOCK_BYTES) await flush();
          }
        } catch (cause) {
          throw diskError(cause, { action });
        }
      },
      digest,
      commit: async () => {
        try {
          if (used > 0 || bytes === 0) await flush();
          await writing;
          close();
          Deno.renameSync(temporary, this.pathOf(digest()));
          return { sha256: digest(), bytes };
        } catch (cause) {
          await discard();
          throw diskError(cause, { action });
        }
      },
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
    let received = 0;
    try {
      for await (const chunk of gunzip(chunks, call.sha256)) {
        received += chunk.length;
        if (received > call.bytes) break;
        await writer.write(chunk.slice());
      }
    } catch (cause) {
      await writer.discard();
      throw cause;
    }
    const digest = received === call.bytes ? writer.digest() : "";
    if (digest === call.sha256) return void await writer.commit();
    await writer.discard();
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
