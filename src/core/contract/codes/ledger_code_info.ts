/** What a code of a ledger stands for. */

/** Level of an entry: a reason why a result is incomplete, or a warning about a complete one. */
export type LedgerLevel = "reason" | "warning";

/** What a code stands for. */
export interface LedgerCodeInfo {
  /** Usual level; a reason may be reported as a warning by work that does not need what is absent. */
  readonly level: LedgerLevel;
  /** What was found, in one sentence. */
  readonly meaning: string;
  /** What to do about it, in one sentence. */
  readonly advice: string;
}

/** A code of what makes a result incomplete. */
export const reason = (meaning: string, advice: string): LedgerCodeInfo => ({ level: "reason", meaning, advice });
/** A code of what is unusual about a complete result. */
export const warning = (meaning: string, advice: string): LedgerCodeInfo => ({ level: "warning", meaning, advice });
