/** What `seqreg replay` has a program do that opens registries: a variable of its environment. */

export const REPLAY_VARIABLE = "SEQREG_REPLAY";

/** The lock of a replay, which is used instead of the one that the program names. */
export interface ReplayOrder {
  /** Path of the lock, absolute. */
  readonly lock: string;
  /** File that lists the calls, absolute. */
  readonly journal: string;
  /** Whether the registry is asked again. */
  readonly isLive: boolean;
}

/** Writes the value of the variable. */
export function replayOrderText(order: ReplayOrder): string {
  return JSON.stringify(order);
}

/** Reads the value of the variable. @throws {TypeError} If it is not one. */
export function readReplayOrder(text: string): ReplayOrder {
  try {
    const { lock, journal, isLive } = JSON.parse(text);
    if (typeof lock === "string" && typeof journal === "string" && typeof isLive === "boolean") {
      return { lock, journal, isLive };
    }
  } catch {
    // Reported below.
  }
  throw new TypeError(`Cannot read ${REPLAY_VARIABLE}: expected what seqreg replay sets; unset it`);
}
