import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Registry } from "../../../../src/core/registry/mod.ts";
import { formatAccession } from "../../../../src/core/contract/accession.ts";
import { runInProcess } from "../../../_program.ts";
import { facetedFolder, serveFolder } from "../_archives.ts";

const RECORDS = 12_000;

const EVERYONE = Array.from({ length: RECORDS }, (_, index) => formatAccession(index + 1));

Deno.test("a search for everything past 10,000 is whole where parts prove it", async (t) => {
  // Three countries of 4,000; one host has 11,000, so that it must be divided further.
  await using folder = await facetedFolder(RECORDS, (number) => [
    ["Kenya", "Peru", "Oman"][number % 3],
    number <= 11_000 ? "Homo sapiens" : "Bos taurus",
  ]);
  await using server = await serveFolder(folder);
  const { cacheFolder } = folder;

  await t.step("toward any registry by the values of a facet", async () => {
    let underway = 0;
    let most = 0;
    await using registry = await Registry.open("http://registry.test", {
      offline: false,
      cacheFolder,
      fetch: async (request) => {
        most = Math.max(most, ++underway);
        const response = await server.service(request);
        underway--;
        return response;
      },
    });
    const plan = await registry.searchAll("").explain();
    assertStringIncludes(plan, "2. split, 12 requests, 2000 records: 3 parts by Country have the rest: 3 probes show");
    assertStringIncludes(plan, "Reaches every record.");
    const result = await registry.searchAll("", { sort: { column: "Registry Accession", order: "desc" } }).result();
    const { complete, received, unique, duplicate, promised, truncated, reasons, warnings } = result.ledger;
    assertEquals({ complete, received, unique, duplicate, promised, truncated, reasons }, {
      complete: true,
      received: RECORDS,
      unique: RECORDS,
      duplicate: 0,
      promised: RECORDS,
      truncated: false,
      reasons: [],
    });
    assertEquals(warnings, [
      "2000 records beyond the first 10000 came in 3 parts: after the others, in the order of their part",
    ]);
    assertEquals(result.accessions.toSorted(), EVERYONE);
    assertEquals(result.accessions.slice(0, 10_000), EVERYONE.toReversed().slice(0, 10_000));
    assertEquals([result.hits.length, result.rows.length, result.total], [RECORDS, RECORDS, RECORDS]);
    assert(result.hits.every(({ id }) => id !== ""));
    assert(JSON.stringify(result.provenance.request).includes('"parts":[{"query":""'));
    assert(most > 1 && most <= 3, `${most} requests at once`);
  });

  await t.step("where paging ends before record 10,000", async () => {
    await using registry = await Registry.open("http://registry.test", {
      offline: false,
      cacheFolder,
      fetch: async (request) => {
        const { pageNumber = 1, pageSize = 50 } = await request.clone().json();
        return pageNumber * pageSize > 5000
          ? Response.json({ detail: "the result window is too large: [5000]" }, { status: 400 })
          : await server.service(request);
      },
    });
    const { ledger, accessions } = await registry.searchAll("").result();
    assertEquals([ledger.complete, ledger.unique, ledger.truncated, ledger.reasons], [true, RECORDS, false, []]);
    assertStringIncludes(ledger.warnings.join(), "7000 records beyond the first 5000 came in 3 parts");
    assertEquals(accessions.toSorted(), EVERYONE);
  });

  await t.step("on the embedded registry by ranges of accessions", async () => {
    await using registry = await Registry.open(folder.folder, { cacheFolder });
    assertStringIncludes(await registry.searchAll("").explain(), "2 parts by ranges of accessions");
    const result = await registry.searchAll("").result();
    assertEquals([result.ledger.complete, result.ledger.unique, result.rows.length], [true, RECORDS, RECORDS]);
    assertEquals(result.accessions.toSorted(), EVERYONE);
    const filtered = await registry.searchAll("", { filter: { "Host Species": "Homo sapiens" } }).result();
    assertEquals([filtered.ledger.complete, filtered.ledger.unique], [true, 11_000]);
    assertEquals(filtered.accessions.toSorted(), EVERYONE.slice(0, 11_000));
  });

  await t.step("stopping early ends the requests", async () => {
    await using registry = await Registry.open(folder.folder, { cacheFolder });
    const stop = new AbortController();
    let done = 0;
    const error = await registry.searchAll("", {
      pageSize: 100,
      signal: stop.signal,
      onProgress: (event) => {
        done = event.done;
        if (done > 10_500) stop.abort(new Error("enough"));
      },
    }).result().then(() => undefined, (error) => error);
    assertEquals([error?.message, done > 10_500 && done < RECORDS], ["enough", true]);
  });

  await t.step("the command line gives the first 10,000 of what cannot be exported, as its contract says", async () => {
    const options = { env: { SEQREG_CACHE: cacheFolder, SEQREG_URL: folder.folder } };
    const { code, stdout, stderr } = await runInProcess(["search", "--all", "--format", "tsv"], options);
    assertEquals([code, stdout.trimEnd().split("\n").length], [4, 10_001]);
    assertStringIncludes(stderr, "an export needs a query");

    const everything = await runInProcess(["search", "--all", "--explain"], options);
    assertEquals([everything.code, everything.stdout.split("\n").length], [0, 4]);
    assertStringIncludes(everything.stdout, "Does not reach every record: 12000 records match");
    const query = await runInProcess(["search", "country:Kenya", "--all", "--explain"], options);
    assertEquals(query.code, 0);
    assertStringIncludes(query.stdout, "1. pages, 4 requests, 4000 records");
    for (const args of [["--explain"], ["--all", "--explain", "--format", "json"]]) {
      assertEquals((await runInProcess(["search", ...args], options)).code, 2);
    }
  });
});
