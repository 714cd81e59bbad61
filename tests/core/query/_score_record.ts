/** A plain reading of scores: what the index and the database must agree with. */
import { wordsOf } from "../../../src/core/query/fold.ts";
import { type QueryNode, scoringWords } from "../../../src/core/query/query_ast.ts";
import { countWords } from "../../../src/core/query/query_evaluate.ts";

/**
 * Rates a record that holds a query: 1, and 1 more for each place where the query's words stand in its values.
 *
 * Words with wildcards and negated ones do not count; a word that is written twice counts once.
 *
 * @see Specification 2.2; how a registry rates is not shown. Chosen because it is the same on every machine and needs
 * no statistics of the other records.
 */
export function scoreRecord(node: QueryNode, values: readonly string[]): number {
  let score = 1;
  for (const words of scoringWords(node)) {
    const patterns = words.map((word) => [word]);
    for (const value of values) score += countWords(patterns, wordsOf(value));
  }
  return score;
}
