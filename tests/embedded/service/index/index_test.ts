/** Holds the index to the plain reading of queries, with bounds so small that each of its ways is taken. */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import type { IndexBounds } from "../../../../src/embedded/service/index/format/types.ts";
import {
  type Finder,
  type IndexWriter,
  openIndex,
  resumeIndex,
  startIndex,
} from "../../../../src/embedded/service/index/mod.ts";
import { lookForDescriptors } from "../../../../src/embedded/service/files/free_descriptors.ts";
import { allOf, type QueryNode } from "../../../../src/core/query/query_ast.ts";
import { evaluateQuery } from "../../../../src/core/query/query_evaluate.ts";
import { scoreRecord } from "../../../core/query/_score_record.ts";
import { readFilters } from "../../../../src/core/query/query_filter.ts";
import { lookupFields } from "../../../../src/core/query/fields.ts";
import { parseQuery } from "../../../../src/core/query/query_parser.ts";
import { formatAccession } from "../../../../src/core/contract/accession.ts";
import { definitionsOf } from "../_archives.ts";
import { expectedFacet, expectedOrder, filter, LOOKUP, query, row, sort } from "../_random_queries.ts";

/** Searches of each property, and where they begin; more are run by `deno task checks searches`. */
const RUNS = Number(Deno.env.get("SEQREG_SEARCHES") ?? 15);
const SEED = Number(Deno.env.get("SEQREG_SEED") ?? 31);

/**
 * Everything small: fields have texts, blocks are short, tokens collide, runs are merged, nothing is kept in memory.
 */
const SMALL: Partial<IndexBounds> = {
  dictionaryValues: 12,
  allValues: 40,
  readValues: 0,
  blockRows: 32,
  textBytes: 64,
  tokens: 64,
  verifiedRows: 3,
  denseShare: 8,
  hashBits: 6,
  sortBytes: 100,
  jointCodes: 8,
  tableRecords: 0,
  listedRows: 4,
};
const NO_DICTIONARIES = { ...SMALL, dictionaryValues: 0, allValues: 0 };

const BOUNDS: Readonly<Record<string, Partial<IndexBounds>>> = {
  "as they are": {},
  "all fields with texts": NO_DICTIONARIES,
  "all fields with texts, lists of rows, all tokens verified": {
    ...NO_DICTIONARIES,
    hashBits: 4,
    verifiedRows: 1000,
    listedRows: 1000,
  },
  "all fields with dictionaries, in short blocks": { blockRows: 32, readValues: 0, listedRows: 0, tableRecords: 0 },
  "some of each": SMALL,
  "no collisions, rows by planes": { ...NO_DICTIONARIES, hashBits: 32, verifiedRows: 1, tokens: 2048 },
};

interface Built extends AsyncDisposable {
  readonly finder: Finder;
  readonly folder: string;
}

async function build(
  records: readonly string[][],
  bounds: Partial<IndexBounds>,
  parts = 1,
  { fields } = LOOKUP,
): Promise<Built> {
  const folder = await Deno.makeTempDir();
  {
    const writer = await startIndex(folder, fields, { accessionField: 0, bounds });
    const size = Math.ceil(records.length / parts);
    for (let from = 0; from < records.length; from += size) await writer.add(records.slice(from, from + size));
    const { files } = await writer.finish();
    const found = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
    assertEquals(Object.keys(files).sort(), found);
  }
  const finder = openIndex(folder, {
    fields,
    rowsOf: (accessions) =>
      accessions.flatMap((name) => {
        const row = records.findIndex(([accession]) => accession === name);
        return row === -1 ? [] : [row];
      }),
    valuesOf: (rows) => rows.map((row) => records[row]),
    cacheBytes: 1 << 12,
    turnMs: 0,
  });
  return {
    finder,
    folder,
    async [Symbol.asyncDispose]() {
      await finder[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

const search = fc.record({ query, filter, sort, pageSize: fc.integer({ min: 20, max: 90 }) });
type Search = typeof search extends fc.Arbitrary<infer T> ? T : never;

async function check(finder: Finder, records: readonly string[][], { query, filter, sort, pageSize }: Search) {
  const node = allOf([parseQuery(query, LOOKUP), readFilters(filter, LOOKUP)]);
  const rows = records.flatMap((values, index) => evaluateQuery(node, values) ? [index] : []);
  const scores = records.map((values) => scoreRecord(node, values));
  const order = expectedOrder(rows, records, sort, scores);
  for (let offset = 0; offset <= order.length; offset += pageSize) {
    const page = await finder.find(node, {
      offset,
      limit: pageSize,
      sort: sort === undefined ? undefined : { field: LOOKUP.find(sort.field)!, order: sort.order },
    });
    assertEquals(page.total, rows.length);
    assertEquals(page.facets, page.facets.map(({ field }) => expectedFacet(field, rows, records)));
    const expected = order.slice(offset, offset + pageSize);
    assertEquals(page.rows, expected);
    assertEquals(page.scores, expected.map((row) => sort === undefined ? scores[row] : null));
  }
  assertEquals(await collect(finder, node), rows);
}

async function collect(finder: Finder, node: QueryNode): Promise<number[]> {
  const found: number[] = [];
  for await (const rows of finder.rows(node)) found.push(...rows);
  return found;
}

function recordsOf(rows: readonly (readonly string[])[]): string[][] {
  return rows.map((cells, row) => [formatAccession(row + 1), ...cells]);
}

/** Every equality and every end of a range that numbers and dates can have, and words that stand often in a value. */
const EACH = [
  ...["sequence_length", "gc"].flatMap((field) =>
    ["12", "1e1", "-5", "7", "0", ".5"].flatMap((end) =>
      [":", ":>", ":>=", ":<", ":<="].map((sign) => field + sign + end)
    )
  ),
  ...["2013", "2013-12", "2013-12-05", "2012-02-29", "2013-XX-05", "Dec-2013", "2013-06/2014-02"].flatMap((end) =>
    [":", ":>", ":>=", ":<", ":<="].map((sign) => `collection_date${sign}${end}`)
  ),
  "collection_date:[2012 TO 2013-12-05]",
  "gc:{-5 TO 12}",
  "zika",
  '"zika zika"',
  "alpha",
  "beta alpha",
  '"alpha alpha" OR beta',
];

/** Repeats few values in some fields, so that they have facets and ties; adds words that many records have often. */
function narrow(rows: readonly (readonly string[])[]): string[][] {
  const countries = ["", "Kenya", "kenya", "Peru", "Chad"];
  return rows.map((cells, row) => {
    const [, host, length, gc, date, tags] = cells;
    const words = Array<string>(row % 7).fill("alpha").join(" ");
    return [countries[row * row % 5], row % 2 === 0 ? host : `${words} beta`, length, gc, date, tags, String(row % 3)];
  });
}

for (const [name, bounds] of Object.entries(BOUNDS)) {
  Deno.test(`the index finds what the plain reading finds: ${name}`, async () => {
    const [rows] = fc.sample(fc.array(row, { minLength: 170, maxLength: 200 }), { numRuns: 1, seed: SEED });
    const records = recordsOf(rows);
    await using built = await build(records, bounds, 3);
    await fc.assert(
      fc.asyncProperty(search, (search) => check(built.finder, records, search)),
      { numRuns: RUNS, seed: SEED, endOnFailure: false },
    );
  });

  Deno.test(`the index counts facets, orders ties and rates words as the plain reading does: ${name}`, async () => {
    const records = recordsOf(narrow(fc.sample(row, { numRuns: 260, seed: SEED })));
    await using built = await build(records, bounds, 2);
    const values = ["Kenya", "KENYA", "Peru", "1"];
    const clauses = values.flatMap((value) => [`country:${value}`, `-country:${value}`, `segmented:${value}`]);
    for (const [at, query] of [...EACH, ...clauses, "country:(kenya OR peru) -segmented:2"].entries()) {
      const field = LOOKUP.fields[at % LOOKUP.fields.length].alias;
      const order = at % 2 === 0 ? "asc" as const : "desc" as const;
      // Facets are counted with the first page, and remembered for others: each kind of page is the first of some.
      const sorts = [undefined, { field, order }];
      for (const sort of at % 4 < 2 ? sorts : sorts.toReversed()) {
        await check(built.finder, records, { query, filter: [], sort, pageSize: 200 });
      }
    }
  });
}

for (const [name, bounds] of Object.entries({ "read one by one": {}, "by their codes": { readValues: 0 } })) {
  Deno.test(`NA is a value in the company of segments or codes of countries: ${name}`, async () => {
    const columns = ["Registry Accession", "Segment", "Country", "Host"];
    const types = Object.fromEntries(columns.map((column) => [column, "string" as const]));
    const lookup = lookupFields(definitionsOf({ columns: columns.slice(1), rows: [], types }));
    const rows = ["HA,KE,NA", "NA,NA,bat", "NA,ZA,", "unknown,NA,pig", ",,NA", "PB1,DE,bat"];
    const records = recordsOf(rows.map((row) => row.split(",")));
    await using built = await build(records, bounds, 1, lookup);
    const cases: Readonly<Record<string, readonly number[]>> = {
      "segment:*": [0, 1, 2, 5],
      "-segment:*": [3, 4],
      "segment:[ha TO nb]": [0, 1, 2],
      "segment:na": [1, 2],
      "country:*": [0, 1, 2, 3, 5],
      "host:*": [1, 3, 5],
    };
    for (const [query, found] of Object.entries(cases)) {
      assertEquals(await collect(built.finder, parseQuery(query, lookup)), found, query);
    }
    const sort = { field: lookup.find("segment")!, order: "desc" } as const;
    const { facets, rows: found } = await built.finder.find(parseQuery("*", lookup), { offset: 0, limit: 6, sort });
    const shown = Object.fromEntries(facets.map(({ field, values }) => [field, values.map(({ value }) => value)]));
    assertEquals(shown, { Segment: ["NA", "HA", "PB1"], Country: ["NA", "DE", "KE", "ZA"], Host: ["bat", "pig"] });
    assertEquals(found, [5, 1, 2, 0, 3, 4]);
  });
}

Deno.test("an index of many records is built in a thread, which tells its steps and can be given up", async (t) => {
  lookForDescriptors();
  const records = recordsOf(fc.sample(row, { numRuns: 50, seed: SEED }));
  const inThread = async (work: (writer: IndexWriter) => Promise<void>): Promise<void> => {
    const folder = await Deno.makeTempDir();
    {
      const writer = await startIndex(folder, LOOKUP.fields, { accessionField: 0, bounds: { threadRecords: 1 } });
      await writer.add(records);
      await work(writer);
    }
    await Deno.remove(folder, { recursive: true });
  };
  await t.step("steps", () =>
    inThread(async (writer) => {
      const steps: number[] = [];
      const { files } = await writer.finish({ onProgress: (done, total) => steps.push(done / total) });
      assertEquals(steps.at(-1), 1);
      assertEquals(Object.keys(files).includes("index.json"), true);
    }));
  await t.step("given up", () =>
    inThread(async (writer) => {
      const stop = new AbortController();
      const onProgress = () => stop.abort(new Error("enough"));
      await assertRejects(() => writer.finish({ signal: stop.signal, onProgress }), Error, "enough");
    }));
  await t.step("given up before it began", () =>
    inThread(async (writer) => {
      const stop = new AbortController();
      const finishing = writer.finish({ signal: stop.signal });
      stop.abort(new Error("enough"));
      await assertRejects(() => finishing, Error, "enough");
    }));
});

Deno.test("a search ends with its signal, the next is answered, and a closed index is reported", async () => {
  const records = recordsOf(fc.sample(row, { numRuns: 200, seed: SEED }));
  const built = await build(records, SMALL);
  const sort = { field: LOOKUP.find("tags")!, order: "desc" } as const;
  const queries = ["*o*", "zika -germany", "tags:*a*", "gc:>=0", '"zika zika"', "country:[a TO z]"];
  const works = queries.flatMap((text): ((signal?: AbortSignal) => Promise<unknown>)[] => [
    (signal) => built.finder.find(parseQuery(text, LOOKUP), { offset: 0, limit: 5 }, signal),
    (signal) => built.finder.find(parseQuery(text, LOOKUP), { offset: 5, limit: 5, sort }, signal),
    (signal) => Array.fromAsync(built.finder.rows(parseQuery(text, LOOKUP), signal)),
  ]);
  let ended = 0;
  for (const work of works) {
    const stop = new AbortController();
    const begun = work(stop.signal).then(() => "found", (error) => error.message);
    queueMicrotask(() => stop.abort(new Error("enough")));
    // What finds nothing to do has no turn in which to end.
    if (await begun === "enough") ended++;
    await assertRejects(() => work(AbortSignal.abort(new Error("before"))), Error, "before");
    await work();
  }
  assertEquals(ended > works.length / 2, true);
  const running = works.map((work) => work().catch((error) => error));
  await built[Symbol.asyncDispose]();
  for (const error of await Promise.all(running)) {
    if (error instanceof Error) assertStringIncludes(error.message, "closed");
  }
});

Deno.test("a field of few long values has texts, and a value of very many words is found by each", async () => {
  const long = Array.from({ length: 700 }, (_, at) => `w${at}`).join(" ");
  const records = recordsOf(
    Array.from(
      { length: 40 },
      (_, row) => [row === 7 ? long : row === 8 ? `${long} é` : "x".repeat(row % 3), "", "1", "", "", "", ""],
    ),
  );
  await using built = await build(records, { dictionaryBytes: 2000 });
  const texts = [...Deno.readDirSync(built.folder)].filter(({ name }) => /^texts-.*\.bin$/.test(name));
  assertEquals(texts.map(({ name }) => name), ["texts-1.bin"]);
  for (const text of ["w0", "w699", "é", '"w698 w699"', "country:xx", "-country:*"]) {
    const node = parseQuery(text, LOOKUP);
    const rows = records.flatMap((values, row) => evaluateQuery(node, values) ? [row] : []);
    assertEquals(await collect(built.finder, node), rows, text);
  }
});

Deno.test("numbers and dates of records that are in their order as they stand are found and sorted", async () => {
  const two = (number: number) => String(number).padStart(2, "0");
  const records = recordsOf(
    Array.from({ length: 90 }, (_, row) => {
      const day = `20${two(10 + Math.floor(row / 12))}-${two(row % 12 + 1)}`;
      return ["", "", String(row * 10), String(row / 4), day, "", ""];
    }),
  );
  await using built = await build(records, NO_DICTIONARIES);
  for (const query of [...EACH, "sequence_length:[100 TO 200}", "sequence_length:50", "gc:>20"]) {
    for (const order of ["asc", "desc"] as const) {
      for (const field of ["sequence_length", "gc", "collection_date"]) {
        await check(built.finder, records, { query, filter: [], sort: { field, order }, pageSize: 50 });
      }
    }
  }
  await check(built.finder, records, {
    query: "",
    filter: [{ field: "Sequence Length", value: [10, 890, 5] }],
    sort: undefined,
    pageSize: 50,
  });
});

Deno.test("an index of no records finds none", async () => {
  await using built = await build([], {});
  const node = parseQuery("zika OR country:x", LOOKUP);
  const range = { offset: 0, limit: 5 };
  const found = await built.finder.find(node, range);
  assertEquals([found.total, found.rows], [0, []]);
  const sort = { field: LOOKUP.find("gc")!, order: "desc" } as const;
  assertEquals((await built.finder.find({ kind: "all" }, { ...range, sort })).rows, []);
});

Deno.test("an index that was sealed is resumed, and refuses records", async () => {
  const folder = await Deno.makeTempDir();
  const records = recordsOf(fc.sample(row, { numRuns: 50, seed: 3 }));
  {
    const writer = await startIndex(folder, LOOKUP.fields, { accessionField: 0, bounds: SMALL });
    await writer.add(records);
    assertEquals(await resumeIndex(folder), undefined);
    await writer.seal();
    await assertRejects(() => writer.add(records), TypeError, "the index is sealed");
  }
  for (let run = 0; run < 2; run++) {
    const writer = (await resumeIndex(folder))!;
    assertEquals(writer.recordCount, 50);
    await assertRejects(() => writer.add(records), TypeError, "the index is sealed");
    const stop = new AbortController();
    stop.abort(new Error("enough"));
    if (run === 0) await assertRejects(() => writer.finish({ signal: stop.signal }), Error, "enough");
    else await writer.finish();
  }
  assertEquals(await resumeIndex(folder), undefined);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("an index that was sealed is not resumed when a file of it is cut or gone", async () => {
  const folder = await Deno.makeTempDir();
  {
    const writer = await startIndex(folder, LOOKUP.fields, { accessionField: 0, bounds: SMALL });
    await writer.add(recordsOf(fc.sample(row, { numRuns: 50, seed: 3 })));
    await writer.seal();
  }
  const files = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) => name !== "sealed.building");
  for (const name of files) {
    const bytes = await Deno.readFile(`${folder}/${name}`);
    if (bytes.length > 0) {
      await Deno.writeFile(`${folder}/${name}`, bytes.subarray(1));
      assertEquals(await resumeIndex(folder), undefined, name);
    }
    await Deno.remove(`${folder}/${name}`);
    assertEquals(await resumeIndex(folder), undefined, name);
    await Deno.writeFile(`${folder}/${name}`, bytes);
  }
  assertEquals((await resumeIndex(folder))?.recordCount, 50);
  await Deno.remove(folder, { recursive: true });
});
