/** Requests as a lock holds them: long lists are in the cache, next to the answers. */
import { isRecord } from "../../options/is_record.ts";
import { RegistryError } from "../../errors.ts";
import { sha256Of } from "../../io/digest/sha256.ts";
import type { LockBodies } from "./lock_bodies.ts";
import { canonicalJson } from "./set_digest.ts";

/** Items of a list of a request that are written in full. */
const MOST_ITEMS = 20;

export interface LockedList {
  /** Size of its JSON text. */
  readonly bytes: number;
  readonly items: number;
  /** SHA-256 of its JSON text. */
  readonly sha256: string;
}

/** Writes a request for a lock; the items of long lists are put into the cache. */
export async function shortenRequest(value: unknown, bodies: LockBodies): Promise<unknown> {
  if (Array.isArray(value)) {
    if (value.length > MOST_ITEMS) return await keepList(value, bodies);
    return await Promise.all(value.map((each) => shortenRequest(each, bodies)));
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(async ([key, each]) => [key, await shortenRequest(each, bodies)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

async function keepList(list: readonly unknown[], bodies: LockBodies): Promise<LockedList> {
  const text = new TextEncoder().encode(canonicalJson(list));
  const sha256 = sha256Of(text);
  if (!await bodies.holds(sha256)) {
    const writer = await bodies.start();
    writer.write(text);
    writer.commit(sha256);
  }
  return { bytes: text.length, items: list.length, sha256 };
}

/** Finds the long lists of a locked request. */
export function listsOf(value: unknown): LockedList[] {
  if (Array.isArray(value)) return value.flatMap(listsOf);
  if (!isRecord(value)) return [];
  return isList(value) ? [value] : Object.values(value).flatMap(listsOf);
}

/**
 * Restores a request from a lock.
 *
 * @throws {RegistryError} With code `offline` or `damaged` if the cache does not hold a list of it.
 */
export async function restoreRequest(value: unknown, bodies: LockBodies, call: string): Promise<unknown> {
  if (Array.isArray(value)) return await Promise.all(value.map((each) => restoreRequest(each, bodies, call)));
  if (!isRecord(value)) return value;
  if (isList(value)) {
    const fault = await bodies.faultOf(value.sha256);
    if (fault !== undefined) {
      throw new RegistryError(
        fault === "absent" ? "offline" : "damaged",
        `Cannot ask ${call} again: a list of its request is ${fault} in the cache; unpack the lock ` +
          `(seqreg lock unpack FILE), or record it again`,
      );
    }
    return JSON.parse(await new Response(ReadableStream.from(bodies.read(value.sha256))).text());
  }
  const entries = Object.entries(value).map(async ([key, each]) =>
    [key, await restoreRequest(each, bodies, call)] as const
  );
  return Object.fromEntries(await Promise.all(entries));
}

function isList(value: object): value is LockedList {
  return Object.keys(value).sort().join() === "bytes,items,sha256";
}
