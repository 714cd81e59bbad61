/** How slow a download may be. */

/** The slowest download that is waited for: a registry that drips never falls silent, and never ends. */
export interface Pace {
  /** Least bytes in one window. */
  readonly bytes: number;
  /** Length of a window in milliseconds. */
  readonly windowMs: number;
}

/** One KiB a minute: whatever is slower would take a day for a megabyte. */
export const SLOWEST_PACE: Pace = { bytes: 1024, windowMs: 60_000 };
