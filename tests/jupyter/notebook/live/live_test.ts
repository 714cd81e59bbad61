/** `live()` without a page: what it shows, what code sets and reads, and the code that finds the rows again. */
import { assert, assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import pl from "nodejs-polars";
import { buildLake, type Lake, openLake, tableFromCsv } from "../../../../src/core/tables/mod.ts";
import { makeSample } from "../../../../src/embedded/sample/mod.ts";
import { RegistryError } from "../../../../src/core/errors.ts";
import { CriteriaError } from "../../../../src/core/query/criteria_error.ts";
import { DISPLAY } from "../../../../src/core/io/display/display.ts";
import { collectGarbage } from "../../../../src/core/tables/types/collect_garbage.ts";
import { live, type LiveOptions } from "../../../../src/jupyter/notebook/live/live.ts";
import { testAlone } from "../../../_test_alone.ts";

/** A folder with a lake of a sample, built once for all tests. */
const FOLDER = await Deno.makeTempDir();
addEventListener("unload", () => Deno.removeSync(FOLDER, { recursive: true }));
await makeSample(`${FOLDER}/archives`, { records: 300 });
await buildLake(`${FOLDER}/archives`, `${FOLDER}/lake`);

async function withLake(work: (lake: Lake) => Promise<void>): Promise<void> {
  await using lake = await openLake(`${FOLDER}/lake`);
  await work(lake);
}

const FRAME = {
  Country: ["Kenya", null, "kenya", "Peru"],
  'Length"': [5, 7, 5, 9],
  Tags: [["a"], ["b", "a"], [], null],
};

Deno.test("a lake's table shows its first rows, its types and how many rows there are", async () => {
  await withLake(async (lake) => {
    const view = await live(lake, { columns: ["Registry Accession", "Sequence Length"], caption: "records" });
    const bundle = await view[DISPLAY]();

    assertStringIncludes(bundle["text/plain"], "records: 300 rows × 2 columns");
    assertStringIncludes(bundle["text/html"] ?? "", `<div data-seqreg-live="saved" data-view="${view.id}">`);
    assertStringIncludes(bundle["text/html"] ?? "", "vj000000000001");
    assertStringIncludes(bundle["text/html"] ?? "", "seqreg kernel install");
  });
});

Deno.test("the code of a view finds the view's own rows, in TypeScript and in SQL", async () => {
  await withLake(async (lake) => {
    const view = await live(lake, { columns: ["Registry Accession", "Country", "Sequence Length"] });
    const states: [filter: Record<string, string>, sort: typeof view.sort][] = [
      [{}, null],
      [{ "Sequence Length": "1000..9000", Country: "=Kenya" }, { by: "Sequence Length", descending: true }],
      [{ Country: "en", "Collection Date": "2015..2020-06" }, { by: "Country" }],
      [{ Keywords: "=synthetic", "Host Age": "missing", "GC Content": ">40.5" }, { by: "GC Content" }],
      [{ "Sample Accession": "present", "Ambiguous Bases": "<2.5" }, { by: "Host Species", descending: true }],
    ];
    for (const [filter, sort] of states) {
      view.filter = filter;
      view.sort = sort;
      const rows = (frame: Awaited<ReturnType<typeof view.frame>>) => frame.rows().map((row) => JSON.stringify(row));
      const expected = rows(await view.frame());
      const { typescript, sql } = await view.code();
      // SQL leaves the order of equal values open.
      assertEquals(rows(await lake.sql(sql)).sort(), [...expected].sort(), sql);
      const code = typescript.replace(/^import .*\n/, "").replace("const rows =", "return");
      const found = rows(await new Function("lake", "pl", `return (async () => { ${code} })()`)(lake, pl));
      if (typescript.includes("lake.scan(")) assertEquals(found, expected, typescript);
      else assertEquals(found.sort(), expected.sort(), typescript);
    }
  });
});

Deno.test("a query shows its rows alone, by aliases too, and what it cannot mean is an error", async () => {
  await withLake(async (lake) => {
    const view = await live(lake, { query: "country:kenya sequence_length:>100", columns: ["Country"] });
    const expected = await lake.sql(
      `SELECT count(*) AS n FROM lake WHERE lower("Country") = 'kenya' AND "Sequence Length" > 100`,
    );
    const frame = await view.frame();

    assertEquals(frame.height, Number(expected.toRecords()[0].n));
    assert(frame.height > 0 && frame.height < 300);
    assertStringIncludes((await view[DISPLAY]())["text/html"] ?? "", "only the rows that country:kenya");
    assertEquals((await lake.sql((await view.code()).sql)).height, frame.height);
    await assertRejects(() => live(lake, { query: "contry:kenya" }), CriteriaError, "country");
    await assertRejects(() => live(lake, { query: "country:unknown" }), CriteriaError, "no exact translation");
  });
  const frame = await live(pl.DataFrame(FRAME), { query: "country:kenya tags:b OR length:9" });
  assertEquals((await frame.frame()).getColumn('Length"').toArray().map(Number), [9]);
  assertStringIncludes((await frame.code()).sql, `"Country"`);
});

Deno.test("a filter of partial dates finds what the same range of a query finds", async () => {
  await withLake(async (lake) => {
    const filtered = await live(lake, { columns: ["Registry Accession"] });
    const [{ months, years }] = (await lake.sql(
      `SELECT count(*) FILTER ("Collection Date" LIKE '____-__' OR "Collection Date" LIKE '____-__-XX') AS months, ` +
        `count(*) FILTER ("Collection Date" LIKE '____' OR "Collection Date" LIKE '____-XX%') AS years FROM lake`,
    )).toRecords();
    assert(Number(months) > 0 && Number(years) > 0);
    for (const from of ["2005", "2010-06", "2012-01-01", "2013-05-15"]) {
      for (const to of ["2014", "2014-02", "2015-02-28", "2016-12-31", "2018-07-15"]) {
        const found = await live(lake, {
          query: `collection_date:[${from} TO ${to}]`,
          columns: ["Registry Accession"],
        });
        filtered.filter = { "Collection Date": `${from}..${to}` };
        assertEquals((await filtered.frame()).rows(), (await found.frame()).rows(), `${from} to ${to}`);
      }
    }
  });
});

Deno.test("a range of a query that meets texts says so beside the table", async () => {
  const frame = pl.DataFrame({
    Age: ["9", "12 weeks", "30", null],
    Date: ["2013-XX-XX", "spring", null, "2014-01-05"],
    Length: [5, 7, 5, 9],
  });
  const compares = 'the range of "Age" compares texts, character by character, not numbers';
  const cases: Readonly<Record<string, readonly [says: string[], silent: string[]]>> = {
    "age:[1 TO 20]": [[compares, '3 records have a value, such as "12 weeks"', "or give the column the type"], []],
    "length:>5": [["only the rows that length:>5 finds"], ["compares texts"]],
    "age:[a TO b]": [[], ["compares texts"]],
    "date:>=2013-05 length:<8": [['the range of "Date" compares texts, character by character, not dates'], ["Age"]],
  };
  for (const [query, [says, silent]] of Object.entries(cases)) {
    const bundle = await (await live(frame, { query, columns: ["Length"] }))[DISPLAY]();
    const notes = bundle["text/plain"];
    for (const text of says) assertStringIncludes(notes, text, query);
    for (const text of silent) assert(!notes.includes(text), query);
  }
});

Deno.test("a frame is shown with its own names, filtered, ordered and read back; its file goes with it", async () => {
  const view = await live(pl.DataFrame(FRAME));
  view.filter = { Country: "KEN" };
  view.sort = { by: 'Length"', descending: true };
  view.columns = ["Country"];
  const frame = await view.frame();

  assertEquals(frame.columns, ["Country"]);
  assertEquals(frame.getColumn("Country").toArray(), ["Kenya", "kenya"]);
  assertStringIncludes((await view.code()).typescript, "frame");
  view.filter = { Tags: "=a" };
  assertEquals((await view.frame({ most: 1 })).height, 1);
});

Deno.test("a frame is ordered by its own column, whatever the names of its columns are", async () => {
  const view = await live(pl.DataFrame({ id: [2, 1, 3], c0: [1, 2, 3], c1: [3, 2, 1] }));
  for (const [by, expected] of [["id", [1, 2, 3]], ["c0", [2, 1, 3]], ["c1", [3, 1, 2]]] as const) {
    view.sort = { by };
    assertEquals((await view.frame()).getColumn("id").toArray(), [...expected], by);
  }
});

Deno.test("a frame of a file of pandas, whose first column has no name, is shown and read back", async () => {
  const view = await live(pl.readCSV(",Country,__proto__\n0,Kenya,x\n1,Peru,y\n"));
  view.filter = { "": ">0" };
  view.sort = { by: "Country" };
  const frame = await view.frame();

  assertEquals(frame.columns, ["", "Country", "__proto__"]);
  assertEquals(frame.rows(), [[1, "Peru", "y"]]);
  assertStringIncludes((await view.code()).typescript, 'pl.col("")');
});

Deno.test("the code of a frame runs where polars has the steps, and is a comment in SQL where it has not", async () => {
  const frame = pl.DataFrame({ Country: ["Kenya", "Peru", "Kenya"], n: [1, 2, 3] });
  const view = await live(frame);
  view.filter = { n: ">1" };
  view.sort = { by: "n", descending: true };
  const code = (await view.code()).typescript;
  assertEquals(code.split("\n")[0], 'import pl from "nodejs-polars";');
  const run = code.replace(/^import .*\n/, "").replace("const rows =", "return");
  const rows: pl.DataFrame = await new Function("frame", "pl", `return (async () => { ${run} })()`)(frame, pl);
  assertEquals(rows.getColumn("n").toArray(), [3, 2]);
  view.filter = { Country: "ken" };
  const lines = (await view.code()).typescript.split("\n");
  assertEquals(lines.map((line) => line.slice(0, 3)), lines.map(() => "// "));
  assertStringIncludes(lines.join("\n"), "// WHERE ");
});

Deno.test("numbers of four bytes are compared as such in code, and NaN is greater than nothing", async () => {
  const frame = pl.DataFrame({
    small: pl.Series("small", [0.1, 0.2, 0.3, NaN, null], pl.Float32),
    large: pl.Series("large", [0.1, NaN, 0.3, 5, null], pl.Float64),
  });
  const view = await live(frame);
  const cases = { "0.1": [1, 1], ">0.2": [1, 2], "<=0.3": [3, 2], ">=0.1": [3, 3], "0.1..0.2": [2, 1] };
  for (const [filter, counts] of Object.entries(cases)) {
    for (const [index, column] of ["small", "large"].entries()) {
      view.filter = { [column]: filter };
      const { typescript } = await view.code();
      const run = typescript.replace(/^import .*\n/, "").replace("const rows =", "return");
      const rows: pl.DataFrame = await new Function("frame", "pl", `return (async () => { ${run} })()`)(frame, pl);
      assertEquals([(await view.frame()).height, rows.height], [counts[index], counts[index]], `${column} ${filter}`);
    }
  }
});

Deno.test("days to the end of the year 9999 are filtered; a frame without columns is refused", async () => {
  const view = await live(pl.DataFrame({ d: ["2020-01-01", "9999-12-31"] }).select(pl.col("d").cast(pl.Date)));
  for (
    const [filter, rows] of [["2020..9999", 2], ["9999", 1], ["9999-12-31", 1], ["<=9999", 2], [">9999", 0]] as const
  ) {
    view.filter = { d: filter };
    assertEquals((await view.frame()).height, rows, filter);
  }
  await assertRejects(() => live(pl.DataFrame({})), TypeError, "it has no columns");
  await assertRejects(() => live(pl.DataFrame({}).lazy()), TypeError, "it has no columns");
});

Deno.test("a lazy frame, files and a table of a result are shown too", async () => {
  const frame = pl.DataFrame(FRAME);
  const lazy = await live(frame.lazy());
  const table = await live({ frame: () => Promise.resolve(frame) }, { caption: "result" });
  const folder = await Deno.makeTempDir();
  frame.writeParquet(`${folder}/a [1].parquet`);
  const file = await live(`${folder}/a [1].parquet`);

  const plain = await Promise.all([lazy, table, file].map(async (view) => (await view[DISPLAY]())["text/plain"]));
  const types = plain.map((text) => text.split("\n")[2]);
  assertEquals(new Set(types.map((line) => line.replaceAll(/ +/g, " "))), new Set(["String Float64 List(String)"]));
  for (const view of [lazy, table, file]) {
    assertEquals((await view.frame()).getColumn('Length"').toArray().map(Number), [5, 7, 5, 9]);
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("what is incomplete says so below the table: a result by its ledger, a lake by the rows it could not read", async () => {
  const csv = "Registry Accession,Country\nvj000000000001,Kenya\nvj000000000002\nvj000000000003,Peru\n";
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/a.csv`, csv);
  await buildLake(`${folder}/a.csv`, `${folder}/lake`);
  await using lake = await openLake(`${folder}/lake`);
  const table = await tableFromCsv(new TextEncoder().encode(csv));
  const whole = await tableFromCsv(new TextEncoder().encode(csv.replace("vj000000000002\n", "")));
  const notes: readonly [value: Lake | typeof table, note: string][] = [
    [lake, "1 row could not be read: line 3 (the row has 1 cell, the header has 2)"],
    [table, "Incomplete: received 2, unreadable 1"],
  ];
  for (const [value, note] of notes) {
    const bundle = await (await live(value, { query: "country:kenya" }))[DISPLAY]();
    for (const text of [bundle["text/plain"], bundle["text/html"] ?? ""]) {
      assertStringIncludes(text, `${note}; only the rows that country:kenya finds`);
    }
  }
  assert(!(await (await live(whole))[DISPLAY]())["text/plain"].includes("omplete"));
  await Deno.remove(folder, { recursive: true });
});

testAlone(import.meta.url, "a frame that cannot be shown leaves no file", async () => {
  const before = Deno.env.get("TMPDIR");
  const folder = await Deno.makeTempDir();
  Deno.env.set("TMPDIR", folder);
  try {
    const refused: LiveOptions[] = [{ columns: ["Contry"] }, { columns: [] }, { query: "contry:kenya" }];
    for (const options of refused) {
      await assertRejects(() => live(pl.DataFrame(FRAME), options));
    }
    assertEquals(await Array.fromAsync(Deno.readDir(folder)), []);
  } finally {
    if (before === undefined) Deno.env.delete("TMPDIR");
    else Deno.env.set("TMPDIR", before);
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a view that code has dropped is not kept", async () => {
  const makeView = async () => new WeakRef(await live(pl.DataFrame(FRAME)));
  const dropped = await makeView();
  // What was made in a turn is held until its end.
  for (let turn = 0; turn < 3 && dropped.deref() !== undefined; turn++) {
    await new Promise((resolve) => setTimeout(resolve));
    collectGarbage();
  }
  assertEquals(dropped.deref(), undefined);
});

Deno.test("what cannot be shown, filtered or ordered says so", async () => {
  await assertRejects(() => live(7 as never), TypeError, "expected a lake");
  await assertRejects(() => live([]), TypeError, "expected a lake");
  await assertRejects(() => live(pl.DataFrame(FRAME), { table: "x" }), TypeError, "belongs to a lake");
  await assertRejects(() => live(pl.DataFrame(FRAME), { columns: ["Contry"] }), RangeError, '"Country"');
  await assertRejects(() => live(pl.DataFrame(FRAME), { rows: 2 }), RangeError, "a whole number from 3 to 100, not 2");
  const view = await live(pl.DataFrame(FRAME));
  assertThrows(() => view.filter = { Contry: "x" }, RangeError, '"Country"');
  assertThrows(() => view.filter = { 'Length"': "many" }, TypeError, "is not a number or a range");
  assertThrows(() => view.sort = { by: "Lenth" }, RangeError);
  assertThrows(() => view.sort = { column: "Country" } as never, TypeError, 'unknown argument "sort.column"');
  assertThrows(() => view.sort = {} as never, TypeError, '"sort.by" of live() is missing');
  await Deno.writeTextFile(`${FOLDER}/a.tsv`, "Country\tLength\nKenya\t5\n");
  await assertRejects(() => live(`${FOLDER}/a.tsv`), TypeError, "it is not a Parquet file; read a CSV or TSV with");
  await assertRejects(() => live(FOLDER), TypeError, "it is a folder; open a lake with openLake()");
  await assertRejects(() => live(`${FOLDER}/none.parquet`), RegistryError, "does not exist; name Parquet files");
  assertThrows(() => view.columns = [], RangeError);
  assertThrows(() => view.columns = ["Country", "Country"], RangeError, "it is named twice");
  assertEquals(view.filter, {});
  assertEquals(await view.selected(), []);
  await withLake(async (lake) => {
    await assertRejects(() => live(lake, { table: "full_dataset_metadat" }), RangeError, "full_dataset_metadata");
  });
  assert(view.sort === null);
});
