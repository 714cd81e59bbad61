/** The minimum speed of a download. */
import type { OptionRules } from "../options/option_rule.ts";
import * as rule from "../options/rules.ts";

/** The slowest accepted download: a registry that drips bytes is never silent, and never ends. */
export interface Pace {
  /** Minimum bytes in one window. */
  readonly bytes: number;
  /** Length of a window in milliseconds. */
  readonly windowMs: number;
}

export const PACE = {
  bytes: rule.required(rule.number({ from: 0 })),
  windowMs: rule.required(rule.number({ above: 0 })),
} satisfies OptionRules<Pace>;

/** One KiB per minute: at that speed a megabyte takes most of a day. */
export const SLOWEST_PACE: Pace = { bytes: 1024, windowMs: 60_000 };
