/** Versions of Spark: which the client speaks to, and which it was tried with. */

/** The oldest version of Spark whose protocol has all that is used. */
export const LEAST_VERSION = 4;

/** The version that `deno task cluster` starts, and every analysis and fault is checked with. */
export const TRIED_VERSION = "4.3";

/** Whether a version such as `4.3.0` is one that the toolkit was tried with. */
export function isTried(version: string): boolean {
  return version === TRIED_VERSION || version.startsWith(`${TRIED_VERSION}.`);
}
