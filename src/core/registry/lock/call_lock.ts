/** Records the calls of a registry in a lock, or answers them from it. */
import { dirname } from "node:path";
import type { Intercept, InterceptedCall } from "../../client/intercept.ts";
import { RELEASE_HEADER } from "../../contract/answers/release_mark.ts";
import { RegistryError } from "../../errors.ts";
import { cut, visible } from "../../io/display/html.ts";
import { JournalSink, LockSink } from "./call_sinks.ts";
import { isArchive, keyOf, requestOf } from "./intercepted_call.ts";
import { appendToJournal } from "./journal.ts";
import { LockBodies } from "./lock_bodies.ts";
import { readLock } from "./lock_file.ts";
import { Recorder, type RecorderOptions } from "./recorder.ts";
import { canonicalJson } from "./set_digest.ts";

/** What a lock needs to know of its registry. */
export interface CallLockOptions extends RecorderOptions {
  readonly cache: string;
  /** Folder of another cache, which may hold answers that the first does not. */
  readonly otherCache?: string;
  /** Whether the registry answers in this process, from archives on this machine. */
  readonly isEmbedded: boolean;
  /** Whether calls are answered from the lock alone. */
  readonly offline: boolean;
  /** Receives a sentence when recorded answers are replaced by others. */
  readonly onWarning?: (warning: string) => void;
}

/** A lock that a client's calls go through. */
export interface CallLock {
  readonly intercept: Intercept;
  /** Waits until the lock is written. @throws What kept it from being written. */
  close(): Promise<void>;
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

function describe({ operation }: InterceptedCall, request: unknown): string {
  return `${operation} ${cut(visible(canonicalJson(request)), 200)}`;
}
