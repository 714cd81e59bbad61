/** A live table's answers beside plain SQL, and what it refuses. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { type LiveFilter, readQuestion } from "../../../src/jupyter/live/live_question.ts";
import { readDistribution, type Scale } from "../../../src/jupyter/live/distribution.ts";
import { Kept } from "../../../src/jupyter/live/kept.ts";
import { LiveTable } from "../../../src/jupyter/live/live_table.ts";
import { describeFiles } from "../../../src/jupyter/live/live_source.ts";
import { ChangedFileError, ParquetRows } from "../../../src/jupyter/live/parquet_rows.ts";
import { rangeText, readRange } from "../../../src/jupyter/notebook/in_browser/live/live_ranges.ts";
import { readFilter } from "../../../src/jupyter/notebook/in_browser/read_filter.ts";
import { printIn } from "../../_time_zone.ts";
import { Beside } from "./_answers.ts";
import { inFolder } from "../../_files.ts";
import { writeParquet } from "../../_parquet.ts";

const FILES = { kind: "files" } as const;

async function withFile(select: string, work: (path: string) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    await writeParquet(`${folder}/a.parquet`, select);
    await work(`${folder}/a.parquet`);
  });
}

Deno.test("30 answers equal plain SQL: filters, orders, nulls, ties, depths, lists, dates", async () => {
  await using beside = await Beside.make();

  // `tests/checks/live/answers.ts` compares 2,000.
  await beside.compare(30, 7);
});

Deno.test("distributions count every row once, of all and of those that match", async () => {
  await using beside = await Beside.make();
  const { table } = beside;
  const filters = [{ column: 9, kind: "range", min: "1", max: "1" } as const];
  for (const [column, { name }] of table.columns.entries()) {
    const found = await table.distribution(column, filters);
    if (found.kind === "none") {
      assert(["list, of", "nothing"].includes(name), `nothing is counted of ${name}`);
      continue;
    }
    const sql = `"${name.replaceAll('"', '""')}"`;
    const isYear = table.columns[column].kind === "date";
    const number = isYear ? `try_cast(left(${sql}::VARCHAR, 4) AS DOUBLE)` : `${sql}::DOUBLE`;
    const counted = found.kind === "values" ? "true" : `isfinite(${number})`;
    const [[all, matching]] = await beside.plain(
      `SELECT count(*)::INTEGER, (count(*) FILTER ("group" = 1))::INTEGER FROM plain WHERE ${counted}`,
    );
    const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
    assertEquals([sum(found.all), sum(found.matching)], [all, matching], name);
  }
});

Deno.test("a number's bins are where its values are", async () => {
  await withFile("SELECT i % 10 AS n FROM range(0, 1000) r(i)", async (path) => {
    await using table = await LiveTable.open({ files: await describeFiles([path]), origin: FILES });
    const found = await table.distribution(0, []);

    assertEquals(found, {
      kind: "bins",
      from: 0,
      width: 1,
      all: Array.from({ length: 10 }, () => 100),
      matching: Array.from({ length: 10 }, () => 100),
    });
  });
});

Deno.test("columns may be called as parts of the queries are", async () => {
  const select = "SELECT (['a', 'b'])[1 + i % 2] AS word, i % 10 AS x, i % 3 AS place, i AS n FROM range(0, 1000) r(i)";
  await withFile(select, async (path) => {
    await using table = await LiveTable.open({ files: await describeFiles([path]), origin: FILES });
    const filters = [{ column: 1, kind: "range", min: "1", max: "1" } as const];
    const found = await table.distribution(0, filters);

    assertEquals(found, { kind: "values", values: ["a", "b"], all: [500, 500], matching: [0, 100] });
    for (const column of [1, 2, 3]) assertEquals((await table.distribution(column, filters)).kind, "bins");
  });
});

Deno.test("of a column with many values those are counted that are shown", async () => {
  const select = "SELECT CASE WHEN i < 20000 THEN 'old' ELSE 'name ' || i END AS name FROM range(0, 25000) r(i)";
  await withFile(select, async (path) => {
    await using rows = await ParquetRows.open({ files: await describeFiles([path]), origin: FILES });
    const query = rows.query.bind(rows);
    let most = 0;
    rows.query = async (...asked) => {
      const found = await query(...asked);
      most = Math.max(most, found.length);
      return found;
    };
    const filters = [{ column: 0, kind: "present" } as const];
    const found = await readDistribution(rows, { column: 0, filters, scales: new Kept<Scale>(1, () => 1) });

    assert(found.kind === "values");
    assertEquals([found.values[0], found.all[0]], ["old", 20_000]);
    assertEquals(found.matching, found.all);
    assertEquals(most, 12);
  });
});

Deno.test("times with a zone are those of UTC on every machine", async () => {
  const moments = ["2019-12-31 20:00:00+00", "2020-01-01 01:00:00+00"].map((at) => `(TIMESTAMPTZ '${at}')`);
  await withFile(`SELECT t FROM (VALUES ${moments.join()}) v(t)`, async (path) => {
    const from = (file: string) => JSON.stringify(new URL(`../../../src/jupyter/live/${file}`, import.meta.url).href);
    const printed = await printIn(
      "Asia/Tokyo",
      `import { LiveTable } from ${from("live_table.ts")};
       import { describeFiles } from ${from("live_source.ts")};
       const files = await describeFiles([${JSON.stringify(path)}]);
       await using table = await LiveTable.open({ files, origin: { kind: "files" } });
       const filters = [{ column: 0, kind: "range", min: "2020" }];
       const question = { offset: 0, limit: 5, columns: [0], sort: null };
       const shown = [(await table.rows({ ...question, filters: [] })).rows, (await table.rows({ ...question, filters })).rows];
       console.log(JSON.stringify([...shown, await table.distribution(0, filters)]));`,
    );
    const [first, second] = [["2019-12-31T20:00:00.000Z"], ["2020-01-01T01:00:00.000Z"]];
    const years = { kind: "bins", from: 2019, width: 1, all: [1, 1], matching: [0, 1] };
    assertEquals(JSON.parse(printed), [[first, second], [second], years]);
  });
});

Deno.test("orders and choices of all rows that are asked for at once are whole", async () => {
  await withFile("SELECT (i * 7919) % 50000 AS n FROM range(0, 50000) r(i)", async (path) => {
    await using rows = await ParquetRows.open({ files: await describeFiles([path]), origin: FILES });
    const half = rows.where([{ column: 0, kind: "range", max: "24999" }]);
    const [up, down, low, [[count]]] = await Promise.all([
      rows.orderIds('"n" ASC'),
      rows.orderIds('"n" DESC'),
      rows.matchingIds(half),
      rows.query("SELECT count(*)::INTEGER FROM t"),
    ]);

    assertEquals([up.length, down.length, low.length, count], [50_000, 50_000, 25_000, 50_000]);
    assertEquals(down, up.toReversed());
  });
});

Deno.test("a range that is drawn finds the rows of its bins: of fractions, far from zero, of whole numbers", async () => {
  const columns = {
    fractions: "(i % 59) / 2",
    dates: "2013.9166 + (i * 37 % 1000) * 0.0028217",
    days: "2457388.25 + i % 360",
    seconds: "1.7e9::DOUBLE + (i % 1000) / 7",
    tiny: "(i % 100) * 1e-12",
    one: "0.1",
  };
  const select = Object.entries(columns).map(([name, sql]) => `(${sql})::DOUBLE AS ${name}`);
  await withFile(`SELECT ${select}, i % 100 AS whole FROM range(0, 3000) r(i)`, async (path) => {
    await using table = await LiveTable.open({ files: await describeFiles([path]), origin: FILES });
    for (const [column, { name, kind }] of table.columns.entries()) {
      const range = readRange({ ...await table.distribution(column, []) });
      assert(range !== undefined);
      const countOf = async (low: number, high: number) => {
        const { rule } = readFilter(rangeText(range, { kind }, low, high), kind);
        return await table.countOf([{ column, ...rule } as LiveFilter]);
      };
      const last = range.all.length - 1;
      assertEquals(await countOf(0, last), 3000, name);
      for (const [bin, count] of range.all.entries()) {
        // A value on the edge of two bins is in the ranges of both.
        const next = name === "fractions" || name === "tiny" ? range.all[bin + 1] ?? 0 : 0;
        const found = await countOf(bin, bin);
        assert(found >= count && found <= count + next, `${name}: ${count} in bin ${bin}, ${found} found`);
      }
    }
  });
});

Deno.test("a table sees its own files, and nothing else", async () => {
  await withFile("SELECT 1 AS n", async (path) => {
    await writeParquet(`${path}.other`, "SELECT 2 AS n");
    await using rows = await ParquetRows.open({ files: await describeFiles([path]), origin: FILES });

    assertEquals(await rows.query("SELECT n FROM t"), [[1]]);
    for (
      const sql of [
        `FROM '${path}.other'`,
        `FROM read_text('${path}.other')`,
        `COPY t TO '${path}'`,
        "FROM read_csv('/etc/passwd')",
        "INSTALL httpfs",
        "SET enable_external_access = true",
        `SET allowed_paths = ['${path}.other']`,
      ]
    ) {
      await assertRejects(() => rows.query(sql), Error, "", sql);
    }
  });
});

Deno.test("a file that was written anew is never mixed with what was read before", async () => {
  await withFile("SELECT i FROM range(0, 100) r(i)", async (path) => {
    const files = await describeFiles([path]);
    await using table = await LiveTable.open({ files, origin: FILES });
    const question = { op: "rows", offset: 0, limit: 1, columns: [0], sort: null, filters: [] } as const;
    assertEquals(await table.answer(question), { ids: [0], rows: [[0]] });
    await writeParquet(path, "SELECT i + 7 AS i FROM range(0, 99) r(i)");

    await assertRejects(() => table.answer(question), ChangedFileError, "open it anew");
    await assertRejects(() => LiveTable.open({ files, origin: FILES }), ChangedFileError);
    await Deno.remove(path);
    await assertRejects(() => table.answer(question), ChangedFileError, "removed");
  });
});

Deno.test("2,000 columns, and cells of a million characters of which a page gets the beginning", async () => {
  const columns = Array.from({ length: 2000 }, (_, index) => `${index} AS "column ${index}"`).join();
  await withFile(`SELECT ${columns}, repeat('é', 500000) AS long`, async (path) => {
    await using table = await LiveTable.open({ files: await describeFiles([path]), origin: FILES });
    const { rows } = await table.rows({ offset: 0, limit: 5, columns: [1999, 2000], sort: null, filters: [] });
    const record = await table.record(0);

    assertEquals(rows, [[1999, ["é".repeat(180), 500_000]]]);
    assertEquals(record.length, 2001);
    assertEquals(record[2000], ["é".repeat(20_000), 500_000]);
  });
});

Deno.test("a column that is called as DuckDB counts rows is refused, and says what to do", async () => {
  await withFile("SELECT 1 AS File_Row_Number", async (path) => {
    const files = await describeFiles([path]);

    await assertRejects(() => LiveTable.open({ files, origin: FILES }), TypeError, "give the frame");
  });
});

Deno.test("what does not fit into memory goes to the spill folder, and stays right", async () => {
  await withFile("SELECT md5(i::VARCHAR) || repeat('x', 30) AS word FROM range(0, 1500000) r(i)", async (path) => {
    await inFolder(async (spill) => {
      await using table = await LiveTable.open({ files: await describeFiles([path]), origin: FILES }, {
        memory: 150e6,
        spill,
      });
      const order = { sort: { column: 0, descending: false }, filters: [] };
      await table.answer({ op: "settle", ...order });
      const { rows } = await table.rows({ offset: 700_000, limit: 2, columns: [0], ...order });

      assert(String(rows[0][0]) < String(rows[1][0]));
    });
  });
});

Deno.test("questions that are none are refused before anything is read", () => {
  const columns = [{ kind: "number" }, { kind: "text" }, { kind: "date" }] as const;
  const rows = { op: "rows", offset: 0, limit: 10, columns: [0] };
  for (
    const hostile of [
      null,
      { op: "sql", text: "DROP TABLE t" },
      { ...rows, limit: 1e6 },
      { ...rows, offset: -1 },
      { ...rows, offset: "0; DROP TABLE t" },
      { ...rows, columns: [3] },
      { ...rows, columns: ["0"] },
      { ...rows, columns: Array(1000).fill(0) },
      { ...rows, sort: { column: 1.5 } },
      { ...rows, filters: "x" },
      { ...rows, filters: [{ column: 0, kind: "range", min: "1); DROP TABLE t; --" }] },
      { ...rows, filters: [{ column: 0, kind: "range", min: 1 }] },
      { ...rows, filters: [{ column: 1, kind: "range", min: "1" }] },
      { ...rows, filters: [{ column: 2, kind: "range", min: "2016-02-30" }] },
      { ...rows, filters: [{ column: 2, kind: "range", min: "2016-13" }] },
      { ...rows, filters: [{ column: 1, kind: "holds", text: "x".repeat(20_000) }] },
      { ...rows, filters: [{ column: 1, kind: "sql", text: "1" }] },
      { op: "record", id: NaN },
    ]
  ) {
    assertThrows(() => readQuestion(hostile, columns), TypeError, "Cannot answer a question", Deno.inspect(hostile));
  }
  assertEquals(readQuestion({ ...rows, filters: [{ column: 2, kind: "range", min: "2016-02-29", x: 1 }] }, columns), {
    ...rows,
    op: "rows",
    sort: null,
    filters: [{ column: 2, kind: "range", min: "2016-02-29", above: false }],
  });
});

Deno.test("a table that is closed under its questions ends them, and answers no more", async () => {
  await withFile("SELECT i, md5(i::VARCHAR) AS word FROM range(0, 300000) r(i)", async (path) => {
    const table = await LiveTable.open({ files: await describeFiles([path]), origin: FILES });
    const order = { sort: { column: 1, descending: false }, filters: [] };
    const rows = { op: "rows", offset: 0, limit: 10, columns: [0, 1], sort: null, filters: [] } as const;
    const asked = [table.answer({ op: "settle", ...order }), table.answer(rows), table.distribution(0, [])];
    asked.forEach((answer) => answer.catch(() => {}));
    await table[Symbol.asyncDispose]();

    await Promise.allSettled(asked);
    await assertRejects(() => table.answer({ ...rows, offset: 5 }), TypeError, "it is closed");
  });
});

Deno.test("columns whose names differ in case alone show their own values, under their own names", async () => {
  const pl = (await import("nodejs-polars")).default;
  await withFile("SELECT 1 AS n", async (path) => {
    pl.DataFrame([
      pl.Series("hosts", [["bat"], ["cat", "dog"]]),
      pl.Series("Country", ["Kenya", "Peru"]),
      pl.Series("country", ["x", "y"]),
    ]).writeParquet(path);
    const files = await describeFiles([path]);
    for (const origin of [FILES, { kind: "lake", lake: "/lake", table: "t" } as const]) {
      await using table = await LiveTable.open({ files, origin });
      const filters = [{ column: 2, kind: "is", text: "y" }] as const;
      const { rows } = await table.rows({ offset: 0, limit: 5, columns: [1, 2], sort: null, filters });

      assertEquals(table.columns.map(({ name }) => name), ["hosts", "Country", "country"]);
      assertEquals(rows, [["Peru", "y"]]);
      const { sql } = table.code({ shown: [1, 2], filters, sort: null });
      assertEquals(sql.includes('"country_2" ='), origin.kind === "lake", sql);
    }
  });
});
