import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { StatusError } from "../../../../src/core/client/mod.ts";
import { Registry } from "../../../../src/core/registry/mod.ts";
import { formatAccession } from "../../../../src/core/contract/accession.ts";
import { fileNameOf } from "../../../../src/core/registry/results/result_file.ts";
import { MANY, manyFolder, serveFolder } from "../_archives.ts";
import type { LedgerCode } from "../../../../src/core/contract/ledger_codes.ts";

type Alter = (request: Request, answer: () => Promise<Response>) => Promise<Response>;

function alterSearch(change: (body: { total: number; results: unknown[] }, pageNumber: number) => void): Alter {
  return async (request, answer) => {
    if (!request.url.endsWith("/v2/search")) return await answer();
    const { pageNumber = 1 } = await request.clone().json();
    const response = await answer();
    if (response.status !== 200) return response;
    const body = await response.json();
    change(body, pageNumber);
    return Response.json(body);
  };
}

function alterExport(change: (csv: string) => string): Alter {
  return async (request, answer) => {
    const response = await answer();
    if (!request.url.endsWith("/v2/download") || response.status !== 200) return response;
    return new Response(change(await response.text()), { headers: { "content-type": "text/csv" } });
  };
}

Deno.test("searching for all goes past 10,000 records, or says why it does not", async (t) => {
  await using folder = await manyFolder();
  await using server = await serveFolder(folder);
  const asked: string[] = [];
  let underway = 0;
  let most = 0;
  const open = (alter: Alter = (_, answer) => answer()) =>
    Registry.open("http://registry.test", {
      offline: false,
      retry: { tries: 1 },
      fetch: (request) => {
        asked.push(new URL(request.url).pathname);
        most = Math.max(most, ++underway);
        return alter(request, () => server.service(request.clone())).finally(() => underway--);
      },
    });
  const everyone = Array.from({ length: MANY }, (_, index) => formatAccession(index + 1));

  for (const [what, total] of Object.entries({ "a lower bound": 25, "no total": 0 })) {
    await t.step(`a registry that ignores pageNumber and states ${what} is asked for two pages`, async () => {
      const firstPage: Alter = async (request, answer) => {
        if (!request.url.endsWith("/v2/search")) return await answer();
        const response = await server.service(
          new Request(request, { body: JSON.stringify({ ...await request.clone().json(), pageNumber: 1 }) }),
        );
        const { total: _, ...body } = await response.json();
        return Response.json(total === 0 ? body : { ...body, total: { value: total, relation: "gte" } });
      };
      await using registry = await open(firstPage);
      asked.length = 0;
      const result = await registry.searchAll("*", { pageSize: 10 }).result();

      assertEquals(asked.filter((path) => path === "/v2/search").length, 2);
      assertEquals([result.hits.length, result.ledger.unique, result.ledger.complete], [20, 10, false]);
      assertStringIncludes(result.ledger.reasons.join("; "), "1 page held only records of earlier pages");
      assertStringIncludes(result.ledger.reasons.join("; "), "ignore pageNumber, or to count pages from 0");
    });
  }

  await t.step("pages first, then an export; the ledger says so", async () => {
    await using registry = await open();
    asked.length = 0;
    const done: number[] = [];
    const result = await registry.searchAll("*", { onProgress: (event) => done.push(event.done) }).result();
    assertEquals(asked.filter((path) => path === "/v2/search").length, 10);
    assertEquals(asked.filter((path) => path === "/v2/download").length, 1);
    assertEquals(result.accessions.toSorted(), everyone);
    assertEquals([result.total, result.hits.length, result.rows.length], [MANY, 10_000, MANY]);
    const { complete, promised, received, unique, truncated, warnings } = result.ledger;
    assertEquals({ complete, promised, received, unique, truncated }, {
      complete: true,
      promised: MANY,
      received: MANY,
      unique: MANY,
      truncated: false,
    });
    assertStringIncludes(warnings.join(), "500 records beyond the first 10000 came by an export: without id and score");
    assertEquals(result.columns.map(({ dtype }) => dtype), ["String", "String", "Int64"]);
    assertEquals(result.rows.every(({ Rank }) => typeof Rank === "number"), true);
    assertEquals(result.provenance.sha256, null);
    assert(JSON.stringify(result.provenance.request).includes('"scope":"max"'));
    assertEquals(done.at(-1), MANY);
    assertEquals([most, underway], [3, 0], "pages on their way at once");
  });

  await t.step("an export that calls its columns by aliases is joined with the pages", async () => {
    await using registry = await open(alterExport((csv) => csv.replace(/^.*/, "registry_accession,group,rank")));
    const { accessions, columns, ledger, rows } = await registry.searchAll("*").result();
    assertEquals(columns.map(({ field }) => field), ["Registry Accession", "Group", "Rank"]);
    assertEquals([accessions.toSorted(), rows.at(-1)?.Group], [everyone, "few"]);
    assertEquals([ledger.complete, ledger.warnings.length], [true, 1]);
  });

  await t.step("each page, and each part of an export, has a file name of its own", async () => {
    await using registry = await open();
    const names = await Array.fromAsync(registry.searchAll("*"), ({ provenance }) => fileNameOf(provenance, "csv"));
    assert(names.length > 10);
    assertEquals(new Set(names).size, names.length);
  });

  await t.step("pages one by one name a count that changes", async () => {
    await using registry = await open(alterSearch((body, page) => body.total += page === 2 ? 1 : 0));
    const pages = await Array.fromAsync(registry.searchPages("group:few", { pageSize: 200 }));
    assertEquals(pages.map(({ ledger }) => ledger.complete), [true, false, true]);
    assertEquals(pages[1].ledger.reasons, ["the registry counted 500 records first and 501 with page 2"]);
  });

  await t.step("explain() tells the plan and takes one page only", async () => {
    await using registry = await open();
    asked.length = 0;
    const text = await registry.searchAll("*").explain();
    assertEquals(asked, ["/v2/search"]);
    assertEquals(text.split("\n").length, 4);
    assertStringIncludes(text, `${MANY} records match`);
    assertStringIncludes(text, "1. pages, 10 requests, 10000 records");
    assertStringIncludes(text, "2. export, 1 request, 500 records");
    assertStringIncludes(
      await registry.searchAll("", { filter: { Group: "few" } }).explain(),
      "1. pages, 1 request, 500 records",
    );
    assertStringIncludes(await registry.searchAll("").explain(), "Does not reach every record");
  });

  await t.step("without a query the first 10,000 come, incomplete, with the reason", async () => {
    await using registry = await open();
    for (
      const [filter, total] of [[{}, MANY], [{ Group: ["most", "few"] }, MANY], [{ Group: "most" }, 10_000]] as const
    ) {
      const { ledger, rows } = await registry.searchAll("", { filter }).result();
      assertEquals([rows.length, ledger.complete, ledger.truncated, ledger.promised], [10_000, false, true, total]);
      assertStringIncludes(ledger.reasons[0], "an export needs a query");
      assertEquals(ledger.reasons.length, 1);
    }
  });

  await t.step("a total of exactly 10,000 is at least that", async () => {
    await using registry = await open();
    const exact = await registry.searchAll("group:most").result();
    assertEquals([exact.rows.length, exact.ledger.complete, exact.ledger.warnings], [10_000, true, []]);

    await using counting = await open(alterSearch((body) => body.total = Math.min(body.total, 10_000)));
    const plan = await counting.searchAll("*").plan();
    assertEquals([plan.atLeast, plan.steps.length], [true, 2]);
    const result = await counting.searchAll("*").result();
    assertEquals(result.accessions.toSorted(), everyone);
    assertEquals(result.ledger.complete, true);
  });

  await t.step("pages one by one end with a reason", async () => {
    await using registry = await open();
    let pages = 0;
    let last;
    for await (const page of registry.searchPages("*", { pageSize: 4000 })) [last, pages] = [page, pages + 1];
    assertEquals([pages, last!.hits.length], [3, 2000]);
    assertEquals([last!.ledger.complete, last!.ledger.truncated], [false, true]);
    assertStringIncludes(last!.ledger.reasons.join(), `${MANY} records match and paging ends at 10000`);
  });

  await t.step("pages without what lies beyond them end with a reason in the ledger of all", async () => {
    await using registry = await open();
    const matches = registry.searchAll("*", { pageSize: 4000, exportRest: false });
    const pages = await Array.fromAsync(matches, ({ hits, ledger }) => [hits.length, ledger.complete]);
    assertEquals(pages, [[4000, true], [4000, true], [2000, true]]);
    const { complete, truncated, received, reasons } = matches.ledger();
    assertEquals({ complete, truncated, received }, { complete: false, truncated: true, received: 10_000 });
    assertEquals(reasons, [`${MANY} records match and paging ends at 10000`]);
  });

  await t.step("pages end, incomplete, where a registry ignores pageNumber", async () => {
    await using registry = await open(async (request) =>
      await server.service(
        new Request(request, { body: JSON.stringify({ ...await request.clone().json(), pageNumber: 1 }) }),
      )
    );
    const pages = await Array.fromAsync(registry.searchPages("*", { pageSize: 100 }));
    assertEquals(pages.map(({ hits, ledger }) => [hits.length, ledger.complete]), [[100, true], [100, false]]);
    assertStringIncludes(pages[1].ledger.reasons.join(), "1 page held only records of earlier pages");
  });

  await t.step("a page that ends at record 10,000 is no proof that no more match", async () => {
    const atLeast = alterSearch((body) => Object.assign(body, { total: { value: 25, relation: "gte" } }));
    await using registry = await open(atLeast);
    for (const pageSize of [2500, 3000]) {
      const { rows, ledger } = await registry.searchAll("*", { pageSize }).result();
      assertEquals(
        [rows.length, ledger.received, ledger.complete],
        [MANY, MANY, true],
        `${pageSize} ${ledger.reasons}`,
      );
      const pages = await Array.fromAsync(registry.searchPages("*", { pageSize }));
      const complete = pages.map((page) => page.ledger.complete);
      assertEquals(complete, [true, true, true, false]);
      assertStringIncludes(pages[3].ledger.reasons.join(), "at least 10000 records match and paging ends at 10000");
    }
    const few = await Array.fromAsync(registry.searchPages("group:few", { pageSize: 400 }));
    assertEquals(few.map(({ ledger }) => ledger.truncated), [false, false, false]);
  });

  const faults: Record<string, [alter: Alter, rows: number, reason: string, warning?: string]> = {
    "an export that lost records": [
      alterExport((csv) => csv.split("\n").slice(0, 10_400).join("\n") + "\n"),
      MANY - 101,
      `${MANY} records match and ${MANY - 101} distinct ones came`,
    ],
    "an export with a row cut short": [
      alterExport((csv) => csv.replace(/,few,10500\n/, "\n")),
      MANY - 1,
      "1 row could not be read",
    ],
    "an export that ends within its last value": [
      alterExport((csv) => csv.slice(0, -2)),
      MANY,
      "",
      "ends without a line end, so it may have been cut",
    ],
    "an export that names nobody": [
      alterExport((csv) => csv.replace("Registry Accession", "X")),
      10_000,
      "the export names no accessions",
    ],
    "an export that is refused": [
      (request, answer) =>
        request.url.endsWith("/v2/download")
          ? Promise.resolve(Response.json({ detail: "not today" }, { status: 400 }))
          : answer(),
      10_000,
      "not today",
    ],
    "a page that comes twice": [
      (request, answer) =>
        request.url.endsWith("/v2/search")
          ? request.clone().json().then((body) =>
            server.service(
              new Request(request.url, {
                method: "POST",
                headers: { "content-type": "application/json" },
                body: JSON.stringify({ ...body, pageNumber: Math.min(body.pageNumber, 9) }),
              }),
            )
          )
          : answer(),
      11_500,
      "",
      `accessions that came more than once: ${formatAccession(8001)}`,
    ],
    "a count that changes": [
      alterSearch((body, page) => body.total += page === 3 ? 1 : 0),
      MANY,
      `the registry counted ${MANY} records first and ${MANY + 1} with page 3`,
    ],
    "a count that is too low": [
      alterSearch((body) => body.total -= 1),
      MANY,
      `${MANY} records came, the registry counts ${MANY - 1}`,
    ],
  };
  const codes: Readonly<Record<string, LedgerCode>> = {
    "an export that lost records": "fewer-than-promised",
    "an export with a row cut short": "unreadable",
    "an export that ends within its last value": "line-end-absent",
    "an export that names nobody": "accessions-absent",
    "an export that is refused": "export-refused",
    "a page that comes twice": "duplicates",
    "a count that changes": "total-changed",
    "a count that is too low": "more-than-promised",
  };
  for (const [name, [alter, rows, reason, warning = ""]] of Object.entries(faults)) {
    await t.step(name, async () => {
      await using registry = await open(alter);
      const result = await registry.searchAll("*").result();
      assertEquals(result.rows.length, rows);
      assertEquals(result.ledger.complete, reason === "");
      assertStringIncludes(result.ledger.reasons.join(), reason);
      assertStringIncludes(result.ledger.warnings.join(), warning);
      const found = result.ledger.entries.map(({ code }) => code);
      if (Object.hasOwn(codes, name)) assertEquals(found.filter((code) => code === codes[name]).length, 1);
      if (name === "an export that names nobody") assertEquals(found.includes("changed-meanwhile"), true);
      // Whatever came twice is counted, and an export makes up for what pages left out.
      assertEquals(result.ledger.received - result.ledger.duplicate, result.ledger.unique);
    });
  }

  await t.step("a page that fails ends the search", async () => {
    await using registry = await open((request, answer) =>
      request.url.endsWith("/v2/search")
        ? request.clone().json().then(({ pageNumber }) =>
          pageNumber === 4 ? new Response("no", { status: 500 }) : answer()
        )
        : answer()
    );
    await assertRejects(() => registry.searchAll("*").result(), StatusError, "500");
  });

  await t.step("more than 10,000 accessions go in batches and come as one", async () => {
    await using registry = await Registry.open(server.url, { cacheFolder: folder.cacheFolder, offline: false });
    const ids = [...everyone, formatAccession(999_999), everyone[0]];
    const check = (ledger: { missing: readonly string[]; asked: number | null; warnings: readonly string[] }) => {
      assertEquals([ledger.missing, ledger.asked], [[formatAccession(999_999)], MANY + 1]);
      assertStringIncludes(ledger.warnings.join(), "1 accession was requested more than once");
    };
    for (const fileType of ["csv", "xml"] as const) {
      const metadata = await registry.metadata({ ids }, { fileType });
      assertEquals(metadata.table.texts("Registry Accession"), everyone);
      check(metadata.ledger);
    }
    for (const fileType of ["tsv", "xml"] as const) {
      const accessions = await registry.accessions({ ids }, { fileType });
      assertEquals(accessions.accessions, everyone);
      check(accessions.ledger);
    }
    const sequences = await registry.sequences({ ids });
    assertEquals(sequences.entries.map(({ accession }) => accession), everyone);
    check(sequences.ledger);
    assertEquals(sequences.provenance.sha256, null);
  });
});
