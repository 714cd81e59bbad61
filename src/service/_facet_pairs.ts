/**
 * How often the values of two fields stand in one record: facets of a condition on a single field without a scan.
 *
 * The first condition on a field with few values is answered by a scan as any other; meanwhile the field is counted
 * against all facets, once, and every later condition on it, with whatever value, is a sum over its values.
 */
import { TABLE } from "./_columns.ts";
import type { FindDatabase } from "./_duckdb.ts";
import { type FacetField, facetOf } from "./_facet_fields.ts";
import type { Summary } from "./_find.ts";

/** Most counts that are kept of one field: 4 MB. */
const MAX_COUNTS = 1 << 20;

/** Summaries of conditions on single fields. */
export interface FacetPairs {
  /**
   * Gives the number and the facets of the records in which a field has one of the values with these codes; `undefined`
   * when the field is not counted yet, which then begins.
   */
  summarise(field: number, codes: readonly number[]): Summary | undefined;
}

/** Counts of one field's values against every facet: `counts[facet][code * values + value]`. */
type Counts = readonly Uint32Array[];

/** Starts without any counts. */
export function createFacetPairs(database: FindDatabase, facetFields: readonly FacetField[]): FacetPairs {
  const counted = new Map<number, Counts>();
  const begun = new Set<number>();
  const width = facetFields.reduce((sum, { values }) => sum + values.length, 0);

  const count = async ({ index, values }: FacetField): Promise<void> => {
    const counts: Uint32Array[] = [];
    for (const other of facetFields) {
      const table = new Uint32Array(values.length * other.values.length);
      const result = await database.query(
        `SELECT c${index} AS a, c${other.index} AS b, count(*) FROM ${TABLE} GROUP BY a, b`,
        [],
      );
      for (const [a, b, records] of result.getRowsJS()) {
        table[Number(a) * other.values.length + Number(b)] = Number(records);
      }
      counts.push(table);
    }
    counted.set(index, counts);
  };

  return {
    summarise(index, codes) {
      const counts = counted.get(index);
      const field = facetFields.find((field) => field.index === index);
      if (counts === undefined || field === undefined) {
        if (field !== undefined && !begun.has(index) && field.values.length * width <= MAX_COUNTS) {
          begun.add(index);
          // Whoever asks next asks for it again: a store that closes meanwhile ends the counting.
          count(field).catch(() => begun.delete(index));
        }
        return undefined;
      }
      const sums = facetFields.map((other, at) => {
        const sum = new Array<number>(other.values.length).fill(0);
        for (const code of codes) {
          for (let value = 0; value < sum.length; value++) sum[value] += counts[at][code * sum.length + value];
        }
        return sum;
      });
      return {
        total: sums[0].reduce((sum, records) => sum + records, 0),
        facets: facetFields.map((other, at) => facetOf(other, sums[at].entries())),
      };
    },
  };
}
