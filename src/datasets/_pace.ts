/** How slow a download may be. */
import type { OptionRules } from "../contract/options/option_rule.ts";
import * as rule from "../contract/options/rules.ts";

/** The slowest download that is waited for: a registry that drips never falls silent, and never ends. */
export interface Pace {
  /** Least bytes in one window. */
  readonly bytes: number;
  /** Length of a window in milliseconds. */
  readonly windowMs: number;
}

/** Rules of {@linkcode Pace}. */
export const PACE = {
  bytes: rule.required(rule.number({ from: 0 })),
  windowMs: rule.required(rule.number({ above: 0 })),
} satisfies OptionRules<Pace>;

/** One KiB a minute: whatever is slower would take a day for a megabyte. */
export const SLOWEST_PACE: Pace = { bytes: 1024, windowMs: 60_000 };
