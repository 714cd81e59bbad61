/** What `SEQREG_OFFLINE` means. */

/** Values by which a switch of the environment is off. */
const OFF: readonly string[] = ["", "0", "false", "no", "off"];

/**
 * Whether the value of `SEQREG_OFFLINE` forbids the network: any but `0`, `false`, `no` and `off` does, since a request
 * that was to be refused cannot be taken back.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { isOffline } from "./is_offline.ts";
 *
 * assertEquals([undefined, "", "0", "False", "1", "true"].map(isOffline), [false, false, false, false, true, true]);
 * ```
 */
export function isOffline(value: string | undefined): boolean {
  return !OFF.includes((value ?? "").trim().toLowerCase());
}
