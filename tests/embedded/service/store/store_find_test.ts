import { assertEquals } from "@std/assert";
import { openStore } from "../../../../src/embedded/service/registry/open_store.ts";
import type { RegistryStore } from "../../../../src/embedded/service/store/store.ts";
import type { SearchFilter } from "../../../../src/core/contract/search.ts";
import { writeArchives } from "../_archives.ts";

const WORDS = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"];

/** Record `n` lacks the words whose bits `n` has; countries repeat. */
const ROWS = Array.from({ length: 128 }, (_, number) => [
  WORDS.filter((_, bit) => (number >> bit & 1) === 0).join(" "),
  ["Kenya", "Peru", "kenya", ""][number % 4],
]);

const writeRecords = (folder: string) => writeArchives(folder, { columns: ["Note", "Country"], rows: ROWS });

async function withRecords(work: (store: RegistryStore) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  await writeRecords(folder);
  try {
    await using store = await openStore(folder, { cacheFolder: folder });
    await work(store);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function find(store: RegistryStore, query: string, filter: readonly SearchFilter[] = []): Promise<number[]> {
  const { total, records } = await store.search({ query, filter }, { offset: 0, limit: 200 });
  assertEquals(total, records.length);
  return records.map(({ accession }) => Number(accession.slice(2)));
}

Deno.test("store.search() finds records by their accession as by any other field", async (t) => {
  const field = "Registry Accession";
  const cases: Record<string, [query: string, filter: readonly SearchFilter[], expected: readonly number[]]> = {
    "one": ["registry_accession:vj000000000005", [], [5]],
    "in capitals": ["registry_accession:VJ000000000005", [], [5]],
    "unknown": ["registry_accession:vj000000000999", [], []],
    "malformed": ["registry_accession:5", [], []],
    "two": ["registry_accession:(vj000000000007 OR vj000000000005)", [], [5, 7]],
    "with another clause": ["registry_accession:vj000000000005 alpha", [], [5]],
    "against another clause": ["registry_accession:vj000000000002 alpha", [], []],
    "by a filter": ["", [{ field, value: "vj000000000005" }], [5]],
    "by a filter in capitals": ["", [{ field, value: "VJ000000000005" }], []],
    "by alternatives": ["", [{ field, value: ["vj000000000009", "x", "vj000000000005", "vj000000000009"] }], [5, 9]],
    "by a pattern": ["registry_accession:vj00000000012?", [], [120, 121, 122, 123, 124, 125, 126, 127, 128]],
  };
  await withRecords(async (store) => {
    for (const [name, [query, filter, expected]] of Object.entries(cases)) {
      await t.step(name, async () => assertEquals(await find(store, query, filter), expected));
    }
    await t.step("not one", async () => {
      assertEquals((await find(store, "-registry_accession:vj000000000005")).length, 127);
    });
  });
});

Deno.test("store.search() finds records that have all of many words", async (t) => {
  await withRecords(async (store) => {
    for (let count = 1; count <= WORDS.length; count++) {
      await t.step(`${count} words`, async () => {
        const lacking = 2 ** count - 1;
        const expected = Array.from({ length: 128 }, (_, number) => number).filter((number) =>
          (number & lacking) === 0
        );
        assertEquals(
          (await find(store, WORDS.slice(0, count).join(" "))).sort((a, b) => a - b),
          expected.map((n) => n + 1),
        );
        assertEquals(await find(store, [...WORDS.slice(0, count), "nowhere"].join(" ")), []);
      });
    }
    await t.step("and rates them by their words alone", async () => {
      const { scores } = await store.search({ query: WORDS.join(" "), filter: [] }, { offset: 0, limit: 10 });
      assertEquals(scores, [7, 7]);
    });
  });
});

Deno.test("store.search() ignores case in a field with few values, too", async () => {
  await withRecords(async (store) => {
    assertEquals((await find(store, "country:KENYA")).length, 64);
    assertEquals((await find(store, "", [{ field: "Country", value: "Kenya" }])).length, 32);
    assertEquals((await find(store, "country:*")).length, 96);
    assertEquals((await find(store, "-country:P*")).length, 96);
    assertEquals((await find(store, "country:[k TO l]")).length, 64);
  });
});
