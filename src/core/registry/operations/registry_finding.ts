/** What the examination of a registry finds. */

export interface RegistryFinding {
  /** What it is about, such as `latency`. */
  readonly subject: string;
  readonly state: string;
  /** What to do about it; absent where all is well. */
  readonly advice?: string;
  /** Whether something of the toolkit will not work for it. */
  readonly isProblem: boolean;
}
