import type { RegistryError } from "../errors.ts";
import type { OptionRules } from "../options/option_rule.ts";
import * as rule from "../options/rules.ts";

/** How often and how long the client retries. */
export interface RetryPolicy {
  /** Maximum attempts, including the first; 4 by default. */
  readonly tries?: number;
  /** Maximum total milliseconds of waiting between attempts; 30,000 by default. */
  readonly budgetMs?: number;
}

export const RETRY_POLICY = {
  tries: rule.wholeNumber({ from: 1 }),
  budgetMs: rule.number({ from: 0, to: Infinity }),
} satisfies OptionRules<RetryPolicy>;

/** Default retries. The specification states none: these are the command line's. */
export const DEFAULT_RETRY: Required<RetryPolicy> = { tries: 4, budgetMs: 30_000 };

/** An attempt failed and another follows. */
export interface RetryEvent {
  /** What went wrong. */
  readonly error: RegistryError;
  /** Number of the failed attempt, from 1. */
  readonly tries: number;
  /** Wait before the next attempt, in milliseconds. */
  readonly waitMs: number;
}
