/** Every match of a search, read in each of its ways, and the older names of the same. */
import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { Registry } from "../../../../src/core/registry/registry.ts";

const BRAZIL = "country:Brazil";

Deno.test("searchAll() returns the same records as one table, page by page and as received", async () => {
  await using registry = await Registry.open("zika");
  const matches = registry.searchAll(BRAZIL, { pageSize: 3 });
  assertEquals(matches.ledger().complete, false);
  assertThrows(() => matches.provenance(), TypeError, "nothing has been read");

  const whole = await matches.result();
  const paged: unknown[] = [];
  const lengths: number[] = [];
  for await (const page of matches) {
    assertEquals(page.columns, whole.columns);
    assertEquals(page.ledger.received, page.rows.length);
    paged.push(...page.rows);
    lengths.push(page.rows.length);
  }
  assertEquals(paged, [...whole.rows]);
  assertEquals(lengths.slice(0, -1).every((length) => length === 3), true);
  assertEquals(matches.ledger(), whole.ledger);

  const raw = registry.searchAll(BRAZIL, { pageSize: 3 });
  assertEquals((await raw.begin()).total, whole.total);
  const ids: string[] = [];
  for await (const { results } of raw.pages()) ids.push(...results.map(({ id }) => id));
  for await (const _ of raw.rest());
  assertEquals(ids, whole.hits.map(({ id }) => id));
  assertEquals(raw.first.total, whole.total);
  assertEquals(raw.provenance().request, whole.provenance.request);
});

Deno.test("a search takes { query, filter } as the other operations do", async () => {
  await using registry = await Registry.open("zika");
  const filter = { "Country": "Brazil" };
  const expected = (await registry.search("", { filter })).accessions;

  assertEquals(expected.length > 1, true);
  assertEquals((await registry.search({ filter })).accessions, expected);
  assertEquals((await registry.search({ query: "", filter })).accessions, expected);
  assertEquals((await registry.searchAll({ filter }).result()).accessions, expected);
  assertEquals((await registry.accessions({ filter })).accessions.toSorted(), expected.toSorted());
  await assertRejects(() => registry.search({ filter }, { filter }), TypeError, "pass them once");
  await assertRejects(() => registry.search({ ids: expected } as never), TypeError, "metadata({ ids })");
  await assertRejects(() => registry.search({ qeury: "" } as never), TypeError, 'did you mean "query"');
});

Deno.test("a download takes { ids } or { query, filter }, and the older request", async () => {
  await using registry = await Registry.open("zika");
  const { accessions } = await registry.search(BRAZIL, { pageSize: 2 });
  const bytes = async (run: Awaited<ReturnType<typeof registry.download>>) =>
    await new Response(ReadableStream.from(run.bytes())).text();
  const form = { information: "metadata", fileType: "csv" } as const;

  const named = await registry.download({ ids: accessions }, { ...form, metadata: ["Registry Accession", "Country"] });
  assertStringIncludes(await bytes(named), `${accessions[0]},Brazil`);
  assertEquals(named.ledger().asked, 2);
  assertEquals(
    await bytes(await registry.download({ query: BRAZIL }, form)),
    await bytes(await registry.download({ ...form, scope: { query: BRAZIL } })),
  );
  await assertRejects(() => registry.download({ query: BRAZIL }, { ...form, fileType: "json" as never }), RangeError);
});

Deno.test("older names of options and methods do what their newer ones do", async () => {
  await using registry = await Registry.open("zika");
  const { rows } = await registry.searchAll(BRAZIL).result();
  const old = await registry.search(BRAZIL, { all: true });
  assertEquals([...old.rows], [...rows]);
  const pages: unknown[] = [];
  for await (const page of registry.searchPages(BRAZIL, { pageSize: 2 })) pages.push(...page.rows);
  assertEquals(pages, [...rows]);
  assertEquals(await registry.explain(BRAZIL), await registry.searchAll(BRAZIL).explain());
  assertEquals(await registry.plan(BRAZIL), await registry.searchAll(BRAZIL).plan());

  const metadata = await registry.metadata({ query: BRAZIL }, { via: "xml" });
  assertStringIncludes(JSON.stringify(metadata.provenance.request), '"fileType":"xml"');
  const accessions = await registry.accessions({ query: BRAZIL }, { via: "xml" });
  assertStringIncludes(JSON.stringify(accessions.provenance.request), '"fileType":"xml"');
  await assertRejects(() => registry.sequences({ query: BRAZIL }, { maxLetters: 5 }), RangeError, "more than 5 bases");
});

Deno.test("matches that are read again are counted anew, also after a reader that stopped", async () => {
  await using registry = await Registry.open("zika");
  const matches = registry.searchAll(BRAZIL, { pageSize: 3 });
  const read = async () => {
    const rows: unknown[] = [];
    for await (const page of matches) rows.push(...page.rows);
    return rows;
  };
  const rows = await read();
  const ledger = matches.ledger();
  for await (const _ of matches) break;
  assertEquals(matches.ledger().complete, false);
  assertEquals(await read(), rows);
  assertEquals(matches.ledger(), ledger);

  const ids: string[] = [];
  for await (const { results } of matches.pages()) ids.push(...results.map(({ id }) => id));
  for await (const _ of matches.rest());
  assertEquals([ids.length, matches.ledger()], [rows.length, ledger]);
  await assertRejects(() => matches.rest().next(), TypeError, "read pages() again");
  assertEquals(matches.ledger(), ledger);
  for await (const _ of matches.pages());
  for await (const _ of matches.rest());
  assertEquals(matches.ledger(), ledger);
});

Deno.test("the ledger of a page counts what came twice, has no accession, or is partial", async () => {
  const results = ["vj000000000001", "vj000000000001", "?"].map((accession, index) => ({
    id: String(index),
    score: null,
    source: { "Registry Accession": accession },
  }));
  await using registry = await Registry.open("http://registry.test", {
    offline: false,
    fetch: ({ url }) =>
      Promise.resolve(Response.json(url.endsWith("/search") ? { total: 3, results, timed_out: true } : [])),
  });
  const [{ ledger }] = await Array.fromAsync(registry.searchAll("country:Kenya", { pageSize: 3 }));
  assertEquals([ledger.received, ledger.unique, ledger.duplicate, ledger.unparsed], [3, 2, 1, 1]);
  assertEquals(ledger.entries.map(({ code }) => code), ["answer-partial", "unreadable", "duplicates"]);
});
