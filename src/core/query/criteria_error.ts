/** What is wrong with a query, a filter or a sort. */

/** A query, filter or sort that the registry cannot follow: status 422. */
export class CriteriaError extends Error {
  /** Name of the class. */
  override readonly name = "CriteriaError";
  /** Where in the request's search object: such as `["query"]` or `["filter", 0, "field"]`. */
  readonly loc: readonly (string | number)[];

  /** States what is wrong, where, and what was expected. */
  constructor(message: string, loc: readonly (string | number)[]) {
    super(message);
    this.loc = loc;
  }
}
