/** Compares the answers in the cache with what a lock says of them. */
import { parseChecksums } from "../../io/digest/checksum_file.ts";
import { isRecord } from "../../options/is_record.ts";
import type { LockBodies } from "./lock_bodies.ts";
import type { LockedCall } from "./lock_file.ts";
import { callKey } from "./locked_call.ts";
import { listsOf, restoreRequest } from "./locked_request.ts";
import { startSetDigest } from "./set_digest.ts";

/**
 * Finds what is wrong with a call: `undefined` if its answer is in the cache and as the lock states, and its request is
 * the one that it is named after.
 */
export async function faultOfCall(key: string, call: LockedCall, bodies: LockBodies): Promise<string | undefined> {
  const fault = await bodies.faultOf(call.sha256);
  if (fault !== undefined) return fault === "absent" ? "its answer is not in the cache" : "its answer is damaged";
  for (const list of listsOf(call.request)) {
    const fault = await bodies.faultOf(list.sha256);
    if (fault !== undefined) return `a list of its request is ${fault}`;
  }
  if (!await isNamedAfter(key, call, bodies)) {
    return "the lock was changed: its request is another one; restore it from its repository";
  }
  // Answers whose records are not recognised, such as refusals, have neither a digest nor a number of them.
  const set = call.set === null ? undefined : startSetDigest(call.mediaType.split(";", 1)[0].trim().toLowerCase());
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const chunk of bodies.read(call.sha256)) {
    set?.update(chunk);
    if (call.archive !== undefined) parts.push(chunk.slice());
    bytes += chunk.length;
  }
  const found = set?.digest() ?? { records: null, set: null };
  const archive = call.archive && digestIn(await new Blob(parts).text());
  const isStated = found.records === call.records && found.set === call.set && archive === call.archive;
  if (bytes === call.bytes && isStated) return undefined;
  return "the lock was changed: its answer has other records; restore it from its repository, or use seqreg lock update";
}

/** The digest of the archive that a checksum file is of; `undefined` of any other text. */
function digestIn(text: string): string | undefined {
  try {
    return parseChecksums(text).at(0)?.sha256;
  } catch {
    return undefined;
  }
}

async function isNamedAfter(key: string, call: LockedCall, bodies: LockBodies): Promise<boolean> {
  const request = await restoreRequest(call.request, bodies, call.operation);
  return [false, true].some((isAgain) => isKeyOf(key, { ...call, request, isAgain }));
}

/** Whether a call was asked a second time, for the answer of then: only the digest that names it shows it. */
export function isAskedAgain(key: string, call: LockedCall, request: unknown): boolean {
  return isKeyOf(key, { ...call, request, isAgain: true });
}

function isKeyOf(key: string, asked: Parameters<typeof callKey>[0]): boolean {
  return [asked.request, withBigints(asked.request)].some((request) => callKey({ ...asked, request }) === key);
}

/** Locks of older versions hold whole numbers beyond 2^53 as texts. */
function withBigints(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withBigints);
  if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withBigints(each)]));
  return typeof value === "string" && /^-?[1-9][0-9]{15,}$/.test(value) ? BigInt(value) : value;
}
