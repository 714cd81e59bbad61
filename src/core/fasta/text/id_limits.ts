/** Bounds of what is remembered to find identifiers that come twice. */

/** How many identifiers are remembered, and how many bytes of them. */
export interface IdLimits {
  readonly mostIds: number;
  readonly mostBytes: number;
}

/** Some 2.5 GB in all at most. */
export const ID_LIMITS: IdLimits = { mostIds: 64_000_000, mostBytes: 1 << 30 };
