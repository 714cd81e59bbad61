/** Compares the answers in the cache with what a lock says of them. */
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
  if (call.set === null) return undefined;
  const set = startSetDigest(call.mediaType.split(";", 1)[0].trim().toLowerCase());
  let bytes = 0;
  for await (const chunk of bodies.read(call.sha256)) {
    set.update(chunk);
    bytes += chunk.length;
  }
  const found = set.digest();
  if (bytes === call.bytes && found.records === call.records && found.set === call.set) return undefined;
  return "the lock was changed: its answer has other records; restore it from its repository, or use seqreg lock update";
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
