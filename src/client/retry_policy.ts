import type { RegistryError } from "../errors.ts";
import type { OptionRules } from "../contract/options/option_rule.ts";
import * as rule from "../contract/options/rules.ts";

/** How often and how long the client tries again. */
export interface RetryPolicy {
  /** Tries in all, the first included; 4 by default. */
  readonly tries?: number;
  /** Milliseconds of waiting between tries in all; 30,000 by default. */
  readonly budgetMs?: number;
}

/** Rules of {@linkcode RetryPolicy}. */
export const RETRY_POLICY = {
  tries: rule.wholeNumber({ from: 1 }),
  budgetMs: rule.number({ from: 0, to: Infinity }),
} satisfies OptionRules<RetryPolicy>;

/** Tries and waiting unless others are asked for. The specification shows none: these are the command line's. */
export const DEFAULT_RETRY: Required<RetryPolicy> = { tries: 4, budgetMs: 30_000 };

/** A try failed and another follows. */
export interface RetryEvent {
  /** What went wrong. */
  readonly error: RegistryError;
  /** Number of the try that failed, from 1. */
  readonly tries: number;
  /** Wait before the next one, in milliseconds. */
  readonly waitMs: number;
}
