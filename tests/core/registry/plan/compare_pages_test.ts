/** Searches of a registry without a mark of its release, while its archives are replaced between two answers. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { Registry } from "../../../../src/core/registry/mod.ts";
import { compareEnds } from "../../../../src/core/registry/plan/compare_pages.ts";
import { release, type ReplacedRegistry, serveReplaced } from "./_replaced_registry.ts";

const [OLD, NEW] = [release("Kenya", 40), release("Peru", 40)];

const open = ({ url, cacheFolder }: ReplacedRegistry) => Registry.open(url, { cacheFolder });

const searchesIn = ({ asked }: ReplacedRegistry) => asked.filter((path) => path === "/v2/search").length;

Deno.test("a long search without a mark compares its first and last page, and says that they differ", async () => {
  await using served = await serveReplaced(OLD, { unmarked: true });
  await using registry = await open(served);
  const whole = await registry.search("", { all: true, pageSize: 5 });
  assertEquals([whole.ledger.complete, whole.rows.length, searchesIn(served)], [true, 40, 8 + 2]);

  served.replaceBefore(4, NEW);
  const { rows, ledger } = await registry.search("", { all: true, pageSize: 5 });
  assertEquals([new Set(rows.map(({ Country }) => Country)).size, rows.length, ledger.complete], [2, 40, false]);
  const [{ code, level, text }, ...others] = ledger.entries;
  assertEquals([code, level, others], ["releases-mixed", "reason", []]);
  assertStringIncludes(text, "page 1 has other values of vj000000000001, ");

  served.replaceBefore(4, OLD);
  const pages = await Array.fromAsync(registry.searchPages("", { pageSize: 5 }));
  assertEquals(pages.map(({ ledger }) => ledger.complete), [...Array(7).fill(true), false]);
  assertEquals(pages[7].ledger.entries.map(({ code }) => code), ["releases-mixed"]);
});

Deno.test("a short search, and one whose answers are marked, request no page twice", async () => {
  for (const unmarked of [true, false]) {
    await using served = await serveReplaced(OLD, { unmarked });
    await using registry = await open(served);
    const pageSize = unmarked ? 10 : 5;
    assertEquals((await registry.search("", { all: true, pageSize })).ledger.complete, true);
    assertEquals(searchesIn(served), 40 / pageSize);
    for await (const _ of registry.searchPages("", { pageSize }));
    assertEquals(searchesIn(served), 2 * 40 / pageSize);
  }
});

Deno.test("a lock replays what was compared: the same reason, and no request", async () => {
  for (const unmarked of [true, false]) {
    await using served = await serveReplaced(OLD, { unmarked });
    const lock = `${served.folder}/../seqreg.lock`;
    const search = async (offline: boolean) => {
      const { url, cacheFolder } = served;
      await using registry = await Registry.open(url, { cacheFolder, lock, offline });
      const { rows, ledger } = await registry.search("", { all: true, pageSize: 5 });
      return { countries: rows.map(({ Country }) => Country), ledger };
    };
    served.replaceBefore(4, NEW);
    const recorded = await search(false);
    assertEquals(recorded.ledger.complete, !unmarked);
    const { length } = served.asked;
    assertEquals(await search(true), recorded);
    assertEquals(served.asked.length, length);
  }
});

Deno.test("an answer whose keys come in another order is the same", async () => {
  const answer = (source: Record<string, unknown>) => ({
    total: 60,
    results: [{ id: "1", score: null, source }],
    facets: null,
    query: "",
  });
  const places = [{ city: "Lima", zone: 1n }, { city: "Cusco", zone: 2 }];
  const pages = [1, 6].map((number) => ({ number, body: answer({ Country: "Peru", Places: places, Year: 2016 }) }));
  const compare = (again: Record<string, unknown>) =>
    compareEnds(pages, performance.now(), {
      ask: () => Promise.resolve(answer(again)),
      nameOf: ({ id }) => id,
      isKnown: () => true,
    });
  const others = places.map(({ city, zone }) => ({ zone, city }));
  assertEquals(await compare({ Year: 2016, Places: others, Country: "Peru" }), []);
  assertEquals((await compare({ Year: 2016, Places: others.toReversed(), Country: "Peru" })).length, 1);
  assertEquals((await compare({ Year: 2016, Places: others, Land: "Peru" })).length, 1);
});
