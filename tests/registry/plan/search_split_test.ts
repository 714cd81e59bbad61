import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { splitSearch } from "../../../src/registry/plan/search_split.ts";
import { SPECIFICATION_NAMING } from "../../../src/contract/naming.ts";
import type { SearchFilter, SearchRequest, SearchResponse } from "../../../src/contract/search.ts";

/** A registry of numbers: a filter keeps those whose value fits, as far as `fits` says. */
function fakeProbe(
  records: readonly Readonly<Record<string, string>>[],
  options: { readonly ignoresFilters?: boolean; readonly cap?: number; readonly hidden?: readonly string[] } = {},
) {
  return ({ filter = [] }: { readonly filter?: readonly SearchFilter[] }): Promise<SearchResponse> => {
    const found = options.ignoresFilters
      ? records
      : records.filter((record) => filter.every(({ field, value }) => record[field] === value));
    const facets: Record<string, Record<string, number>> = {};
    for (const record of found) {
      for (const [field, value] of Object.entries(record)) {
        if (options.hidden?.includes(value)) continue;
        facets[field] ??= {};
        facets[field][value] = (facets[field][value] ?? 0) + 1;
      }
    }
    return Promise.resolve({ total: Math.min(found.length, options.cap ?? Infinity), results: [], facets, query: "" });
  };
}

Deno.test("splitSearch() believes nothing that was not probed", async (t) => {
  const records = Array.from({ length: 24_000 }, (_, index) => ({
    Half: index < 12_000 ? "a" : "b",
    Third: String(index % 3),
  }));
  const split = async (probe: ReturnType<typeof fakeProbe>, request: Partial<SearchRequest> = {}) => {
    const criteria = { query: "", ...request };
    return await splitSearch({ criteria, answer: await probe(criteria) }, probe, {
      by: "facets",
      naming: SPECIFICATION_NAMING,
    });
  };
  await t.step("the facet with the smallest largest part comes first", async () => {
    const found = await split(fakeProbe(records));
    assert("parts" in found);
    assertEquals([found.by, found.parts.map(({ total }) => total), found.probes], ["Third", [8000, 8000, 8000], 3]);
  });
  await t.step("parts beyond paging are divided again", async () => {
    const many = records.map((record) => ({ Half: record.Half, Fifth: record.Third === "0" ? "0" : "1" }));
    const found = await split(fakeProbe(many));
    assert("parts" in found);
    assertEquals(found.by, "Half and further facets");
    assertEquals(found.parts.map(({ total }) => total), [4000, 8000, 4000, 8000]);
    assertEquals(found.parts[0].criteria.filter, [{ field: "Half", value: "a" }, { field: "Fifth", value: "0" }]);
  });
  const refusals: Record<
    string,
    [probe: ReturnType<typeof fakeProbe>, reason: string, request?: Partial<SearchRequest>]
  > = {
    "filters that are ignored": [
      fakeProbe(records, { ignoresFilters: true }),
      "filters by its values give 72000 of 24000",
    ],
    "values that are not listed": [fakeProbe(records, { hidden: ["a", "2"] }), "Third: its values hold 16000 of 24000"],
    "totals that stop at 10,000": [
      fakeProbe(records.map(({ Half }) => ({ Half })), { cap: 10_000 }),
      "no facet provably divides it",
    ],
    "a facet that is filtered by already": [fakeProbe(records.map(({ Half }) => ({ Half }))), "", {
      filter: [{ field: "half", value: "a" }],
    }],
  };
  for (const [name, [probe, reason, request]] of Object.entries(refusals)) {
    await t.step(name, async () => {
      const found = await split(probe, request);
      assert("reason" in found, JSON.stringify(found));
      assertStringIncludes(found.reason, reason);
    });
  }
});
