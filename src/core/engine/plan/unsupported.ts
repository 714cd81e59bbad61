/** The error for what only polars can compute. */

/** Reports which part of a query has no translation. */
export function unsupported(part: string): TypeError {
  return new TypeError(
    `Cannot run the query on another engine: there is no translation for ${part}; write the step in another way, use ` +
      "lake.sql() in the engine's own SQL, or open the lake without an engine to run it in this process",
  );
}
