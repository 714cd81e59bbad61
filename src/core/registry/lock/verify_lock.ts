/** Compares the answers in the cache with what a lock says of them. */
import type { LockBodies } from "./lock_bodies.ts";
import type { LockedCall } from "./lock_file.ts";
import { startSetDigest } from "./set_digest.ts";

/** Finds what is wrong with the answer of a call: `undefined` if it is in the cache and as the lock says. */
export async function faultOfCall(call: LockedCall, bodies: LockBodies): Promise<string | undefined> {
  const fault = await bodies.faultOf(call.sha256);
  if (fault !== undefined) return fault === "absent" ? "its answer is not in the cache" : "its answer is damaged";
  if (call.set === null) return undefined;
  const set = startSetDigest(call.mediaType.split(";", 1)[0].trim().toLowerCase());
  let bytes = 0;
  for await (const chunk of bodies.read(call.sha256)) {
    set.update(chunk);
    bytes += chunk.length;
  }
  const found = set.digest();
  if (bytes === call.bytes && found.records === call.records && found.set === call.set) return undefined;
  return "the lock was changed: its answer has other records";
}
