/** Results of several answers, while the archives of the registry are replaced between two of them. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { formatAccession } from "../../../../src/core/contract/accession.ts";
import { Registry } from "../../../../src/core/registry/mod.ts";
import { readFasta } from "../../../../src/core/fasta/mod.ts";
import { ExportRun } from "../../../../src/core/registry/exports/export_run.ts";
import { checkAccessions } from "../../../../src/core/registry/plan/accession_list.ts";
import { limitsOf } from "../../../../src/core/registry/plan/learned_limits.ts";
import { release, type ReplacedRegistry, serveReplaced } from "./_replaced_registry.ts";

const [OLD, NEW] = [release("Kenya", 40), release("Peru", 40)];

const open = ({ url, cacheFolder }: ReplacedRegistry) => Registry.open(url, { cacheFolder });

const countriesOf = (rows: Iterable<Readonly<Record<string, unknown>>>) => [
  ...new Set([...rows].map(({ Country }) => Country)),
];

Deno.test("a search for all across a new release is asked again, whichever page the release comes with", async () => {
  for (const page of [2, 3, 4]) {
    await using served = await serveReplaced(OLD);
    await using registry = await open(served);
    served.replaceBefore(page, NEW);
    const { rows, ledger } = await registry.search("", { all: true, pageSize: 10 });
    assertEquals([rows.length, countriesOf(rows), ledger.complete, ledger.reasons], [40, ["Peru"], true, []]);
    const whole = await registry.searchAll("", { pageSize: 10 }).result();
    assertEquals([whole.rows.length, countriesOf(whole.rows), whole.ledger.complete], [40, ["Peru"], true]);
  }
});

Deno.test("a search for all across two new releases is incomplete, and says which pages are of which", async () => {
  await using served = await serveReplaced(OLD);
  await using registry = await open(served);
  served.replaceBefore(3, NEW);
  // Four pages were requested before the first new release was seen.
  served.replaceBefore(7, release("Chile", 40));
  const { rows, ledger } = await registry.search("", { all: true, pageSize: 10 });
  assertEquals([rows.length, countriesOf(rows), ledger.complete], [40, ["Peru", "Chile"], false]);
  const [{ code, level, ids, text }] = ledger.entries;
  assertEquals([code, level, ids], ["releases-mixed", "reason", ["page 3", "page 4"]]);
  assertMatch(text, /: page 1, page 2 of [0-9a-f]{16}; page 3, page 4 of [0-9a-f]{16}: request all again$/);
});

Deno.test("pages that were handed out stay, and the ledger of the others names the pages of each release", async () => {
  await using served = await serveReplaced(OLD);
  await using registry = await open(served);
  const pages = [];
  for await (const page of registry.searchPages("", { pageSize: 10 })) {
    pages.push(page);
    if (pages.length === 2) served.replaceBefore(1, NEW);
  }
  assertEquals(pages.map(({ rows }) => countriesOf(rows)), [["Kenya"], ["Kenya"], ["Peru"], ["Peru"]]);
  assertEquals(pages.map(({ ledger }) => ledger.complete), [true, true, false, false]);
  const { code, ids, text } = pages[3].ledger.entries.find(({ level }) => level === "reason")!;
  assertEquals([code, ids], ["releases-mixed", ["page 3", "page 4"]]);
  assertStringIncludes(text, "page 1, page 2 of ");

  const matches = registry.searchAll("", { pageSize: 10 });
  let read = 0;
  for await (const _ of matches) if (read++ === 0) served.replaceBefore(3, OLD);
  assertEquals(matches.ledger().complete, false);
  assertEquals(matches.ledger().entries.map(({ code }) => code), ["releases-mixed"]);
});

Deno.test("sequences in groups, and exports in batches, are of one release or incomplete", async () => {
  const count = 12;
  const ids = Array.from({ length: count }, (_, index) => formatAccession(index + 1));
  const [before, after] = ["ACGT", "GGCC"].map((letters) =>
    release("Kenya", count, { sequences: Array.from({ length: count }, () => letters) })
  );
  await using served = await serveReplaced(before);
  await using registry = await open(served);
  const { client } = registry;
  // The registry takes four accessions at once, as the client has learnt.
  for (const limit of ["sequence", "selection"] as const) limitsOf(client).learn(limit, 4);

  served.replaceBefore(2, after);
  const sequences = await registry.sequences({ ids });
  assertEquals([sequences.ledger.complete, sequences.route], [true, "sequence"]);
  assertEquals(new Set([...sequences.entries].map(({ sequence }) => sequence)), new Set(["GGCC"]));

  served.replaceBefore(2, before);
  const exported = await registry.sequences({ ids }, { fields: ["Country"] });
  assertEquals([exported.ledger.complete, exported.route], [true, "export"]);
  assertEquals(new Set([...exported.entries].map(({ sequence }) => sequence)), new Set(["ACGT"]));

  served.replaceBefore(2, after);
  const metadata = await registry.metadata({ ids });
  assertEquals([metadata.ledger.complete, metadata.rows.length], [true, count]);
  served.replaceBefore(2, before);
  const accessions = await registry.accessions({ ids });
  assertEquals([accessions.ledger.complete, [...accessions.accessions]], [true, ids]);

  // Bytes that were handed out stay.
  served.replaceBefore(2, after);
  const scope = { list: checkAccessions(ids) };
  const run = new ExportRun(client, { scope, information: "sequences", fileType: "fasta" });
  const letters = new Set<string>();
  for await (const { sequence } of readFasta(run.bytes())) letters.add(sequence);
  assertEquals(letters, new Set(["ACGT", "GGCC"]));
  const [entry] = run.ledger().entries;
  assertEquals([entry.code, entry.ids], ["releases-mixed", ["batch 2 of the sequences", "batch 3 of the sequences"]]);
});

Deno.test("a lake of archives across a new release is of that release; across two it is incomplete", async () => {
  const archives = ["full_dataset_metadata", "full_dataset_sequence"] as const;
  await using served = await serveReplaced(OLD);
  await using registry = await open(served);
  // After the metadata and their checksum file.
  served.replaceBefore(3, NEW);
  {
    await using lake = await registry.lake({ archives });
    const [table, joined] = [await lake.table({ columns: ["Country"] }), await lake.join()];
    const countries = (await table.frame()).getColumn("Country").toArray();
    assertEquals([[...new Set(countries)], table.ledger.complete, joined.ledger.complete], [["Peru"], true, true]);
    assertEquals([lake.entries, joined.ledger.received], [[], 40]);
  }
  // What is cached takes the request for its checksum file alone: two in each pass.
  served.replaceBefore(2, OLD);
  served.replaceBefore(4, release("Chile", 40));
  await using lake = await registry.lake({ archives });
  const ledgers = [(await lake.table({ columns: ["Country"] })).ledger, (await lake.join()).ledger];
  for (const { complete, entries } of ledgers) {
    assertEquals([complete, entries.map(({ code }) => code)], [false, ["releases-mixed"]]);
  }
  assertStringIncludes(lake.entries[0].text, "the archives are of 2 releases");
});
