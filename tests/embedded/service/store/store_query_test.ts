/** Holds the database to the plain reading of queries, over random records, queries, filters, sorts and pages. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { openStore } from "../../../../src/embedded/service/registry/open_store.ts";
import { evaluateQuery } from "../../../../src/core/query/query_evaluate.ts";
import { scoreRecord } from "../../../core/query/_score_record.ts";
import { readFilters } from "../../../../src/core/query/query_filter.ts";
import { parseQuery } from "../../../../src/core/query/query_parser.ts";
import type { PageRequest, RegistryStore } from "../../../../src/embedded/service/store/store.ts";
import type { SearchFilter } from "../../../../src/core/contract/search.ts";
import { formatAccession } from "../../../../src/core/contract/accession.ts";
import { makeArchives } from "../_archives.ts";
import { COLUMNS, expectedFacet, expectedOrder, filter, LOOKUP, query, row, sort, TYPES } from "../_random_queries.ts";

async function checkSearch(
  store: RegistryStore,
  records: string[][],
  search: { query: string; filter: SearchFilter[]; sort: PageRequest["sort"]; pageSize: number },
): Promise<void> {
  const node = parseQuery(search.query, LOOKUP);
  const filters = readFilters(search.filter, LOOKUP);
  const rows = records.flatMap((values, index) =>
    evaluateQuery(node, values) && evaluateQuery(filters, values) ? [index] : []
  );
  const scores = records.map((values) => scoreRecord(node, values));
  const order = expectedOrder(rows, records, search.sort, scores);

  const found: number[] = [];
  for (let offset = 0; offset <= order.length; offset += search.pageSize) {
    const page = await store.search(search, { offset, limit: search.pageSize, sort: search.sort });
    assertEquals(page.total, order.length);
    const expected = order.slice(offset, offset + search.pageSize);
    assertEquals(page.records.map(({ accession }) => accession), expected.map((row) => formatAccession(row + 1)));
    assertEquals(page.records.map(({ values }) => values), expected.map((row) => records[row]));
    assertEquals(page.scores, expected.map((row) => search.sort === undefined ? scores[row] : null));
    assertEquals(page.facets, page.facets.map(({ field }) => expectedFacet(field, rows, records)));
    assert(page.facets.length > 0);
    found.push(...expected);
  }
  assertEquals(new Set(found).size, order.length);

  const streamed: string[] = [];
  for await (const batch of store.matching(search)) streamed.push(...batch.map(({ accession }) => accession));
  assertEquals(streamed, rows.map((row) => formatAccession(row + 1)));
}

Deno.test("the database finds what the plain reading finds: queries, filters, sorts, pages and facets", async () => {
  const tables = fc.sample(fc.array(row, { minLength: 40, maxLength: 60 }), { numRuns: 3, seed: 20 });
  for (const [index, rows] of tables.entries()) {
    const records = rows.map((cells, row) => [formatAccession(row + 1), ...cells]);
    await using world = await makeArchives({ columns: COLUMNS, rows, types: TYPES });
    await using store = await openStore(world.folder, { cacheFolder: world.cacheFolder });
    const search = fc.record({ query, filter, sort, pageSize: fc.integer({ min: 7, max: 30 }) });
    await fc.assert(
      fc.asyncProperty(search, (search) => checkSearch(store, records, search)),
      { numRuns: 150, seed: 100 + index, endOnFailure: false },
    );
  }
});
