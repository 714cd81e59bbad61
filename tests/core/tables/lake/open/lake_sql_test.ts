/** SQL on a lake reads, and does nothing else. */
import { assertEquals, assertRejects } from "@std/assert";
import { buildLake, openLake } from "../../../../../src/core/tables/mod.ts";
import { exactRows } from "../../_frames.ts";
import { accession, DEFINITIONS, inFolder, namesIn, writeGzip } from "../../_lake_files.ts";

Deno.test("sql() reads the tables, with bound values, and nothing else", async (t) => {
  await inFolder(async (folder) => {
    const secret = `${folder}/secret.csv`;
    await Deno.writeTextFile(secret, "a\n1\n");
    const odd = `${folder}/la'ke [1] *`;
    await writeGzip(
      `${folder}/a.csv.gz`,
      `Registry Accession,Whole,Hosts\n${accession(1)},9007199254740993,a;b\nx,,\n`,
    );
    await buildLake(`${folder}/a.csv.gz`, odd, { definitions: DEFINITIONS });
    await using lake = await openLake(odd);
    await t.step("values of every type", async () => {
      const frame = await lake.sql(
        `SELECT *, sum("Whole") OVER () AS total, DATE '2020-02-03' AS day, 1.5 AS half, true AS yes FROM a WHERE "Whole" > ?`,
        [5],
      );
      assertEquals(exactRows(frame), [{
        "Registry Accession": accession(1),
        Whole: "9007199254740993",
        Hosts: ["a", "b"],
        total: "9007199254740993",
        day: "2020-02-03",
        half: 1.5,
        yes: true,
      }]);
    });
    await t.step("lists of other than texts are JSON", async () => {
      const frame = await lake.sql(
        "SELECT [1.5, 2] AS halves, [1, 2] AS whole, ['null', NULL] AS texts, ['null'] AS full",
      );
      assertEquals(exactRows(frame), [{ halves: "[1.5,2]", whole: "[1,2]", texts: '["null",null]', full: ["null"] }]);
    });
    await t.step("named values; the main table is lake", async () => {
      const frame = await lake.sql(`SELECT count(*) AS n FROM lake WHERE "Registry Accession" = $id`, { id: "x" });
      assertEquals(frame.toRecords(), [{ n: 1 }]);
    });
    await t.step("values keep their type, and one that SQL has no type for is refused", async () => {
      const kept: [value: string | number | bigint | boolean | null, text: string | null][] = [
        [2 ** 31, "2147483648"],
        [-(2 ** 63), "-9.223372036854776e+18"],
        [1e20, "1e+20"],
        [9007199254740993n, "9007199254740993"],
        [2n ** 127n - 1n, "170141183460469231731687303715884105727"],
        ["é\0'", "é\0'"],
        [false, "false"],
        [null, null],
      ];
      for (const [value, text] of kept) {
        assertEquals((await lake.sql("SELECT CAST(? AS VARCHAR) AS text", [value])).toRecords(), [{ text }]);
      }
      const refused: [text: string, parameters: unknown, says: string][] = [
        [
          "SELECT ?",
          [new Date(0)],
          "parameter 1: expected a text, number, bigint, boolean or null, not Date; write a day",
        ],
        ["SELECT ?, ?", [1, undefined], "parameter 2: expected a text, number, bigint, boolean or null, not undefined"],
        ["SELECT $a", { a: [1] }, "parameter a: expected a text, number, bigint, boolean or null, not Array"],
        ["SELECT ?", [2n ** 127n], "exceeds the 128 bits"],
        ["SELECT ?", [-(2n ** 128n)], "exceeds the 128 bits"],
        ["SELECT ?", ["\ud800"], "not valid Unicode"],
        ["SELECT $a, $b", { a: 1, c: 2 }, "parameter c: the SQL has $a, $b"],
        ["SELECT ?", { a: 1 }, "parameter a: the SQL has $1; values of ? are a list"],
        ["SELECT ?", null, "expected a list of values, or an object of values by name"],
        ["SELECT ?", "x", "expected a list of values, or an object of values by name"],
      ];
      for (const [text, parameters, says] of refused) {
        const error = await assertRejects(() => Reflect.apply(lake.sql, lake, [text, parameters]));
        assertEquals([(error as Error).message.includes(says), String(error)], [true, String(error)]);
      }
    });
    await t.step("a result without rows has its columns all the same", async () => {
      const frame = await lake.sql(`SELECT "Registry Accession", "Whole" FROM lake WHERE "Whole" < 0`);
      assertEquals([frame.height, frame.columns], [0, ["Registry Accession", "Whole"]]);
    });
    await t.step("a table that is not there is answered with those that are", async () => {
      const error = await assertRejects(() => lake.sql("SELECT * FROM laek"), TypeError, 'The tables are "lake", ');
      assertEquals(error.message.includes("pg_"), false);
    });
    const refused = [
      `SELECT * FROM read_csv('${secret}')`,
      `SELECT * FROM '${secret}'`,
      `COPY a TO '${odd}/stolen.csv'`,
      `COPY a TO '${secret}'`,
      `EXPLAIN ANALYZE COPY a TO '${odd}/stolen.csv'`,
      `/* SELECT */ explain (analyze) copy (SELECT 1) to '${odd}/a/part-00000.parquet'`,
      `EXPLAIN ANALYZE CREATE TABLE t AS SELECT 1`,
      `EXPLAIN ANALYZE EXPLAIN ANALYZE COPY a TO '${odd}/stolen.csv'`,
      `EXPORT DATABASE '${odd}/stolen'`,
      `/* /* */ SELECT */ EXPORT DATABASE '${odd}/stolen'`,
      "CREATE TABLE t AS SELECT 1",
      "DROP VIEW a",
      `ATTACH '${folder}/x.db'`,
      "INSTALL httpfs",
      "SET threads = 1",
      "SET enable_external_access = true",
      "SELECT 1; SELECT 2",
      "PIVOT a ON Hosts USING count(*)",
      "SELECT * FROM (PIVOT a ON Hosts USING count(*))",
      "SELEC 1",
      "",
      `SELECT * FROM read_text('/etc/hostname')`,
    ];
    const filesOf = () =>
      Array.fromAsync(Deno.readDir(odd), async ({ name }) => [name, (await Deno.stat(`${odd}/${name}`)).mtime]);
    const before = await filesOf();
    for (const text of refused) {
      await t.step(`refused: ${text.replaceAll(folder, "…")}`, async () => {
        await assertRejects(() => lake.sql(text), TypeError, "Cannot run the SQL");
        assertEquals(await filesOf(), before);
      });
    }
    const reading = {
      "EXPLAIN SELECT 1": 1,
      "explain (analyze, format json) (select 1)": 1,
      "EXPLAIN (SELECT 1)": 1,
      "-- a count\n/* of */ FROM a": 2,
      "(SELECT 1) UNION ALL (SELECT 2)": 2,
      "WITH x AS (SELECT 1) SELECT * FROM x": 1,
      "DESCRIBE a": 3,
      "PIVOT a ON Whole IN (1) USING count(*)": 2,
      "UNPIVOT (SELECT 1 x, 2 y) ON x, y": 2,
    };
    for (const [text, height] of Object.entries(reading)) {
      await t.step(`read: ${text}`, async () => assertEquals((await lake.sql(text)).height, height));
    }
    await t.step("a PIVOT that finds its columns says how to name them", async () => {
      await assertRejects(() => lake.sql("PIVOT a ON Hosts USING count(*)"), TypeError, "ON column IN (");
    });
    await t.step("columns of one name get others, and none of those that are there", async () => {
      const frame = await lake.sql("SELECT 1 AS a, 2 AS a, 3 AS a_1, 4 AS a, 5 AS a_1");
      assertEquals(frame.columns, ["a", "a_2", "a_1", "a_3", "a_1_1"]);
    });
    await t.step("a statement that waits for another one ends with its own signal", async () => {
      const [first, second] = [new AbortController(), new AbortController()];
      const ends: string[] = [];
      const note = ({ message }: Error) => void ends.push(message);
      const long = "SELECT count(*) FROM range(10000000) a, range(100000) b";
      const one = lake.sql(long, [], { signal: first.signal }).then(undefined, note);
      const other = lake.sql("SELECT 1 AS n", [], { signal: second.signal }).then(undefined, note);
      const timers = [[second, "second", 10], [first, "first", 3000]] as const;
      const set = timers.map(([stop, why, ms]) => setTimeout(() => stop.abort(new Error(why)), ms));
      await other;
      set.forEach(clearTimeout);
      first.abort(new Error("first"));
      await one;
      assertEquals(ends, ["second", "first"]);
    });
    await t.step("an abort ends a long statement", async () => {
      const signal = AbortSignal.timeout(50);
      await assertRejects(
        () => lake.sql("SELECT count(*) FROM range(10000000) a, range(100000) b", [], { signal }),
        DOMException,
      );
    });
    assertEquals(namesIn(odd), ["_lake", "a"]);
  });
});

Deno.test("sql() keeps decimals, microseconds and a leading U+FEFF, and adds no zone", async () => {
  await inFolder(async (folder) => {
    await writeGzip(`${folder}/a.csv.gz`, "Registry Accession,Note\nx,\uFEFFmarked\n");
    await buildLake(`${folder}/a.csv.gz`, `${folder}/lake`, { text: true });
    await using lake = await openLake(`${folder}/lake`);
    const read = async (sql: string): Promise<unknown[]> => {
      const frame = await lake.sql(`SELECT ${sql} AS v FROM lake`);
      return [frame.getColumn("v").dtype.variant, frame.toRecords()[0].v];
    };
    assertEquals(await read(`"Note"`), ["String", "\uFEFFmarked"]);
    assertEquals(await read(`['b', chr(65279) || 'c']`), ["List", ["b", "\uFEFFc"]]);
    assertEquals(await read("1.20::DECIMAL(10, 2)"), ["Float64", 1.2]);
    assertEquals(await read("12345678901234567890.12::DECIMAL(38, 2)"), ["String", "12345678901234567890.12"]);
    const moment = "2020-01-01 10:20:30.123456";
    assertEquals(await read(`'${moment}'::TIMESTAMP`), ["String", moment]);
    assertEquals(await read(`'${moment}789'::TIMESTAMP_NS`), ["String", `${moment}789`]);
    assertEquals(await read(`'${moment}Z'::TIMESTAMPTZ`), ["String", `${moment}+00`]);
    assertEquals(await read("'infinity'::TIMESTAMP"), ["String", "infinity"]);
    assertEquals(await read("'10:20:30.5'::TIME"), ["String", "10:20:30.5"]);
    assertEquals(await read("{'x': 'NaN'::DOUBLE, 'y': [1.5, '-infinity'::DOUBLE, NULL]}"), [
      "String",
      '{"x":"NaN","y":[1.5,"-Infinity",null]}',
    ]);
    assertEquals(await read(`{'t': '${moment}'::TIMESTAMP, 'd': 1.20::DECIMAL(10, 2)}`), [
      "String",
      `{"t":"${moment}","d":1.2}`,
    ]);
    assertEquals((await read("'2020-02-29'::DATE"))[0], "Date");
    assertEquals(await read("'infinity'::DATE"), ["String", "infinity"]);
  });
});

Deno.test("sql() has the values of each of the columns that differ in case alone, under a stated name", async () => {
  await inFolder(async (folder) => {
    const header = "Registry Accession,Country,country,COUNTRY,country_3";
    await writeGzip(
      `${folder}/a.csv.gz`,
      `${header}\n${accession(1)},Kenya,1,x,third\n${accession(2)},Peru,2,y,none\n`,
    );
    await buildLake(`${folder}/a.csv.gz`, `${folder}/lake`);
    await using lake = await openLake(`${folder}/lake`);

    const all = await lake.sql("FROM lake ORDER BY 1");
    assertEquals(all.columns, ["Registry Accession", "Country", "country_2", "COUNTRY_4", "country_3"]);
    assertEquals(all.rows().map(([, ...cells]) => cells.map(String)), [
      ["Kenya", "1", "x", "third"],
      ["Peru", "2", "y", "none"],
    ]);
    const some = await lake.sql("SELECT Country, COUNTRY_4 AS c FROM lake WHERE country_2 = 2 AND country = 'Peru'");
    assertEquals(some.rows(), [["Peru", "y"]]);
    assertEquals(lake.entries.map(({ code, level, ids }) => [code, level, ids]), [
      ["columns-alike", "warning", ["country", "COUNTRY"]],
    ]);
    assertEquals(lake.warnings, [
      "names of columns in a differ in case alone: country, which SQL calls country_2, COUNTRY, which SQL calls COUNTRY_4",
    ]);
    assertEquals((await lake.table()).columns.map(({ name }) => name), header.split(","));
  });
});

Deno.test("sql() has both of two tables that differ in case alone, and one build refuses them", async () => {
  await inFolder(async (folder) => {
    await Deno.mkdir(`${folder}/b`);
    const [upper, lower] = [`${folder}/A.csv.gz`, `${folder}/b/a.csv.gz`];
    await writeGzip(upper, `Registry Accession,n\n${accession(1)},1\n`);
    await writeGzip(lower, `Registry Accession,n\n${accession(2)},2\n${accession(3)},3\n`);

    const refused = await assertRejects(() => buildLake([upper, lower], `${folder}/lake`), RangeError);
    assertEquals(
      refused.message,
      `Cannot build a lake: ${upper} and ${lower} would both become the table a; name one of them alone, rename one, ` +
        "or build two lakes",
    );
    // Added one by one, where the file system tells cases apart.
    await buildLake(upper, `${folder}/lake`);
    await buildLake(lower, `${folder}/lake`);
    await using lake = await openLake(`${folder}/lake`);
    if (lake.tables.size < 2) return;

    assertEquals((await lake.sql("SELECT sum(n) FROM A")).rows(), [[1]]);
    assertEquals((await lake.sql("SELECT sum(n) FROM a_2")).rows(), [[5]]);
    assertEquals((await lake.sql("SELECT sum(n) FROM lake")).rows(), [[1]]);
    assertEquals(lake.warnings, ["names of tables differ in case alone: a, which SQL calls a_2"]);
  });
});

Deno.test("a table called Lake is what SQL calls lake", async () => {
  await inFolder(async (folder) => {
    await writeGzip(`${folder}/Lake.csv.gz`, `Registry Accession,n\n${accession(1)},1\n`);
    await buildLake(`${folder}/Lake.csv.gz`, `${folder}/lake`);
    await using lake = await openLake(`${folder}/lake`);
    assertEquals((await lake.sql("SELECT n FROM lake")).rows(), [[1]]);
  });
});
