/** The store behind the seam: pages, streams, selections, signals and closing. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { openStore } from "../../../../src/embedded/service/registry/open_store.ts";
import { CriteriaError } from "../../../../src/core/query/criteria_error.ts";
import type { RegistryStore } from "../../../../src/embedded/service/store/store.ts";
import { formatAccession } from "../../../../src/core/contract/accession.ts";
import { type ArchiveContent, type ArchiveWorld, makeArchives } from "../_archives.ts";
import { GRAMMAR, GRAMMAR_RECORDS, GRAMMAR_TYPES } from "../_grammar.ts";

const COUNTRIES = ["Kenya", "Peru", "", "Chad"];
const MANY: ArchiveContent = {
  columns: ["Country", "Sequence Length", "Host Species"],
  rows: Array.from({ length: 1_300 }, (_, row) => [COUNTRIES[row % 4], String(row % 100), `host ${row}`]),
  sequences: Array.from({ length: 1_300 }, (_, row) => row < 4 ? "ACGT".repeat(450_000) : "AC"),
  types: { "Sequence Length": "integer" },
};
const ALL = { query: "", filter: [] };

interface OpenWorld extends ArchiveWorld {
  readonly store: RegistryStore;
}

async function openMany(content: ArchiveContent = MANY): Promise<OpenWorld> {
  const world = await makeArchives(content);
  const store = await openStore(world.folder, { cacheFolder: world.cacheFolder });
  return {
    ...world,
    store,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

async function collect<T>(batches: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const batch of batches) all.push(...batch);
  return all;
}

Deno.test("store.search() gives pages with total, scores and facets", async () => {
  await using world = await openMany();
  const { store } = world;
  const first = await store.search(ALL, { offset: 0, limit: 2 });
  assertEquals(first.total, 1_300);
  assertEquals(first.records.map(({ accession }) => accession), [formatAccession(1), formatAccession(2)]);
  assertEquals(first.scores, [1, 1]);
  assertEquals(first.facets[0], {
    field: "Country",
    values: [{ value: "Chad", count: 325 }, { value: "Kenya", count: 325 }, { value: "Peru", count: 325 }],
  });
  const beyond = await store.search(ALL, { offset: 1_299, limit: 50 });
  assertEquals(beyond.records.length, 1);
  const sort = { field: "Country", order: "desc" } as const;
  const sorted = await store.search(ALL, { offset: 974, limit: 2, sort });
  assertEquals(sorted.records.map(({ values }) => values[1]), ["Chad", ""]);
  assertEquals(sorted.scores, [null, null]);
});

Deno.test("store.search() follows the grammar by example", async (t) => {
  const rows = GRAMMAR_RECORDS.map((values) => values.slice(1));
  await using world = await openMany({ columns: Object.keys(GRAMMAR_TYPES), rows, types: GRAMMAR_TYPES });
  for (const [query, found] of Object.entries(GRAMMAR)) {
    await t.step(JSON.stringify(query), async () => {
      const sort = { field: "registry_accession", order: "asc" } as const;
      const page = await world.store.search({ query, filter: [] }, { offset: 0, limit: 50, sort });
      assertEquals(page.records.map(({ accession }) => accession), found.map(formatAccession));
    });
  }
});

Deno.test("a filter by a facet's value finds as many records as the facet counts", async () => {
  await using world = await openMany();
  const { facets } = await world.store.search(ALL, { offset: 0, limit: 1 });
  for (const { field, values } of facets) {
    for (const { value, count } of values) {
      const page = await world.store.search({ query: "", filter: [{ field, value }] }, { offset: 0, limit: 1 });
      assertEquals(page.total, count);
    }
  }
});

Deno.test("store.search() says where the criteria are wrong", async (t) => {
  await using world = await openMany();
  const page = { offset: 0, limit: 1 };
  const cases: readonly (readonly [loc: (string | number)[], search: () => Promise<unknown>])[] = [
    [["query"], () => world.store.search({ query: "contry:x", filter: [] }, page)],
    [["filter", 0, "field"], () => world.store.search({ query: "", filter: [{ field: "x", value: 1 }] }, page)],
    [
      ["filter", 0, "value"],
      () => world.store.search({ query: "", filter: [{ field: "country", value: null }] }, page),
    ],
    [["sortColumn"], () => world.store.search(ALL, { ...page, sort: { field: "x", order: "asc" } })],
    [["query"], () => world.store.matching({ query: "(", filter: [] }).next()],
    [["query"], () => world.store.matchingSequences({ query: "(", filter: [] }).next()],
  ];
  for (const [loc, search] of cases) {
    await t.step(loc.join("."), async () => {
      assertEquals((await assertRejects(search, CriteriaError)).loc, loc);
    });
  }
});

Deno.test("store.search() answers many at once", async () => {
  await using world = await openMany();
  const totals = await Promise.all(Array.from({ length: 40 }, async (_, number) => {
    const page = await world.store.search({ query: `sequence_length:${number}`, filter: [] }, { offset: 0, limit: 5 });
    return page.total;
  }));
  assertEquals(totals, Array(40).fill(13));
});

Deno.test("store.matching() streams in the order of the archives, in small batches", async () => {
  await using world = await openMany();
  const batches: number[] = [];
  for await (const batch of world.store.matching(ALL)) batches.push(batch.length);
  assertEquals(batches.reduce((sum, size) => sum + size), 1_300);
  assert(batches.length >= 3 && batches.every((size) => size <= 500), `${batches}`);
  const found = await collect(world.store.matching({ query: "kenya OR peru", filter: [] }));
  const expected = MANY.rows.flatMap(([country], row) => country === "Kenya" || country === "Peru" ? [row + 1] : []);
  assertEquals(found.map(({ accession }) => accession), expected.map(formatAccession));
  assertEquals(await collect(world.store.matching({ query: "nowhere", filter: [] })), []);
});

Deno.test("store.matchingSequences() keeps batches to 32 KiB of sequences, or one record", async () => {
  await using world = await openMany();
  const sizes: number[] = [];
  for await (const batch of world.store.matchingSequences(ALL)) {
    const size = batch.reduce((sum, { sequence = "" }) => sum + sequence.length, 0);
    assert(size <= 2 ** 15 || batch.length === 1, `${batch.length} records of ${size} bases together`);
    sizes.push(size);
  }
  assertEquals(sizes.reduce((sum, size) => sum + size), 4 * 1_800_000 + 1_296 * 2);
});

Deno.test("store.selected() gives each name once, in the order of the names, and leaves unknown ones out", async () => {
  await using world = await openMany();
  const names = Array.from({ length: 1_300 }, (_, row) => formatAccession(1_300 - row));
  const asked = [formatAccession(9_999), ...names, "vj1", "", names[0], "VJ000000000001"];
  const found = await collect(world.store.selected(asked));
  assertEquals(found.map(({ accession }) => accession), names);
  const [one] = await collect(world.store.selectedSequences([formatAccession(7)]));
  assertEquals(one.sequence, "AC");
  assertEquals(one.values, [formatAccession(7), ...MANY.rows[6]]);
  assertEquals(await collect(world.store.selected([])), []);
});

Deno.test("a signal ends a search or a stream", async () => {
  await using world = await openMany();
  const reason = new Error("enough");
  await assertRejects(
    () =>
      world.store.search(
        ALL,
        { offset: 0, limit: 1, sort: { field: "country", order: "asc" } },
        AbortSignal.abort(reason),
      ),
    Error,
    "enough",
  );
  const stop = new AbortController();
  const stream = world.store.matching(ALL, stop.signal);
  await stream.next();
  stop.abort(reason);
  await assertRejects(() => stream.next(), Error, "enough");
});

Deno.test("a store that is closed reports it, also to a stream under way", async () => {
  await using world = await openMany();
  const stream = world.store.matching(ALL);
  await stream.next();
  const running = world.store.search({ query: "*host*", filter: [] }, { offset: 0, limit: 1 }).catch((error) => error);
  await world.store[Symbol.asyncDispose]();
  await running;
  await assertRejects(() => stream.next(), TypeError, "closed");
  await assertRejects(() => world.store.search(ALL, { offset: 0, limit: 1 }), TypeError, "closed");
});
