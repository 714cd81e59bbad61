/** Gaps that are counted in Parquet files without decoding them are those of their values. */
import { assert, assertEquals } from "@std/assert";
import pl from "nodejs-polars";
import { ColumnFacts } from "../../../src/core/engine/local/column_facts.ts";
import { MISSING_TEST } from "../../../src/analysis/source/texts.ts";
import { GroupedRows } from "../../../src/analysis/run/gap_counts.ts";
import { completenessBySource, fieldCompleteness, schemaCard } from "../../../src/analysis/mod.ts";
import { oneOf, ROWS, writeParts } from "../_parts.ts";
import { inFolder } from "../../_files.ts";

Deno.test("gaps of groups are those of their rows, whatever their form", async (t) => {
  await inFolder(async (folder) => {
    const { paths, frame } = writeParts(folder);
    using facts = ColumnFacts.open(paths);
    assert(facts !== undefined);
    const texts = new Set(["unknown", "", "--"]);
    const test = oneOf(...texts);
    for (const by of ["few texts", "one text"]) {
      const grouped = GroupedRows.by(facts, by);
      assert(grouped !== undefined);
      const keys = frame.getColumn(by).toArray();
      const countOf = (is: (row: number) => boolean) =>
        grouped.groups.map((group) => keys.filter((key, row) => key === group && is(row)).length);
      assertEquals(grouped.records(), countOf(() => true));
      for (const name of frame.columns) {
        await t.step(`${name} by ${by}`, () => {
          const values = frame.getColumn(name).toArray();
          assertEquals(grouped.count(name)?.empty, countOf((row) => values[row] === null));
          const both = grouped.count(name, test);
          assertEquals(both === undefined, !["few texts", "one text", "no text", "long texts"].includes(name));
          if (both === undefined) return;
          assertEquals(both.empty, countOf((row) => values[row] === null));
          assertEquals(both.holding, countOf((row) => texts.has(String(values[row]))));
        });
      }
      await t.step(`lists by ${by}`, () => {
        assertEquals(grouped.count("some")?.empty, countOf((row) => row % 3 === 0));
        assertEquals(grouped.count("long runs")?.empty, countOf((row) => row < 1700));
        assertEquals(grouped.count("full")?.empty, countOf(() => false));
        assertEquals(grouped.count("none")?.empty, countOf(() => true));
      });
      assertEquals(grouped.count("other"), undefined);
    }
    for (const by of ["own texts", "few numbers", "some", "other"]) assertEquals(GroupedRows.by(facts, by), undefined);
  });
});

Deno.test("a file that is damaged says what it can, or nothing; it never throws", async () => {
  await inFolder(async (folder) => {
    const { paths: [whole], frame } = writeParts(folder);
    const bytes = await Deno.readFile(whole);
    const footer = new DataView(bytes.buffer).getUint32(bytes.length - 8, true);
    let state = 7;
    const random = (below: number) => (state = Math.imul(state, 1_664_525) + 1_013_904_223 >>> 0) % below;
    for (let times = 0; times < 60; times++) {
      const damaged = bytes.slice();
      const at = times % 5 === 0 ? random(bytes.length - footer) : bytes.length - 8 - footer + random(footer);
      damaged[at] = random(256);
      await Deno.writeFile(`${folder}/damaged.parquet`, damaged);
      using facts = ColumnFacts.open([`${folder}/damaged.parquet`]);
      const grouped = facts && GroupedRows.by(facts, "few texts");
      for (const name of times % 5 === 0 ? frame.columns : ["few texts", "some"]) {
        facts?.nulls(name);
        facts?.look(name, 100);
        facts?.mayHold(name, oneOf("unknown"));
        grouped?.count(name);
        grouped?.count(name, oneOf("unknown"));
      }
    }
  });
});

Deno.test("a lake whose files are not understood is read by the engine, with the same numbers", async () => {
  await inFolder(async (folder) => {
    const { frame, lake } = writeParts(folder);
    const byFiles = await fieldCompleteness(lake);
    const byEngine = await fieldCompleteness({ ...lake, folder: `${folder}/absent` });
    assertEquals(byFiles.frame.toRecords(), byEngine.frame.toRecords());
    assertEquals(byFiles.frame.toRecords(), (await fieldCompleteness(frame)).frame.toRecords());
    for (const fields of [{ host: "few texts" }, { host: "one text" }, { host: "own texts" }]) {
      const options = { by: "host", fields } as const;
      const gaps = (await completenessBySource(lake, options)).frame.toRecords();
      assertEquals(
        gaps,
        (await completenessBySource({ ...lake, folder: `${folder}/absent` }, options)).frame.toRecords(),
      );
      assertEquals(gaps, (await completenessBySource(frame, options)).frame.toRecords());
    }
    const facts = ["field", "values", "distinct", "is_key", "example"];
    assertEquals(
      (await schemaCard(lake)).frame.select(...facts).toRecords(),
      (await schemaCard(frame)).frame.select(...facts).toRecords(),
    );
  });
});

Deno.test("schemaCard() counts NaN among the values no more than among the distinct ones", async () => {
  const shares = pl.Series("share", [0.5, NaN, NaN, null, 0.5, 1], pl.Float64);
  const { frame } = await schemaCard(pl.DataFrame([shares, pl.Series("own", [1, 2, 3, 4, 5, NaN], pl.Float64)]));
  assertEquals(frame.toRecords().map(({ values, distinct, is_key }) => [values, distinct, is_key]), [
    [3, 2, "no"],
    [5, 5, "no"],
  ]);
});

Deno.test("schemaCard() says of a large table what is cheap to know, and all when asked", async () => {
  const rows = 1_000_001;
  const numbers = Int32Array.from({ length: rows }, (_, row) => row);
  const frame = pl.DataFrame([
    pl.Series("own", numbers, pl.Int32),
    pl.Series("twice", numbers.map((row) => row >> 1), pl.Int32),
    pl.Series("few", numbers.map((row) => row % 7), pl.Int32),
    pl.Series("own but the last", numbers.map((row) => Math.min(row, rows - 2)), pl.Int32),
  ]);
  const card = await schemaCard(frame);

  assertEquals(card.frame.toRecords().map(({ distinct }) => distinct), [rows, null, 7, null]);
  assertEquals(card.frame.getColumn("is_key").toArray(), ["yes", "no", "no", "no"]);
  assert(
    card.notes.some((note) =>
      note.startsWith("More than 10,000 distinct values, not counted further: twice, own but the last.")
    ),
  );
  const all = await schemaCard(frame, { distinct: "all" });
  assertEquals(all.frame.getColumn("distinct").toArray(), [rows, (rows + 1) / 2, 7, rows - 1]);
});

Deno.test("the files tell of the same missing words as the engine, in whatever form they stand", async () => {
  await inFolder(async (folder) => {
    const words = [
      "Kenya",
      " ?",
      "N/a",
      "missing: lab stock",
      "",
      "  ",
      "not collected\u00a0",
      "\u2003",
      "Nigeria",
      "nanos",
      null,
    ];
    const frame = pl.DataFrame([
      pl.Series("Data Source", Array.from({ length: ROWS }, (_, row) => ["a", "a ", " ?", null][row % 4]), pl.String),
      pl.Series("Country", Array.from({ length: ROWS }, (_, row) => words[row % 11]), pl.String),
    ]);
    await Deno.mkdir(`${folder}/table`);
    frame.lazy().sinkParquet(`${folder}/table/part-00000.parquet`, { compression: "zstd", rowGroupSize: 700 })
      .collectSync();
    const columns = frame.columns.map((name) => ({ name, field: name, type: "string", dtype: "String" }) as const);
    const files = [{ name: "part-00000.parquet", rows: ROWS, bytes: 0 }];
    const manifest = { columns, idField: null, unique: ROWS, files, definitions: [], misfits: {} };
    const lake = { folder, main: "table", tables: new Map([["table", manifest]]), scan: () => frame.lazy() };
    using facts = ColumnFacts.open([`${folder}/table/part-00000.parquet`]);
    assertEquals(facts?.mayHold("Country", MISSING_TEST), true);
    for (const analyse of [fieldCompleteness, completenessBySource, schemaCard]) {
      assertEquals(
        (await analyse(lake)).frame.toRecords(),
        (await analyse(frame)).frame.toRecords().map((row) => analyse === schemaCard ? { ...row, misfits: 0 } : row),
      );
    }
    // Of eleven three are values, and of those that are not four are blank or null.
    const [{ filled }] = (await fieldCompleteness(lake, { columns: ["Country"] })).frame.toRecords();
    assertEquals(
      Number(filled),
      Array.from({ length: ROWS }, (_, row) => [0, 8, 9].includes(row % 11)).filter(Boolean).length,
    );
  });
});

Deno.test("schemaCard() says that values that are not dates keep their text", async () => {
  const frame = pl.DataFrame({ "Collection Date": ["2013", "03/04/2020"], Length: [1, null] });
  const columns = [
    { name: "Collection Date", field: "Collection Date", type: "date", dtype: "String" },
    { name: "Length", field: "Length", type: "integer", dtype: "Int64" },
  ] as const;
  const misfits = { "Collection Date": 1, "Length": 1 };
  const manifest = { columns, idField: null, unique: 2, files: [], definitions: [], misfits };
  const lake = { folder: "", main: "table", tables: new Map([["table", manifest]]), scan: () => frame.lazy() };
  const { notes, frame: card } = await schemaCard(lake);

  assertEquals(card.getColumn("values").toArray().map(Number), [2, 1]);
  assert(
    notes.some((note) => /^Values that are not dates keep their text in the frame.*: Collection Date \(1\)/.test(note)),
  );
  assert(notes.some((note) => /^Values that do not fit .* are empty in the frame: Length \(1\)/.test(note)));
});
