/** Answers of a live table beside plain SQL over a copy of the same rows, written without the table's own code. */
import { assertEquals } from "@std/assert";
import type { DuckDBConnection } from "@duckdb/node-api";
import { drawFrom } from "../../_randoms.ts";
import type { LiveCell, LiveFilter, LiveSource } from "../../../src/jupyter/live/live_question.ts";
import { LiveTable } from "../../../src/jupyter/live/live_table.ts";
import { describeFiles } from "../../../src/jupyter/live/live_source.ts";

/** Columns with everything that is hard to show, sort or filter; the names are hostile. */
const COLUMNS: readonly { readonly name: string; readonly sql: string; readonly filters: readonly Rule[] }[] = [
  {
    name: `a"b'; DROP TABLE t; --`,
    sql: "CASE WHEN i % 7 = 0 THEN NULL ELSE (i * 37) % 50 END::BIGINT",
    filters: [
      [{ kind: "range", min: "10", max: "20" }, "# BETWEEN 10 AND 20"],
      [{ kind: "range", min: "10.5", above: true }, "# > 10.5"],
      [{ kind: "range", max: "1e1", below: true }, "# < 10"],
      [{ kind: "range", min: "7", max: "7" }, "# = 7"],
      [{ kind: "range", min: "10", max: "20", not: true }, "# < 10 OR # > 20 OR # IS NULL"],
      [{ kind: "missing" }, "# IS NULL"],
      [{ kind: "holds", text: "3" }, "CAST(# AS VARCHAR) LIKE '%3%'"],
    ],
  },
  {
    name: "double ?",
    sql:
      "CASE WHEN i % 11 = 0 THEN NULL WHEN i % 13 = 0 THEN 'NaN' WHEN i % 17 = 0 THEN '-Infinity' ELSE ((i * 31) % 100 / 8)::VARCHAR END::DOUBLE",
    filters: [
      [{ kind: "range", min: "2.5", max: "7.125" }, "# >= 2.5 AND # <= 7.125"],
      [{ kind: "range", max: "3", below: true }, "# < 3"],
      [{ kind: "present" }, "# IS NOT NULL"],
    ],
  },
  {
    name: "text 😀",
    sql:
      "(['Kenya', 'kenya ', '', '10', '9', 'O''Neil', '%_', '😀 é', 'É', '<b>', NULL, 'a' || chr(10) || 'b'])[1 + (i * 5) % 12]",
    filters: [
      [{ kind: "holds", text: "KEN" }, "# ILIKE '%ken%'"],
      [{ kind: "holds", text: "%_" }, "# = '%_'"],
      [{ kind: "holds", text: "é" }, "# IN ('😀 é', 'É')"],
      [{ kind: "is", text: "10" }, "# = '10'"],
      [{ kind: "is", text: "" }, "# = ''"],
      [{ kind: "holds", text: "KEN", not: true }, "coalesce(#, '') NOT ILIKE '%ken%'"],
      [{ kind: "holds", text: "o'n" }, "# ILIKE '%o''n%'"],
    ],
  },
  {
    name: "list, of",
    sql: "CASE WHEN i % 5 = 0 THEN NULL WHEN i % 5 = 1 THEN [] ELSE ['x' || i % 3, 'y, \"z'] END::VARCHAR[]",
    filters: [
      [{ kind: "is", text: "x1" }, "len(list_filter(#, lambda e: e = 'x1')) > 0"],
      [{ kind: "holds", text: "X2" }, "len(list_filter(#, lambda e: e ILIKE '%x2%')) > 0"],
      [{ kind: "missing" }, "# IS NULL"],
    ],
  },
  {
    name: "day",
    sql: "CASE WHEN i % 6 = 0 THEN NULL ELSE DATE '2015-11-20' + (i * 53 % 500)::INTEGER END",
    filters: [
      [{ kind: "range", min: "2016", max: "2016" }, "year(#) = 2016"],
      [{ kind: "range", min: "2016-01", max: "2016-03" }, "# BETWEEN DATE '2016-01-01' AND DATE '2016-03-31'"],
      [{ kind: "range", min: "2016-02", above: true }, "# > DATE '2016-02-29'"],
      [{ kind: "range", max: "2016-02-10" }, "# <= DATE '2016-02-10'"],
    ],
  },
  {
    name: "partial day",
    sql: "(['2013-12-XX', '2013', '2013-12-05', '2014-01', NULL, 'XX', '2014-01-09'])[1 + (i * 3) % 7]",
    filters: [
      [{ kind: "range", min: "2013-12", max: "2013-12" }, "substr(#, 1, 7) = '2013-12'"],
      [{ kind: "range", min: "2013-12-01", max: "2013-12-31" }, "substr(#, 1, 7) = '2013-12'"],
      [{ kind: "range", min: "2013-12-05", above: true }, "# IN ('2014-01', '2014-01-09', 'XX')"],
      [{ kind: "range", max: "2014-01-09", below: true }, "# IN ('2013', '2013-12-XX', '2013-12-05')"],
      [{ kind: "range", max: "2013-12-31" }, "substr(#, 1, 4) = '2013'"],
      [{ kind: "range", min: "2014" }, "substr(#, 1, 4) >= '2014'"],
      [{ kind: "holds", text: "xx" }, "# ILIKE '%xx%'"],
    ],
  },
  {
    name: "moment",
    sql: "CASE WHEN i % 9 = 0 THEN NULL ELSE TIMESTAMP '2016-02-28 22:00:00' + INTERVAL (i % 90) HOUR END",
    filters: [
      [{ kind: "range", min: "2016-02-29", max: "2016-02-29" }, "CAST(# AS DATE) = DATE '2016-02-29'"],
      [{ kind: "range", min: "2016-02-29", above: true }, "# >= TIMESTAMP '2016-03-01 00:00:00'"],
    ],
  },
  { name: "flag", sql: "i % 3 = 0", filters: [[{ kind: "is", text: "true" }, "#"]] },
  {
    name: "big",
    sql: "9007199254740993 + (i % 4)",
    filters: [[{ kind: "range", min: "9007199254740994", max: "9007199254740994" }, "# = 9007199254740994"]],
  },
  { name: "group", sql: "i % 3", filters: [[{ kind: "range", min: "1", max: "2", below: true }, "# = 1"]] },
  { name: "nothing", sql: "NULL::VARCHAR", filters: [[{ kind: "present" }, "false"]] },
  { name: "struct", sql: "{'a': i % 4, 'b': 'x'}", filters: [[{ kind: "holds", text: '"a":2' }, "#.a = 2"]] },
];

type Unplaced = LiveFilter extends infer One ? One extends unknown ? Omit<One, "column"> : never : never;

/** A filter, and the same in SQL over a column `#`. */
type Rule = readonly [filter: Unplaced, sql: string];

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** A table in several files and many row groups, beside a plain copy of it. */
export class Beside implements AsyncDisposable {
  readonly #folder: string;
  readonly #connection: DuckDBConnection;
  readonly table: LiveTable;
  readonly source: LiveSource;

  private constructor(folder: string, connection: DuckDBConnection, table: LiveTable, source: LiveSource) {
    this.#folder = folder;
    this.#connection = connection;
    this.table = table;
    this.source = source;
  }

  static async make(sizes: readonly number[] = [1500, 0, 1, 2600, 900]): Promise<Beside> {
    const { DuckDBInstance } = await import("@duckdb/node-api");
    const folder = await Deno.makeTempDir({ prefix: "seqreg live [it's] " });
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    const columns = COLUMNS.map(({ name, sql }) => `${sql} AS ${quoted(name)}`).join(", ");
    const files: string[] = [];
    let start = 0;
    for (const [index, size] of sizes.entries()) {
      files.push(`${folder}/part-${index}.parquet`);
      const path = files[index].replaceAll("'", "''");
      await connection.run(
        `COPY (SELECT ${columns} FROM range(${start}, ${start + size}) r(i) ORDER BY i) ` +
          `TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`,
      );
      start += size;
    }
    await connection.run(
      `CREATE TABLE plain AS SELECT i AS place, ${columns} FROM range(0, ${start}) r(i)`,
    );
    const described = await describeFiles(files);
    const source: LiveSource = {
      files: described,
      origin: { kind: "files" },
      columns: COLUMNS.map(({ name }) => ({ name, isDate: name === "partial day" })),
    };
    return new Beside(folder, connection, await LiveTable.open(source), source);
  }

  async plain(sql: string): Promise<unknown[][]> {
    return (await this.#connection.runAndReadAll(sql)).getRows();
  }

  /** Compares so many answers: filters, orders and depths by number, the first hundreds with every order. */
  async compare(cases: number, seed: number): Promise<void> {
    const random = drawFrom(seed);
    for (let one = 0; one < cases; one++) {
      const chosen = Array.from({ length: random(4) }, () => random(COLUMNS.length));
      const rules = [...new Set(chosen)].map((column) => {
        const [filter, sql] = COLUMNS[column].filters[random(COLUMNS[column].filters.length)];
        return { filter: { column, ...filter } as LiveFilter, sql: sql.replaceAll("#", quoted(COLUMNS[column].name)) };
      });
      const filters = rules.map(({ filter }) => filter);
      const where = rules.length === 0 ? "true" : rules.map(({ sql }) => `(${sql})`).join(" AND ");
      const by = random(COLUMNS.length + 1);
      const sort = by === COLUMNS.length ? null : { column: by, descending: random(2) === 1 };
      const direction = sort?.descending ? "DESC" : "ASC";
      const order = sort === null ? "place" : `${quoted(COLUMNS[by].name)} ${direction} NULLS LAST, place`;
      const [[counted]] = await this.plain(`SELECT count(*)::INTEGER FROM plain WHERE ${where}`);
      const count = Number(counted);
      if (random(3) === 0) await this.table.answer({ op: "settle", sort, filters });
      const offset = [0, random(count + 1), Math.max(0, count - 5), 390][random(4)];
      const says = Deno.inspect({ seed, one, filters, sort, offset }, { depth: 4 });
      assertEquals(await this.table.countOf(filters), count, says);
      const limit = 1 + random(40);
      const columns = [random(COLUMNS.length), random(COLUMNS.length)];
      const { ids, rows } = await this.table.rows({ offset, limit, columns, sort, filters });
      const names = columns.map((column) => quoted(COLUMNS[column].name)).join(", ");
      const expected = await this.plain(
        `SELECT place, ${names} FROM plain WHERE ${where} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`,
      );
      assertEquals(ids, expected.map(([place]) => Number(place)), says);
      for (const [index, [, ...values]] of expected.entries()) {
        assertEquals(rows[index].map(valueOfCell), values.map((value) => valueOf(value)), says);
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.table[Symbol.asyncDispose]();
    this.#connection.closeSync();
    await Deno.remove(this.#folder, { recursive: true });
  }
}

function valueOfCell(cell: LiveCell): string | null {
  return cell === null ? null : String(cell);
}

/** The words for a value of DuckDB's. */
function valueOf(value: unknown): string | null {
  if (value === null) return null;
  const { items, entries, days, micros } = Object(value);
  if (Array.isArray(items)) return JSON.stringify(items);
  if (entries !== undefined) {
    return JSON.stringify(entries, (_, part) => typeof part === "bigint" ? Number(part) : part);
  }
  if (typeof days === "number") return new Date(days * 86_400_000).toISOString().slice(0, 10);
  if (typeof micros === "bigint") return new Date(Number(micros / 1000n)).toISOString();
  return String(value);
}
