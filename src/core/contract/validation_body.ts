/** One element of `detail`. Source: Specification 2.8. */
export interface ValidationIssue {
  /** Where: `body` or `query`, then keys and indices. */
  readonly loc: readonly (string | number)[];
  /** What is wrong and what was expected. */
  readonly msg: string;
  /** Kind of the fault, such as `invalid_type`. */
  readonly type: string;
}

/** Body of status 422. Source: Specification 2.8. */
export interface ValidationBody {
  /** The faults; not empty. */
  readonly detail: readonly ValidationIssue[];
}
