/**
 * One archive into a temporary file: fetch, hash and write in one pass, with resume after a broken connection.
 *
 * The digest decides in the end; earlier checks save time, or report faults sooner and more precisely.
 */
import {
  type FileAnswer,
  type RegistryClient,
  StatusError,
  TimeoutError,
  UnexpectedResponseError,
} from "../client/mod.ts";
import { RegistryError } from "../errors.ts";
import { describeBytes } from "../io/bytes/describe_bytes.ts";
import type { OnProgress } from "../io/tasks/progress.ts";
import type { Pace } from "./_pace.ts";
import { PartFile, type PartPlace } from "./_part_file.ts";
import { type LedgerEntry, noteEntry } from "../contract/ledger_entries.ts";

export interface DownloadSettings {
  readonly client: RegistryClient;
  readonly place: PartPlace;
  /** Whether the held lock is exclusive; `undefined` to start without looking for a leftover. */
  readonly leftovers?: { readonly lockReliable: boolean };
  /** Stops without a result if the file still has this strong entity tag. */
  readonly unlessEtag?: string;
  readonly freeBytes: (folder: string) => Promise<number | undefined>;
  readonly pace: Pace;
  readonly onProgress: OnProgress;
  readonly signal?: AbortSignal;
}

/** A completely received file, not yet verified. */
export interface Downloaded {
  readonly part: PartFile;
  readonly sha256: string;
  readonly bytes: number;
  readonly etag: string | null;
  /** Address on another origin that sent the file, after redirects; `null` if the registry itself sent it. */
  readonly address: string | null;
  /** Whether some of the bytes are from an earlier request. */
  readonly resumed: boolean;
  readonly looksLike: string;
  /** Deviations from the normal course, in words. */
  readonly notes: readonly LedgerEntry[];
}

/**
 * Fetches one archive.
 *
 * If it is stopped, the received bytes are kept for a resume, provided that the registry sends a strong entity tag.
 *
 * @returns The file; `undefined` only when it still has the entity tag of `unlessEtag`.
 */
export async function downloadArchive(settings: DownloadSettings): Promise<Downloaded | undefined> {
  const { place, leftovers, signal } = settings;
  signal?.throwIfAborted();
  const adopted = leftovers && await PartFile.adopt(place, { lockReliable: leftovers.lockReliable, signal });
  const part = adopted ?? await PartFile.create(place);
  const run = new DownloadRun(settings, part);
  try {
    return await run.toEnd() ? run.result() : undefined;
  } catch (error) {
    if (error instanceof UnexpectedResponseError) await part.discard();
    throw error;
  } finally {
    if (!run.done) await part.release();
  }
}

class DownloadRun {
  readonly #settings: DownloadSettings;
  readonly #part: PartFile;
  readonly #notes: LedgerEntry[] = [];
  #resumed: boolean;
  #head = new Uint8Array(0);
  #encoding: string | undefined;
  #address: string | null = null;
  /** Furthest offset received, in bytes: what is received again up to it is no progress. */
  #furthest: number;
  done = false;

  constructor(settings: DownloadSettings, part: PartFile) {
    this.#settings = settings;
    this.#part = part;
    this.#resumed = part.bytes > 0;
    this.#furthest = part.bytes;
  }

  /** Whether the file was received; `false` if it has the excluded entity tag. */
  async toEnd(): Promise<boolean> {
    const { client, signal } = this.#settings;
    const retries = client.startRetries();
    const part = this.#part;
    for (;;) {
      if (part.bytes > 0 && part.bytes === part.totalBytes) return true;
      const answer = await this.#ask(retries);
      if (answer === "complete") return true;
      if (answer === "restart") continue;
      if (this.#settings.unlessEtag !== undefined && strongEtag(answer) === this.#settings.unlessEtag) {
        await answer.body.cancel();
        return false;
      }
      try {
        await this.#take(answer, retries);
        return true;
      } catch (error) {
        await retries.pause(error, { signal });
        this.#resumed = true;
        if (part.etag === null && part.bytes > 0) {
          this.#note(
            `the connection broke after ${part.bytes} bytes; the registry sends no strong ETag, so the download restarted`,
          );
          await part.restart();
          this.#resumed = false;
        }
      }
    }
  }

  /** Requests the file, or the rest of it, and checks the answer's header. */
  async #ask(retries: ReturnType<RegistryClient["startRetries"]>): Promise<FileAnswer | "restart" | "complete"> {
    const { client, place, signal } = this.#settings;
    const part = this.#part;
    if (part.bytes === 0 || part.etag === null) {
      if (part.bytes > 0) await part.restart();
      return await this.#begin(await client.dataset(place.name, { signal, retries }));
    }
    let answer: FileAnswer;
    try {
      answer = await client.dataset(place.name, {
        signal,
        retries,
        range: { start: part.bytes, ifRange: part.etag },
      });
    } catch (error) {
      if (error instanceof StatusError && error.status === 416) {
        if (totalOf416(error) === part.bytes) return "complete";
        return await this.#restart("the partial file does not match the registry's file");
      }
      if (error instanceof UnexpectedResponseError) {
        return await this.#restart(`the registry could not resume (${error.message})`);
      }
      throw error;
    }
    if (answer.start === 0) {
      // The whole file instead of the rest: it changed, or the registry does not support ranges.
      this.#note(`the registry sent the whole file instead of the rest, so the download restarted`);
      await part.restart();
      this.#resumed = false;
      return await this.#begin(answer);
    }
    const etag = strongEtag(answer);
    const otherTotal = part.totalBytes !== null && answer.totalBytes !== null && part.totalBytes !== answer.totalBytes;
    if (answer.start !== part.bytes || etag !== null && etag !== part.etag || otherTotal) {
      await answer.body.cancel();
      return await this.#restart("the file changed on the registry meanwhile");
    }
    this.#resumed = true;
    await this.#checkSpace(answer);
    return answer;
  }

  async #begin(answer: FileAnswer): Promise<FileAnswer> {
    await this.#checkSpace(answer);
    await this.#part.describe(strongEtag(answer), answer.totalBytes);
    this.#encoding = answer.headers.get("content-encoding") ?? undefined;
    return answer;
  }

  async #restart(why: string): Promise<"restart"> {
    this.#note(`${why}, so the download restarted`);
    await this.#part.restart();
    this.#resumed = false;
    return "restart";
  }

  /** Reads the body: hash, write, count. */
  async #take(answer: FileAnswer, retries: ReturnType<RegistryClient["startRetries"]>): Promise<void> {
    const { url, registry } = answer.receipt();
    this.#address = new URL(url).origin === new URL(registry).origin ? null : url;
    const { place, signal, onProgress, pace } = this.#settings;
    const part = this.#part;
    const task = `downloading ${place.name}`;
    const total = part.totalBytes ?? undefined;
    let windowStart = performance.now();
    let windowBytes = part.bytes;
    for await (const chunk of answer.body) {
      signal?.throwIfAborted();
      const now = performance.now();
      if (now - windowStart > pace.windowMs) {
        if (part.bytes - windowBytes < pace.bytes) throw this.#tooSlow(answer);
        windowStart = now;
        windowBytes = part.bytes;
      }
      if (part.bytes === 0) this.#head = chunk.slice(0, 512);
      part.write(chunk);
      if (part.bytes > this.#furthest) {
        retries.progress(part.bytes - this.#furthest);
        this.#furthest = part.bytes;
      }
      onProgress({ task, done: part.bytes, total, unit: "bytes" });
    }
    signal?.throwIfAborted();
    onProgress({ task, done: part.bytes, total, unit: "bytes", finished: true });
  }

  #tooSlow(answer: FileAnswer): TimeoutError {
    const { place, pace } = this.#settings;
    const { url } = answer.receipt();
    return new TimeoutError(
      `Cannot download ${place.name}: fewer than ${pace.bytes} bytes received from ${url} in ${
        pace.windowMs / 1000
      } s, ` +
        `after ${this.#part.bytes} bytes; try again when the connection is faster`,
      url,
      pace.windowMs,
    );
  }

  async #checkSpace(answer: FileAnswer): Promise<void> {
    const { place, freeBytes } = this.#settings;
    if (answer.totalBytes === null) return;
    const needed = answer.totalBytes - this.#part.bytes;
    const free = await freeBytes(place.folder);
    if (free === undefined || free >= needed) return;
    await answer.body.cancel();
    throw new RegistryError(
      "disk",
      `Cannot download ${place.name}: ${needed} bytes are missing, and only ${free} are free in ` +
        `${place.folder}; free some space (seqreg cache prune) or choose another disk (for the cache: SEQREG_CACHE)`,
    );
  }

  result(): Downloaded {
    const sha256 = this.#part.digest();
    this.done = true;
    const looks = this.#head.length === 0 && this.#part.bytes > 0 ? "" : describeBytes(this.#head);
    return {
      part: this.#part,
      sha256,
      bytes: this.#part.bytes,
      etag: this.#part.etag,
      address: this.#address,
      resumed: this.#resumed,
      looksLike: this.#encoding === undefined || this.#encoding === "identity"
        ? looks
        : `${looks}, sent with unrequested Content-Encoding ${this.#encoding}`,
      notes: this.#notes,
    };
  }

  #note(text: string): void {
    const { name } = this.#settings.place;
    this.#notes.push(noteEntry("download-restarted", `${name}: ${text}`, { ids: [name] }));
  }
}

/** The entity tag of an answer, if it is strong. */
export function strongEtag(answer: FileAnswer): string | null {
  const etag = answer.headers.get("etag");
  return etag !== null && /^"[\x21\x23-\x7e\x80-\xff]*"$/.test(etag) ? etag : null;
}

/** File size in a 416: `bytes`, an asterisk, a slash and a number. */
function totalOf416(error: StatusError): number | undefined {
  const match = /^bytes \*\/([0-9]{1,15})$/.exec(error.headers.get("content-range") ?? "");
  return match === null ? undefined : Number(match[1]);
}
