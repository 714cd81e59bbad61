/** Holds queries in SQL to the plain reading of the grammar, over random tables and queries. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import type { DuckDBConnection } from "@duckdb/node-api";
import fc from "fast-check";
import { readBoolean, readDecimal, readInteger, splitList } from "../../../src/core/contract/values/mod.ts";
import { columnOf } from "../../../src/jupyter/live/column_sql.ts";
import { dateSql } from "../../../src/jupyter/live/date_sql.ts";
import { LiveTable } from "../../../src/jupyter/live/live_table.ts";
import { describeFiles } from "../../../src/jupyter/live/live_source.ts";
import { queryColumn } from "../../../src/jupyter/live/query_column.ts";
import { compileQuery, UntranslatedError } from "../../../src/jupyter/live/query_sql.ts";
import { CriteriaError } from "../../../src/core/query/criteria_error.ts";
import { evaluateQuery } from "../../../src/core/query/query_evaluate.ts";
import { parseQuery } from "../../../src/core/query/query_parser.ts";
import { COLUMNS, LOOKUP, query, row, TYPES } from "../../embedded/service/_random_queries.ts";
import { inFolder } from "../../_files.ts";

const SQL_TYPES = {
  string: "VARCHAR",
  integer: "BIGINT",
  float: "DOUBLE",
  date: "VARCHAR",
  list: "VARCHAR[]",
  boolean: "BOOLEAN",
};
const FIELDS = LOOKUP.fields.map(({ name, type }) =>
  queryColumn(columnOf({ sqlType: SQL_TYPES[type] }, { name, isDate: type === "date" }))
);
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** A text as a typed table holds it: as SQL, and as the text that the grammar reads. */
function typed(text: string, name: string): { readonly sql: string; readonly text: string } {
  // A text with a zero in it cannot be a literal of SQL: the statement's end would be there.
  if (text.includes("\0")) return NULL;
  switch (TYPES[name]) {
    case "integer": {
      const value = readInteger(text, "");
      return value === undefined ? NULL : { sql: String(value), text: String(value) };
    }
    case "float": {
      const value = readDecimal(text, "");
      return value === undefined ? NULL : { sql: `${quoted(String(value))}::DOUBLE`, text: String(value) };
    }
    case "boolean": {
      const value = readBoolean(text);
      return value === undefined ? NULL : { sql: String(value), text: String(value) };
    }
    case "list": {
      const items = splitList(text);
      if (items.length === 0) return NULL;
      return { sql: `[${items.map(quoted).join()}]::VARCHAR[]`, text: items.join(";") };
    }
    default:
      return text === "" ? NULL : { sql: quoted(text), text };
  }
}
const NULL = { sql: "NULL", text: "" };

async function withTable(work: (connection: DuckDBConnection) => Promise<void>): Promise<void> {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  try {
    await work(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

Deno.test("a query in SQL finds what the grammar finds, or is refused", async () => {
  await withTable(async (connection) => {
    const rows = fc.sample(row, { numRuns: 120, seed: 11 }).map((texts, place) => [
      typed(`vj${String(place).padStart(12, "0")}`, "Registry Accession"),
      ...texts.map((text, index) => typed(text, COLUMNS[index])),
    ]);
    const columns = FIELDS.map(({ column }) => `${column.sql} ${column.sqlType}`).join();
    await connection.run(`CREATE TABLE t (place INTEGER, ${columns})`);
    const lines = rows.map((cells, place) => `(${[place, ...cells.map(({ sql }) => sql)].join()})`);
    await connection.run(`INSERT INTO t VALUES ${lines.join()}`);
    const readDistinct = async (field: number) => {
      const { sql } = FIELDS[field].column;
      const where = `NOT coalesce(${dateSql(FIELDS[field].column).isPlain}, true)`;
      const found = await connection.runAndReadAll(`SELECT DISTINCT ${sql} FROM t WHERE ${where}`);
      return found.getRows().map(([text]) => String(text));
    };
    let translated = 0;
    let found = 0;
    const check = async (text: string) => {
      let node;
      try {
        node = parseQuery(text, LOOKUP);
      } catch {
        return;
      }
      let condition;
      try {
        condition = await compileQuery(text, FIELDS, readDistinct);
      } catch (error) {
        assert(error instanceof UntranslatedError, `${text}: ${error}`);
        return;
      }
      translated++;
      const answer = await connection.runAndReadAll(
        `SELECT place FROM t WHERE ${condition.sql} ORDER BY place`,
        [...condition.values],
      );
      const places = answer.getRows().map(([place]) => Number(place));
      const expected = rows.flatMap((cells, place) =>
        evaluateQuery(node, cells.map(({ text }) => text)) ? [place] : []
      );
      if (expected.length > 0 && expected.length < rows.length) found++;
      assertEquals(places, expected, text);
    };
    await fc.assert(fc.asyncProperty(query, check), { numRuns: 60 });

    assert(translated > 15 && found > 3, `hardly anything is compared: ${translated}, ${found}`);
  });
});

Deno.test("what has no exact translation says what it is", async () => {
  for (
    const [text, says] of [
      ["country:unknown", "a table keeps no word for a missing value; write -country:*"],
      ['country:""', "-country:*"],
      ["sequence_length:long", "holds values of type integer alone"],
      ["sequence_length:1?0", "the table keeps integer values, not their texts"],
      ["segmented:[a TO b]", "a range of texts"],
      ["tags:a?b", "wildcards within an element"],
      ["2013", "name a field"],
      ["country:ας", "sigma"],
    ] as const
  ) {
    await assertRejects(() => compileQuery(text, FIELDS, () => Promise.resolve([])), UntranslatedError, says, text);
  }
  await assertRejects(() => compileQuery("contry:x", FIELDS, () => Promise.resolve([])), CriteriaError, '"country"');
  const struct = queryColumn(columnOf({ sqlType: "STRUCT(a INTEGER)" }, { name: "Place" }));
  await assertRejects(() => compileQuery("place:x", [struct], () => Promise.resolve([])), UntranslatedError, "STRUCT");
});

Deno.test("NA is a segment beside HA, Namibia beside codes, and missing elsewhere", async () => {
  await inFolder(async (folder) => {
    await withTable(async (connection) => {
      const rows = "('HA', 'KE', 'NA'), ('NA', 'ZA', 'bat'), (' NA ', 'NA', 'n/a'), ('', 'PE', NULL)";
      const select = `SELECT * FROM (VALUES ${rows}) t("Segment", "Country", "Host")`;
      await connection.run(`COPY (${select}) TO '${folder}/a.parquet' (FORMAT parquet)`);
      const source = { files: await describeFiles([`${folder}/a.parquet`]), origin: { kind: "files" } as const };
      const counts = { "segment:*": 3, "-segment:*": 1, "segment:NA": 1, "country:na": 1, "country:*": 4, "host:*": 1 };
      for (const [query, count] of Object.entries(counts)) {
        await using table = await LiveTable.open({ ...source, query });
        assertEquals(table.count, count, query);
      }
    });
  });
});

Deno.test("a table of a query has that query's rows alone: counted, ordered, filtered, distributed, as code", async () => {
  await inFolder(async (folder) => {
    await withTable(async (connection) => {
      const select = "SELECT i, ['Kenya', 'Peru'][1 + i % 2] AS \"Country\", i % 3 AS n FROM range(0, 3000) r(i)";
      await connection.run(`COPY (${select}) TO '${folder}/a.parquet' (FORMAT parquet)`);
      const source = { files: await describeFiles([`${folder}/a.parquet`]), origin: { kind: "files" } as const };
      await using table = await LiveTable.open({ ...source, query: "country:kenya i:<2000" });
      const rows = { op: "rows", offset: 0, limit: 2, columns: [0, 1] } as const;
      const sort = { column: 0, descending: true };
      const filters = [{ column: 2, kind: "range", min: "1", max: "1" } as const];

      assertEquals(table.count, 1000);
      assertEquals((await table.rows({ ...rows, sort: null, filters: [] })).ids, [0, 2]);
      assertEquals((await table.rows({ ...rows, sort, filters: [] })).ids, [1998, 1996]);
      assertEquals((await table.rows({ ...rows, offset: 998, sort, filters: [] })).ids, [2, 0]);
      assertEquals((await table.rows({ ...rows, offset: 331, limit: 400, sort, filters })).ids, [10, 4]);
      assertEquals(await table.countOf(filters), 333);
      assertEquals(await table.distribution(1, filters), {
        kind: "values",
        values: ["Kenya"],
        all: [1000],
        matching: [333],
      });
      const { sql } = table.code({ shown: [0], filters, sort });
      assertEquals((await connection.runAndReadAll(sql)).currentRowCount, 333);
    });
  });
});
