import { assert, assertEquals, assertFalse, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { NoResultsError } from "../../../src/core/client/mod.ts";
import { readFasta } from "../../../src/core/fasta/mod.ts";
import { sha256 } from "../../../src/core/io/digest/sha256.ts";
import { Registry } from "../../../src/core/registry/mod.ts";
import { DISPLAY } from "../../../src/core/io/display/display.ts";
import { namingOf } from "../../../src/core/contract/naming.ts";
// Draws results, as importing the toolkit does.
import "../../../src/jupyter/notebook/show.ts";
import { sampleFolder, serveFolder, type TestFolder } from "./_archives.ts";
import { RUN_QUIETLY } from "../../_cli.ts";

const ABSENT = "vj999999999999";

/** Each rule holds in process and over a socket. */
async function onBothFaces(
  t: Deno.TestContext,
  rules: Readonly<Record<string, (registry: Registry, folder: TestFolder) => Promise<void>>>,
): Promise<void> {
  await using folder = await sampleFolder();
  await using server = await serveFolder(folder);
  for (const [face, target] of [["in process", folder.folder], ["over a socket", server.url]]) {
    await t.step(face, async (t) => {
      await using registry = await Registry.open(target, { cacheFolder: folder.cacheFolder, offline: false });
      for (const [rule, check] of Object.entries(rules)) await t.step(rule, () => check(registry, folder));
    });
  }
}

Deno.test("Registry gives typed, complete, explained results", async (t) => {
  await onBothFaces(t, {
    "a page of a search": async (registry) => {
      const result = await registry.search("", { pageSize: 7, sort: { column: "sequence_length", order: "desc" } });
      assertEquals([result.total, result.hits.length, result.rows.length], [300, 7, 7]);
      assertEquals(result.hits.every(({ score }) => score === null), true);
      const lengths = result.rows.map((row) => row["Sequence Length"]);
      assertEquals(lengths, lengths.toSorted((a, b) => Number(b) - Number(a)));
      assertEquals(typeof lengths[0], "number");
      assertEquals((await result.frame()).height, 7);
      assertEquals([...result.accessions], result.hits.map(({ source }) => String(source["Registry Accession"])));
      assertEquals([result.ledger.complete, result.ledger.promised, result.ledger.received], [true, 300, 7]);
      assertEquals(result.provenance.registry, registry.place);
      assertMatch(result.provenance.sha256 ?? "", /^[0-9a-f]{64}$/);
      assert(result.facets.some(({ field }) => field === "Country"));
      assertEquals(result.rawFacets, result.response.facets);
      assertStringIncludes(Deno.inspect(result), "search: complete page, records 1 to 7 of 300: page 1");
    },
    "filters as a list and as an object": async (registry) => {
      const country = (await registry.search("", { pageSize: 1 })).facets.find(({ field }) => field === "Country")!;
      const { value, count } = country.values[0];
      const list = await registry.search("", { filter: [{ field: "Country", value }] });
      const object = await registry.search("", { filter: { Country: value } });
      assertEquals([list.total, object.total], [count, count]);
    },
    "pages one after the other": async (registry) => {
      const pages = await Array.fromAsync(registry.searchPages("*", { pageSize: 128 }));
      assertEquals(pages.map(({ hits }) => hits.length), [128, 128, 44]);
      assertEquals(pages.every(({ ledger }) => ledger.complete), true);
      assertEquals(new Set(pages.flatMap(({ accessions }) => accessions)).size, 300);
    },
    "a search that matches nothing is empty, typed and complete": async (registry) => {
      const result = await registry.search("country:Nowhere");
      assertEquals([result.total, result.rows.length, result.ledger.complete], [0, 0, true]);
      assertEquals((await result.frame()).columns[0], "Registry Accession");
      assertEquals(result.columns.find(({ name }) => name === "Sequence Length")?.dtype, "Int64");
    },
    "metadata by query, as CSV and as XML, agrees with the search": async (registry) => {
      const search = await registry.searchAll("sequence_length:>2000").result();
      const csv = await registry.metadata({ query: "sequence_length:>2000" });
      const xml = await registry.metadata({ query: "sequence_length:>2000" }, { fileType: "xml" });
      const sorted = (rows: typeof csv.rows) =>
        rows.toSorted((a, b) => String(a["Registry Accession"]) < String(b["Registry Accession"]) ? -1 : 1);
      assert(csv.rows.length > 0);
      assertEquals(csv.rows, xml.rows);
      assertEquals(sorted(csv.rows), sorted(search.rows));
      assertEquals([csv.ledger.complete, xml.ledger.complete], [true, true]);
    },
    "metadata of some fields by accession, one absent, one twice": async (registry) => {
      const [a, b] = (await registry.search("", { pageSize: 2 })).accessions;
      const result = await registry.metadata({ ids: [b, ABSENT, a, b] }, { fields: ["Sequence Length", "Country"] });
      assertEquals(result.columns.map(({ name }) => name), ["Registry Accession", "Sequence Length", "Country"]);
      assertEquals(result.rows.map((row) => row["Registry Accession"]), [b, a]);
      const { complete, missing, asked, received, warnings } = result.ledger;
      assertEquals([complete, missing, asked, received], [false, [ABSENT], 3, 2]);
      assertStringIncludes(warnings.join(), `requested more than once and fetched once: ${b}`);
    },
    "404 is an empty result with its columns, or an error by option": async (registry) => {
      const query = { query: "country:Nowhere" };
      const empty = await registry.metadata(query, { fields: ["Sequence Length"] });
      assertEquals([empty.rows.length, empty.ledger.promised, empty.ledger.complete], [0, 0, true]);
      assertEquals(empty.columns.map(({ dtype }) => dtype), ["String", "Int64"]);
      assertEquals((await registry.metadata(query)).columns.length > 40, true);
      assertEquals((await registry.sequences(query)).rows, []);
      assertEquals((await registry.accessions(query)).accessions, []);
      assertEquals((await registry.metadata({ ids: [ABSENT] })).ledger.missing, [ABSENT]);
      assertEquals((await registry.sequences({ ids: [ABSENT] })).ledger.missing, [ABSENT]);
      assertEquals((await registry.accessions({ ids: [ABSENT] })).ledger.missing, [ABSENT]);
      const whenNothingMatches = "error" as const;
      await assertRejects(() => registry.metadata(query, { whenNothingMatches }), NoResultsError);
      await assertRejects(() => registry.sequences(query, { whenNothingMatches }), NoResultsError);
      await assertRejects(() => registry.accessions(query, { whenNothingMatches }), NoResultsError);
    },
    "few sequences by accession, many by export, the same letters": async (registry, { cacheFolder }) => {
      const ids = (await registry.search("", { pageSize: 150 })).accessions;
      const few = await registry.sequences({ ids: [...ids.slice(0, 40), ABSENT] });
      const many = await registry.sequences({ ids });
      const fields = await registry.sequences({ ids: ids.slice(0, 40) }, { fields: ["Sequence Length", "Country"] });
      assertEquals([few.route, many.route, fields.route], ["sequence", "export", "export"]);
      assertStringIncludes(few.provenance.operation, "/v2/sequence");
      assertStringIncludes(many.provenance.operation, "/v2/download");
      assertEquals([few.ledger.missing, few.ledger.received, many.ledger.received], [[ABSENT], 40, 150]);
      for (const { accession, sequence } of few.entries) assertEquals(many.get(accession), sequence);
      assertEquals(fields.columns.map(({ name }) => name).slice(1, 3), ["Sequence Length", "Country"]);
      for (const row of fields.rows) assertEquals(row["Sequence Length"], row.length);
      assertEquals(
        few.rows.map(({ length, gc, ambiguous }) => ({ length, gc, ambiguous })),
        fields.rows.map(({ length, gc, ambiguous }) => ({ length, gc, ambiguous })),
      );
      assertEquals((await few.frame()).getColumn("length").toArray(), few.rows.map(({ length }) => length));

      const path = join(cacheFolder, "few.fasta");
      await few.toFasta(path);
      const read = await Array.fromAsync(readFasta(path), ({ id, sequence }) => ({ accession: id, sequence }));
      assertEquals(read, [...few.entries]);

      const named = join(cacheFolder, "fields.fasta");
      await fields.toFasta(named);
      const rows = await Array.fromAsync(readFasta(named), ({ id, values }) => [id, values[1]]);
      assertEquals(
        rows,
        fields.rows.map((row) => [row["Registry Accession"], `${row["Sequence Length"]}|${row.Country ?? ""}`]),
      );
    },
    "nothing matches: no complete result, but a suggestion": async (registry) => {
      const results = [
        await registry.search("country:Nowhereland"),
        await registry.searchAll("country:Nowhereland").result(),
        await registry.metadata({ query: "country:Nowhereland" }),
        await registry.sequences({ query: "country:Nowhereland" }),
        await registry.accessions({ query: "country:Nowhereland" }),
      ];
      for (const result of results) {
        assertEquals([result.ledger.complete, result.ledger.reasons], [true, []]);
        assertStringIncludes(result.ledger.warnings.at(-1) ?? "", "no records match: ");
        assertStringIncludes(String(result), ": no records match, ");
        assertFalse(result[DISPLAY]()["text/html"]?.includes("✓") ?? true);
      }
    },
    "accessions, as TSV and as XML": async (registry) => {
      const tsv = await registry.accessions({ query: "*" });
      const xml = await registry.accessions({ query: "*" }, { fileType: "xml" });
      assertEquals(tsv.accessions.length, 300);
      assertEquals(tsv.accessions, xml.accessions);
      assertEquals(tsv.rows[0], { "Registry Accession": tsv.accessions[0] });
      assertEquals([tsv.ledger.complete, tsv.ledger.received], [true, 300]);
    },
    "definitions, and which names are unknown": async (registry) => {
      const result = await registry.definitions(["Country", "Shoe Size", "Sequence Length"]);
      assertEquals(result.definitions.map(({ name, type }) => [name, type]), [
        ["Country", "string"],
        ["Sequence Length", "integer"],
      ]);
      assertEquals([result.unknown, result.ledger.complete], [["Shoe Size"], false]);
      assertEquals((await registry.definitions()).definitions.length > 40, true);
    },
    "a dataset, verified, then from the cache, read with types": async (registry) => {
      const first = await registry.dataset("full_dataset_metadata");
      const again = await registry.dataset("registryv1_full_dataset_metadata.csv.gz", { mode: "prefer-cache" });
      // The cache is by content: what one face has fetched the other finds.
      assertEquals([first.reused, again.reused], [!registry.embedded, true]);
      assertEquals(again.sha256, await sha256(first.path));
      const table = await first.read({ columns: ["Registry Accession", "Sequence Length"] });
      assertEquals([table.rows.length, typeof table.rows[0]["Sequence Length"]], [300, "number"]);
      assertEquals(table.columns.map(({ dtype }) => dtype), ["String", "Int64"]);
    },
    "files of each kind, whole": async (registry, { cacheFolder }) => {
      const result = await registry.metadata({ query: "*" }, { fields: ["Country"] });
      await result.toCSV(join(cacheFolder, "a.csv"));
      await result.toTSV(join(cacheFolder, "a.tsv"));
      await result.toParquet(join(cacheFolder, "a.parquet"));
      assertStringIncludes(await Deno.readTextFile(join(cacheFolder, "a.csv")), "Registry Accession,Country\n");
      assertStringIncludes(await Deno.readTextFile(join(cacheFolder, "a.tsv")), "Registry Accession\tCountry\n");
      const magic = (await Deno.readFile(join(cacheFolder, "a.parquet"))).subarray(0, 4);
      assertEquals(new TextDecoder().decode(magic), "PAR1");
    },
  });
});

Deno.test("Registry refuses what cannot be asked, before any I/O", async (t) => {
  let requests = 0;
  await using registry = await Registry.open("http://registry.test/api/", {
    fetch: () => {
      requests++;
      return Promise.reject(new Error("no request was expected"));
    },
    offline: false,
  });
  assertEquals(registry.place, "http://registry.test/api");
  const cases: Record<string, [run: () => Promise<unknown>, says: string]> = {
    "11 digits": [() => registry.metadata({ ids: ["vj00000000001"] }), "vj followed by 12 digits"],
    "no ids": [() => registry.sequences({ ids: [] }), "at least one accession"],
    "ids and a query": [() => registry.metadata({ ids: ["vj000000000001"], query: "x" } as never), "not both"],
    "ids that are undefined": [
      () => registry.metadata({ ids: undefined } as never),
      'option "ids" of the records asked for is missing',
    ],
    "no target": [() => Registry.open(null as never), 'argument "target" of open() must be a text or a URL, not null'],
    "a cache folder of a variable that is not set": [
      () => Registry.open(undefined, { cacheFolder: "" }),
      'option "cacheFolder" of Registry.open() must be a path, not ""',
    ],
    "nothing to search by": [() => registry.accessions({}), "empty search term"],
    "a list of clauses": [() => registry.search(["country:Kenya"] as never), "a query as one text"],
    "a page of nothing": [() => registry.search("", { pageSize: 0 }), "a whole number from 1, not 0"],
    "all and one page": [() => registry.search("", { all: true, pageNumber: 2 }), "give one of the two"],
    "all in pages too large": [
      () => registry.searchAll("", { pageSize: 10_001 }).result(),
      "from 1 to 10,000, not 10001",
    ],
    "another way": [() => registry.metadata({ query: "x" }, { fileType: "json" as never }), 'must be "csv" or "xml"'],
    "names that are no list": [() => registry.definitions("Country" as never), "expected a list"],
    "a page size in other letters": [
      () => registry.search("", { pagesize: 3 } as never),
      'unknown option "pagesize" of search(), did you mean "pageSize"?',
    ],
    "a sort by name alone": [
      () => registry.search("", { sort: "sequence_length" } as never),
      'option "sort" of search() must be an object, { sort: { column, order? } }, not "sequence_length"',
    ],
    "a sort in no order": [
      () => registry.search("", { sort: { column: "sequence_length", order: "up" } } as never),
      'option "sort.order" of search() must be "asc" or "desc", not "up"',
    ],
    "a filter in one text": [
      () => registry.search("", { filter: "Country=Kenya" } as never),
      'option "filter" of search() must be a list of { field, value } or an object of values by field',
    ],
    "a signal that is none": [
      () => registry.metadata({ query: "x" }, { signal: new AbortController() } as never),
      'option "signal" of metadata() must be an AbortSignal',
    ],
    "a query in other letters": [
      () => registry.metadata({ ids: ["vj000000000001"], qeury: "x" } as never),
      'unknown option "qeury" of the records asked for; allowed: ids',
    ],
    "an option of the second argument": [
      () => registry.search({ query: "x", pageSize: 3 } as never),
      'unknown option "pageSize" of the search; allowed: query, filter; an option is written in a second argument',
    ],
    "a format of the second argument": [
      () => registry.metadata({ query: "x", fields: ["Country"] } as never),
      "an option is written in a second argument: (…, { … })",
    ],
    "an unknown dataset": [() => registry.dataset("full_dataset_metadat"), 'did you mean "full_dataset_metadata"'],
    "a checksum file": [
      () => registry.dataset("registryv1_full_dataset_metadata.sha256"),
      "is fetched with its archive",
    ],
  };
  for (const [name, [run, says]] of Object.entries(cases)) {
    await t.step(name, async () => {
      const error = await assertRejects(run, Error, says);
      assert(error instanceof TypeError || error instanceof RangeError, error.name);
    });
  }
  for (const target of ["ftp://registry.test", "http://user:word@registry.test", "https://registry.test/?x=1"]) {
    await t.step(target, async () => void await assertRejects(() => Registry.open(target), TypeError));
  }
  assertEquals(requests, 0);
});

Deno.test("Registry speaks to a deployment with other spellings", async (t) => {
  const naming = namingOf({ registry: "genomebank", reftax1: "oldtax", reftax2: "newtax" });
  await using folder = await sampleFolder(60, naming);
  await using server = await serveFolder(folder, naming);
  for (const [face, target] of [["in process", folder.folder], ["over a socket", server.url]]) {
    await t.step(face, async () => {
      await using registry = await Registry.open(target, { naming, cacheFolder: folder.cacheFolder, offline: false });
      const search = await registry.search("", { pageSize: 3 });
      assertEquals(search.columns[0].name, "Genomebank Accession");
      const ids = search.accessions;
      assertEquals(ids.length, 3);
      assertEquals((await registry.searchAll("*").result()).ledger.unique, 60);
      for (const fileType of ["csv", "xml"] as const) {
        const metadata = await registry.metadata({ ids: [...ids, ABSENT] }, { fileType });
        assertEquals(metadata.ledger.missing, [ABSENT]);
        assertEquals(metadata.rows.map((row) => row["Genomebank Accession"]), [...ids]);
      }
      assertEquals((await registry.sequences({ ids })).ledger.complete, true);
      assertEquals((await registry.sequences({ query: "*" })).ledger.unique, 60);
      assertEquals((await registry.accessions({ ids })).accessions, [...ids]);
      assertEquals((await registry.definitions(["Genomebank Accession"])).ledger.complete, true);
      assertEquals((await registry.dataset("full_dataset_metadata")).name, "genomebankv1_full_dataset_metadata.csv.gz");
    });
  }
});

Deno.test("Registry takes fields as text, and says why, where definitions cannot be read", async (t) => {
  await using folder = await sampleFolder(20);
  await using server = await serveFolder(folder);
  const answers: Record<string, [body: string, status: number, says: string]> = {
    "columns that mean nothing": ['[{"x":"1"},{"x":"2"}]', 200, "no column of the definitions has the requested names"],
    "a refusal": ['{"detail":"no"}', 400, "the definitions are unavailable"],
    "no JSON": ["no", 200, "the definitions are unavailable"],
    "none": ["[]", 200, ""],
  };
  for (const [name, [body, status, says]] of Object.entries(answers)) {
    await t.step(name, async () => {
      await using registry = await Registry.open("http://registry.test", {
        offline: false,
        fetch: (request) =>
          new URL(request.url).pathname.endsWith("/metadata/download")
            ? Promise.resolve(new Response(body, { status, headers: { "content-type": "application/json" } }))
            : server.service(request),
      });
      const result = await registry.search("", { pageSize: 2 });
      assertEquals(result.columns.every(({ dtype }) => dtype === "String"), true);
      assertEquals(result.ledger.complete, true);
      assertStringIncludes(result.ledger.warnings.join("; "), says);
    });
  }
});

Deno.test("importing the registry needs no permission and does nothing", async () => {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...RUN_QUIETLY, new URL("_import.ts", import.meta.url).pathname],
    stdout: "piped",
    stderr: "piped",
  }).output();
  const decoder = new TextDecoder();
  assertEquals([code, decoder.decode(stderr), decoder.decode(stdout)], [0, "", "function\n"]);
});

Deno.test("sequences() holds no more bases than it may, ends the request then and says how to go on", async () => {
  let records = 0;
  const cancelled = Promise.withResolvers<void>();
  const endless = () =>
    new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        const header = records === 0 ? ";fields=Registry Accession\n" : "";
        const accession = `vj${String(++records).padStart(12, "0")}`;
        controller.enqueue(new TextEncoder().encode(`${header}>${accession}\n${"ACGT".repeat(50)}\n`));
      },
      cancel: () => cancelled.resolve(),
    });
  const fetch = () => Promise.resolve(new Response(endless(), { headers: { "content-type": "text/x-fasta" } }));
  await using registry = await Registry.open("http://registry.invalid", { fetch, offline: false });
  const many = () => registry.sequences({ query: "x" }, { maxBases: 10_000 });
  const error = await assertRejects(many, RangeError, "more than 10000 bases");
  assertStringIncludes(error.message, "readFasta()");
  await cancelled.promise;
  await assertRejects(
    () => registry.sequences({ query: "x" }, { maxBases: 0 }),
    RangeError,
    "a number above 0, not 0",
  );
});
