import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { splitSearch } from "../../../../src/core/registry/plan/search_split.ts";
import { formatAccession } from "../../../../src/core/contract/accession.ts";
import { SPECIFICATION_NAMING } from "../../../../src/core/contract/naming.ts";
import type { SearchFilter, SearchRequest, SearchResponse } from "../../../../src/core/contract/search.ts";

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

/** The embedded registry: numbers of accessions, found by ranges and sorted by them. */
function rangeProbe(numbers: readonly number[], options: { readonly lost?: number; readonly name?: string } = {}) {
  const asked: SearchRequest[] = [];
  const sourceOf = (number: number) => ({ [options.name ?? "Registry Accession"]: formatAccession(number) });
  const probe = (request: Partial<SearchRequest> & { readonly sort?: { readonly order?: string } }) => {
    asked.push({ query: "", ...request });
    const range = /^registry_accession:\[vj(\d+) TO vj(\d+)\]$/.exec(request.query ?? "");
    const found = range === null
      ? numbers
      : numbers.filter((number) => number >= Number(range[1]) && number <= Number(range[2]) && number !== options.lost);
    const most = request.sort?.order === "desc" ? Math.max(...found) : Math.min(...found);
    const results = found.length === 0 ? [] : [{ id: "", score: null, source: sourceOf(most) }];
    const answer = { total: found.length, results, facets: {}, query: "" };
    return Promise.resolve<SearchResponse>(answer);
  };
  return { probe, asked };
}

async function splitRanges(numbers: readonly number[], options: Parameters<typeof rangeProbe>[1] = {}) {
  const { probe, asked } = rangeProbe(numbers, options);
  const whole = { criteria: { query: "" }, answer: await probe({}) };
  const found = await splitSearch(whole, probe, { by: "ranges", naming: SPECIFICATION_NAMING });
  return { found, asked };
}

Deno.test("splitSearch() divides the embedded registry by ranges of accessions that are within paging", async () => {
  const numbers = Array.from({ length: 24_000 }, (_, index) => 101 + index);
  const { found, asked } = await splitRanges(numbers);
  assert("parts" in found);
  assertEquals([found.by, found.parts.map(({ total }) => total), found.probes], [
    "ranges of accessions",
    [8000, 8000, 8000],
    5,
  ]);
  assertEquals(asked.slice(1, 3), [
    { query: "", sort: { column: "registry_accession", order: "asc" } },
    { query: "", sort: { column: "registry_accession", order: "desc" } },
  ] as unknown[]);
  assertEquals(found.parts.map(({ criteria }) => criteria.query), [
    "registry_accession:[vj000000000101 TO vj000000008100]",
    "registry_accession:[vj000000008101 TO vj000000016100]",
    "registry_accession:[vj000000016101 TO vj000000024100]",
  ]);
});

Deno.test("splitSearch() halves a range that is denser than the others, and leaves empty ones out", async () => {
  const dense = Array.from({ length: 15_000 }, (_, index) => index + 1);
  const { found } = await splitRanges([...dense, 1_000_000]);
  assert("parts" in found);
  assertEquals(found.parts.reduce((sum, { total }) => sum + total, 0), 15_001);
  assertEquals(found.parts.every(({ total }) => total > 0 && total < 10_000), true);
  // A total of exactly 10,000 may be where a registry stopped counting.
  const { found: full } = await splitRanges([...dense.slice(0, 10_000), 1_000_000]);
  assert("parts" in full);
  assertEquals([full.parts.length > 2, full.parts.every(({ total }) => total < 10_000)], [true, true]);
});

Deno.test("splitSearch() believes no ranges that do not hold the whole", async (t) => {
  const numbers = Array.from({ length: 12_000 }, (_, index) => index + 1);
  const cases: Record<string, [numbers: readonly number[], options: Parameters<typeof rangeProbe>[1], reason: string]> =
    {
      "a record in no range": [numbers, { lost: 500 }, "ranges of accessions hold 11999 of 12000"],
      "records without an accession": [numbers, { name: "Other" }, "no facet divides it"],
      "10,000 records of one accession": [Array.from({ length: 12_000 }, () => 7), {}, "no facet divides it"],
    };
  for (const [name, [numbers, options, reason]] of Object.entries(cases)) {
    await t.step(name, async () => {
      const { found } = await splitRanges(numbers, options);
      assert("reason" in found);
      assertStringIncludes(found.reason, reason);
    });
  }
});

Deno.test("splitSearch() gives up beyond 400 probes", async () => {
  const facets = { Day: Object.fromEntries(Array.from({ length: 100 }, (_, day) => [String(day), 120_000])) };
  const probe = () => Promise.resolve({ total: 120_000, results: [], facets, query: "" });
  const answer = { ...await probe(), total: 12_000_000 };
  const found = await splitSearch({ criteria: { query: "" }, answer }, probe, {
    by: "facets",
    naming: SPECIFICATION_NAMING,
  });
  assert("reason" in found);
});

/** Divides what a probe says of everything, by facets. */
async function splitFacets(probe: (request: { readonly filter?: readonly SearchFilter[] }) => Promise<SearchResponse>) {
  return await splitSearch({ criteria: { query: "" }, answer: await probe({}) }, probe, {
    by: "facets",
    naming: SPECIFICATION_NAMING,
  });
}

Deno.test("splitSearch() reads no part without records, and takes a part of exactly 10,000 for one beyond paging", async () => {
  const probeOf = (values: Readonly<Record<string, number>>) => ({ filter }: { filter?: readonly SearchFilter[] }) => {
    const total = filter === undefined
      ? Object.values(values).reduce((sum, count) => sum + count)
      : values[String(filter[0].value)];
    return Promise.resolve({ total, results: [], facets: filter === undefined ? { Half: values } : {}, query: "" });
  };
  const found = await splitFacets(probeOf({ a: 9999, b: 8000, c: 0 }));
  assert("parts" in found);
  assertEquals([found.parts.map(({ total }) => total), found.by, found.probes], [[9999, 8000], "Half", 3]);
  const full = await splitFacets(probeOf({ a: 10_000, b: 8000 }));
  assert("reason" in full);
  assertStringIncludes(full.reason, "Half: a value alone is beyond paging");
});

Deno.test("splitSearch() divides by three facets within each other, by no fourth, and by none of one value", async () => {
  // Every value of a facet has half of the records, and all have one value of the facet One.
  const probeOf =
    (names: readonly string[], all: number) => ({ filter = [] }: { filter?: readonly SearchFilter[] }) => {
      const total = all >> filter.filter(({ field }) => field !== "One").length;
      const free = names.filter((name) => filter.every(({ field }) => field !== name));
      const facets = Object.fromEntries(free.map((name) => [name, { a: total / 2, b: total / 2 }]));
      return Promise.resolve({ total, results: [], facets: { One: { same: total }, ...facets }, query: "" });
    };
  const three = await splitFacets(probeOf(["A", "B", "C"], 48_000));
  assert("parts" in three);
  assertEquals([three.parts.map(({ total }) => total), three.probes], [Array(8).fill(6000), 14]);
  assert("reason" in await splitFacets(probeOf(["A", "B", "C", "D"], 96_000)));
  assertEquals(await splitFacets(probeOf([], 12_000)), { reason: "no facet divides it" });
});

Deno.test("splitSearch() fails as its probe does", async () => {
  const broken = Promise.reject(new TypeError("the registry is gone"));
  broken.catch(() => {});
  const whole = { total: 12_000, results: [], facets: { Half: { a: 6000, b: 6000 } }, query: "" };
  const splitting = splitFacets(({ filter }) => filter === undefined ? Promise.resolve(whole) : broken);
  await assertRejects(() => splitting, TypeError, "the registry is gone");
});
