import { assert, assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import * as fc from "fast-check";
import pl from "nodejs-polars";
import { gzipSync } from "node:zlib";
import { ParseError, RegistryError } from "../../src/errors.ts";
import { csvRow } from "../../src/io/csv_text.ts";
import { GzipError } from "../../src/io/gunzip.ts";
import { sha256 } from "../../src/io/sha256.ts";
import type { FieldDefinition, FieldType } from "../../src/spec/metadata.ts";
import { TOOLKIT } from "../../src/spec/version.ts";
import { isPlain } from "../../src/tables/_odd_cells.ts";
import { RowChecker } from "../../src/tables/_row_checker.ts";
import { buildLake, type LakeTable, openLake, tableFromCsv } from "../../src/tables/mod.ts";
import { assertFramesEqual, bytesOf, exactRows } from "./_frames.ts";
import { inFolder, namesIn, writeGzip } from "./_lake_files.ts";

const define = (name: string, type: FieldType, unit = ""): FieldDefinition => ({
  name,
  alias: name.toLowerCase(),
  type,
  unit,
  description: "",
  example: "",
});
const DEFINITIONS = [
  define("Whole", "integer"),
  define("Years", "integer", "years"),
  define("Share", "float", "%"),
  define("Flag", "boolean"),
  define("Day", "date"),
  define("Hosts", "list"),
  define("Note", "string"),
];
const HEADER = ["Registry Accession", ...DEFINITIONS.map(({ name }) => name)];
const accession = (number: number) => `vj${String(number).padStart(12, "0")}`;

/** Builds a lake of one CSV and reads its table back. */
async function throughLake(
  csv: string,
  dates: "text" | "columns",
  check: (table: LakeTable, folder: string) => Promise<void>,
): Promise<void> {
  await inFolder(async (folder) => {
    await writeGzip(`${folder}/a.csv.gz`, csv);
    await buildLake(`${folder}/a.csv.gz`, `${folder}/lake`, { definitions: DEFINITIONS, dates });
    await using lake = await openLake(`${folder}/lake`);
    await check(await lake.table(), folder);
  });
}

const VALUES = [
  ...["", "1", "-5", "+7", "007", "12.0", "12.", "12.5", " 12 ", "\t3\n", "1e3", "1E-2", ".5", "5.", "1_000", "1,000"],
  ...[
    "9007199254740993",
    "-9223372036854775808",
    "9223372036854775808",
    "1e999",
    "-0",
    "NaN",
    "inf",
    "0x10",
    "\u00a07",
  ],
  ...["37 years", "37years", "37 Years", "37.0 years", "years", "43.5 %", "43.5%", "% 4", "1e2 %", "12%%", "١٢"],
  ...["true", "TRUE", "tRuE", "f", "no", "Y", " yes ", "0", "maybe", "yeſ"],
  ...["2013", "2013-12", "2013-12-XX", "2013-XX-XX", "2013-00-00", "2012-02", "2012-02-29", "2013-02-29", "1900-02"],
  ...[
    "2000-02-XX",
    "0000",
    "0000-01-01",
    "2013-04-31",
    "2013-1-1",
    "2020-03-05T10:30:00Z",
    "XXXX",
    " 2013 ",
    "2400-02-29",
  ],
  ...["a;b", " a ; ; b;", ";", ";;x;;", "one", 'q"uote', "line\nbreak", "comma, here", "a\rb", "\0", "é🦠"],
];

Deno.test("a lake types every value as the rules in TypeScript do", async () => {
  const rows = VALUES.map((value, index) => [accession(index), ...DEFINITIONS.map(() => value)]);
  const csv = [HEADER, ...rows].map((row) => `${csvRow(row)}\n`).join("");
  const expected = await tableFromCsv(bytesOf(csv), { definitions: DEFINITIONS, dates: "columns" });
  await throughLake(csv, "columns", async (table) => {
    assertFramesEqual(await table.frame(), await expected.frame());
    const misfits = (problems: LakeTable["problems"]) => problems.filter(({ reason }) => !reason.includes("NUL"));
    assertEquals(misfits(table.problems), misfits(expected.problems));
    assertEquals(table.ledger.received, expected.ledger.received);
    assertEquals(table.ledger.warnings, expected.ledger.warnings);
    assertEquals(table.columns, expected.columns);
  });
});

Deno.test("a lake and a table in memory agree on any values", async () => {
  const letters = fc.constantFrom(...'0123456789.+-eE %yearsXx:TZ;, \n\t"tfn'.split(""));
  const value = fc.oneof(fc.constantFrom(...VALUES), fc.string({ unit: letters, maxLength: 12 }));
  const row = fc.array(value, { minLength: DEFINITIONS.length, maxLength: DEFINITIONS.length });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 30 }), async (cells) => {
      const rows = cells.map((values, index) => [accession(index), ...values]);
      const csv = [HEADER, ...rows].map((row) => `${csvRow(row)}\n`).join("");
      const expected = await tableFromCsv(bytesOf(csv), { definitions: DEFINITIONS, dates: "columns" });
      await throughLake(csv, "columns", async (table) => {
        assertFramesEqual(await table.frame(), await expected.frame());
        assertEquals(
          table.problems.filter(({ line }) => line === undefined).length,
          expected.problems.filter(({ line }) => line === undefined).length,
        );
      });
    }),
    { numRuns: 25 },
  );
});

Deno.test("a lake gives back the text of every number, boolean and date as it came", async () => {
  const rows = VALUES.map((value, index) => [accession(index), ...DEFINITIONS.map(() => value)]);
  const csv = [HEADER, ...rows].map((row) => `${csvRow(row)}\n`).join("");
  const expected = await tableFromCsv(bytesOf(csv), { definitions: DEFINITIONS });
  await throughLake(csv, "text", async (table) => {
    const raw = (await table.rawFrame()).drop("Hosts");
    assertFramesEqual(raw, (await expected.rawFrame()).drop("Hosts"));
  });
});

Deno.test("what the row kernel takes for plain is what the rules in TypeScript take for plain", () => {
  const types = ["integer", "float", "boolean", "date"] as const;
  const letters = fc.constantFrom(..."0000123459.--e+truefalseTZ ".split(""));
  const date = fc.tuple(
    fc.integer({ min: 0, max: 9999 }),
    fc.integer({ min: 0, max: 13 }),
    fc.integer({ min: 0, max: 32 }),
  )
    .map(([year, ...rest]) =>
      [String(year).padStart(4, "0"), ...rest.map((n) => String(n).padStart(2, "0"))].join("-")
    );
  const value = fc.oneof(
    fc.constantFrom(...VALUES.filter((text) => !/[,"\n\r\0]/.test(text))),
    fc.string({ unit: letters, maxLength: 20 }),
    fc.double({ noNaN: true }).map(String),
    fc.tuple(date, fc.integer({ min: 1, max: 10 })).map(([text, length]) => text.slice(0, length)),
  ).filter((text) => text !== "");
  const check = (value: string, first: string) => {
    for (const [index, type] of types.entries()) {
      const odd: string[] = [];
      const checker = new RowChecker({
        onHeader: () => [0, index + 1, 0],
        onRows: () => {},
        onOddCell: (_column, _row, text) => (odd.push(text), text),
        onProblem: () => {},
      }, "test");
      checker.push(bytesOf(`a,b,c\n${first},${value},z\n`));
      checker.finish();
      assertEquals(odd, isPlain(value, type) ? [] : [value], `${type} ${value}`);
    }
  };
  fc.assert(fc.property(value, fc.string({ unit: fc.constantFrom("x", "é", '"x,"'), maxLength: 1 }), check), {
    numRuns: 500,
  });
});

Deno.test("the row kernel sees every odd cell of a row, however its columns are mixed", () => {
  const cell = fc.oneof(
    fc.constantFrom("", "0", "7", "42", "007", "x", "-3", "+3", "123456789012345678", "1234567890123456789", "text"),
    fc.integer().map(String),
    fc.bigInt({ min: 0n, max: 10n ** 20n }).map(String),
  );
  const column = fc.record({
    kind: fc.constantFrom(0, 0, 1, 1, 1, 1, 2),
    quoted: fc.constantFrom(false, false, false, true),
  });
  const columns = fc.array(column, { minLength: 2, maxLength: 40 });
  const width = (list: readonly unknown[]) => ({ minLength: list.length, maxLength: list.length });
  const table = columns.chain((list) =>
    fc.tuple(fc.constant(list), fc.array(fc.array(cell, width(list)), { minLength: 1, maxLength: 4 }))
  );
  fc.assert(
    fc.property(table, ([list, rows]) => {
      const odd: string[] = [];
      const written: string[] = [];
      const checker = new RowChecker({
        onHeader: () => list.map(({ kind }) => kind),
        onRows: (bytes) => void written.push(new TextDecoder().decode(bytes)),
        onOddCell: (column, row, text) => (odd.push(`${row} ${column} ${text}`), `(${text})`),
        onProblem: () => {},
      }, "test");
      const write = (change: (text: string, column: number) => string) =>
        rows.map((row) => `${row.map(change).join(",")}\n`).join("");
      const isOdd = (text: string, column: number) =>
        text !== "" &&
        (list[column].kind === 1 && !isPlain(text, "integer") || list[column].kind === 2 && !isPlain(text, "float"));
      // A quoted text in a typed column is odd even if it is plain within its quotes.
      const isQuoted = (text: string, column: number) => list[column].quoted && text !== "";
      const isTaken = (text: string, column: number) =>
        isOdd(text, column) || list[column].kind !== 0 && isQuoted(text, column);
      checker.push(bytesOf(`${list.map((_, index) => `c${index}`).join(",")}\n`));
      checker.push(bytesOf(write((text, column) => isQuoted(text, column) ? `"${text}"` : text)));
      checker.finish();
      const expected = rows.flatMap((row, index) =>
        row.flatMap((text, column) => isTaken(text, column) ? [`${index + 1} ${column} ${text}`] : [])
      );
      assertEquals(odd, expected);
      const kept = (text: string, column: number) => isQuoted(text, column) ? `"${text}"` : text;
      assertEquals(
        written.join(""),
        write((text, column) => isTaken(text, column) ? `(${text})` : kept(text, column)),
      );
    }),
    { numRuns: 300 },
  );
});

Deno.test("a lake's manifest says what it is made of", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/registryv1_full_dataset_metadata.csv.gz`;
    await writeGzip(path, `Registry Accession,Whole\n${accession(1)},1\n${accession(1)},x\nragged\n`);
    const [{ manifest, files, reused }] = await buildLake(folder, `${folder}/lake`, { definitions: DEFINITIONS });
    assertEquals(manifest.table, "full_dataset_metadata");
    assertEquals(manifest.toolkit, TOOLKIT);
    assertEquals(manifest.source, {
      archive: "registryv1_full_dataset_metadata.csv.gz",
      sha256: await sha256(path),
      bytes: (await Deno.stat(path)).size,
    });
    assertEquals([manifest.rows, manifest.unique, manifest.unparsed], [2, 1, 1]);
    assertEquals(manifest.columns, [
      { name: "Registry Accession", field: "Registry Accession", type: "string", dtype: "String" },
      { name: "Whole", field: "Whole", type: "integer", dtype: "Int64" },
    ]);
    assertEquals(manifest.raw.map(({ name, rows }) => [name, rows]), [["raw-00000.parquet", 1]]);
    assertEquals(manifest.definitions, [DEFINITIONS[0]]);
    assertEquals(manifest.misfits, { Whole: 1 });
    assertEquals(manifest.problems[0].line, 4);
    assertEquals(reused, false);
    assertEquals(files, [`${folder}/lake/full_dataset_metadata/part-00000.parquet`]);
    assertEquals(namesIn(`${folder}/lake`), ["full_dataset_metadata"]);
    assertEquals(namesIn(`${folder}/lake/full_dataset_metadata`), [
      "manifest.json",
      "part-00000.parquet",
      "raw-00000.parquet",
    ]);
    await using lake = await openLake(`${folder}/lake`);
    const { ledger } = await lake.table();
    assertEquals([ledger.complete, ledger.reasons], [false, ["1 rows could not be read".replace("rows", "row")]]);
    assertEquals(ledger.duplicate, 1);
  });
});

Deno.test("Parquet of a lake and of an export holds plain strings to every reader", async () => {
  await inFolder(async (folder) => {
    const csv = `Registry Accession,Whole,Day,Hosts\n${accession(1)},1,2020,"ARROW:schema;b"\n`;
    await writeGzip(`${folder}/a.csv.gz`, csv);
    const [{ files }] = await buildLake(`${folder}/a.csv.gz`, folder, { definitions: DEFINITIONS, dates: "columns" });
    await using lake = await openLake(folder);
    const table = await lake.table();
    await table.toParquet(`${folder}/export.parquet`);
    for (const file of [...files, `${folder}/export.parquet`]) {
      // polars's own schema, in which texts are views, would stand in the file's keys and values.
      assertEquals((await lake.sql(`SELECT key FROM parquet_kv_metadata('${file}')`)).height, 0);
      assertFramesEqual(await pl.scanParquet(file).collect(), await table.frame());
    }
  });
});

Deno.test("a lake is built once for an archive, and anew when archive, definitions or dates change", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/a.csv.gz`;
    const build = async (options = {}) =>
      (await buildLake(path, `${folder}/lake`, { definitions: DEFINITIONS, ...options }))[0];
    await writeGzip(path, "Registry Accession,Whole\nx,1\n");
    assertEquals((await build()).reused, false);
    assertEquals((await build()).reused, true);
    assertEquals((await build({ dates: "columns" })).reused, false);
    assertEquals((await build({ dates: "columns", definitions: [] })).reused, false);
    assertEquals((await build()).reused, false);
    await writeGzip(path, "Registry Accession,Whole\nx,2\n");
    const changed = await build();
    assertEquals([changed.reused, changed.manifest.rows], [false, 1]);
    await using lake = await openLake(`${folder}/lake`);
    assertEquals((await lake.scan().collect()).toRecords(), [{ "Registry Accession": "x", Whole: 2 }]);
    await Deno.writeTextFile(changed.files[0], "damaged");
    assertEquals((await build()).reused, false);
  });
});

Deno.test("buildLake() refuses damaged archives and leaves nothing, or what was there before", async (t) => {
  const good = `Registry Accession,Whole\n${accession(1)},1\n`;
  const whole = new Uint8Array(gzipSync(good.repeat(1) + `${accession(2)},2\n`.repeat(10_000)));
  const flipped = whole.slice();
  flipped[whole.length >> 1] ^= 0xff;
  const faults: Record<string, [bytes: Uint8Array, type: abstract new (...args: never[]) => Error]> = {
    "truncated": [whole.subarray(0, whole.length - 20), GzipError],
    "a flipped byte": [flipped, GzipError],
    "an HTML page": [bytesOf("<!doctype html><title>no</title>"), ParseError],
    "empty": [bytesOf(""), ParseError],
    "an open quote": [bytesOf(`${good}${accession(2)},"2\n`), ParseError],
    "text after a quote": [bytesOf(`${good}"${accession(2)}"x,2\n`), ParseError],
    "not UTF-8": [Uint8Array.of(...bytesOf(good), 0xff, 0x2c, 0x31, 0x0a), ParseError],
    "two columns of one name": [bytesOf("a,a\n1,2\n"), ParseError],
    "no header": [bytesOf(`${accession(1)},1\n`), ParseError],
  };
  for (const [fault, [bytes, type]] of Object.entries(faults)) {
    await t.step(fault, () =>
      inFolder(async (folder) => {
        await Deno.writeFile(`${folder}/a.csv.gz`, bytes);
        const error = await assertRejects(() => buildLake(`${folder}/a.csv.gz`, `${folder}/lake`));
        assert(error instanceof type, String(error));
        assertEquals(namesIn(`${folder}/lake`), []);
        await writeGzip(`${folder}/a.csv.gz`, good);
        await buildLake(`${folder}/a.csv.gz`, `${folder}/lake`);
        await Deno.writeFile(`${folder}/a.csv.gz`, bytes);
        await assertRejects(() => buildLake(`${folder}/a.csv.gz`, `${folder}/lake`));
        await using lake = await openLake(`${folder}/lake`);
        assertEquals(lake.tables.get("a")?.rows, 1);
        assertEquals(namesIn(`${folder}/lake`), ["a"]);
      }));
  }
});

Deno.test("several builders of one table leave one whole table", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/a.csv.gz`;
    await writeGzip(path, `Registry Accession,Whole\n${"x,1\n".repeat(1000)}`);
    const built = await Promise.all(Array.from({ length: 8 }, () => buildLake(path, `${folder}/lake`)));
    assertEquals(built.flat().map(({ manifest }) => manifest.rows), new Array(8).fill(1000));
    assertEquals(namesIn(`${folder}/lake`), ["a"]);
    await using lake = await openLake(`${folder}/lake`);
    assertEquals((await lake.scan().collect()).height, 1000);
  });
});

Deno.test("names that a lake adds give way to fields, or say so", async () => {
  await inFolder(async (folder) => {
    await writeGzip(`${folder}/a.csv.gz`, "Registry Accession,Whole,Whole (raw),Day,Day latest\nx,y,z,2013,w\n");
    const build = (dates: "text" | "columns") =>
      buildLake(`${folder}/a.csv.gz`, `${folder}/lake`, { definitions: DEFINITIONS, dates });
    await assertRejects(() => build("columns"), RangeError, 'use dates: "text"');
    assertEquals(namesIn(`${folder}/lake`), []);
    await build("text");
    await using lake = await openLake(`${folder}/lake`);
    const table = await lake.table();
    assertEquals((await table.frame()).toRecords(), [
      { "Registry Accession": "x", Whole: null, "Whole (raw)": "z", Day: "2013", "Day latest": "w" },
    ]);
    assertEquals(table.problems[0].value, "y");
  });
});

Deno.test("an archive that is not what its checksum file says becomes no lake", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/a.csv.gz`;
    await writeGzip(path, "Registry Accession,Whole\nx,1\n");
    await Deno.writeTextFile(`${folder}/a.sha256`, `${"0".repeat(64)}  a.csv.gz\n`);
    const error = await assertRejects(() => buildLake(path, `${folder}/lake`), RegistryError, "its checksum file says");
    assertEquals(error.code, "checksum");
    assertEquals(namesIn(`${folder}/lake`), []);
    await Deno.writeTextFile(`${folder}/a.sha256`, `${await sha256(path)}  a.csv.gz\n`);
    assertEquals((await buildLake(path, `${folder}/lake`)).length, 1);
    await Deno.writeTextFile(`${folder}/a.sha256`, `${"0".repeat(64)}  a.csv.gz\n`);
    await assertRejects(() => buildLake(path, `${folder}/lake`), RegistryError, "its checksum file says");
  });
});

Deno.test("rows that are odd in form are read as a table in memory reads them", async (t) => {
  const files: Record<string, string> = {
    "byte order mark": "\uFEFFRegistry Accession,Note\na,b\n",
    "CRLF": 'Registry Accession,Note\r\na,b\r\nc,"d\r\ne"\r\n',
    "no final newline": "Registry Accession,Note\na,b",
    "empty lines": "\nRegistry Accession,Note\n\na,b\n\r\n\nc,d\n",
    "quoted header": '"Registry Accession","Note"\na,b\n',
    "quoted empty cell": 'Registry Accession,Note\na,""\n"",b\n"",""\n',
    "quotes in quotes": 'Registry Accession,Note\na,"x ""y"" z"\nb,""""\nc,"""a"""\n',
    "quoted line feeds": 'Registry Accession,Note\na,"x\ny\n"\nb,c\n',
    "lone carriage return": "Registry Accession,Note\na,x\ry\n",
    "header alone": "Registry Accession,Note\n",
    "one column": "Registry Accession\na\nb\n",
  };
  for (const [oddity, csv] of Object.entries(files)) {
    await t.step(oddity, async () => {
      const expected = await tableFromCsv(bytesOf(csv));
      await throughLake(csv, "text", async (table) => {
        assertFramesEqual(await table.frame(), await expected.frame());
      });
    });
  }
  await t.step("a quote in the middle of a cell is a letter", async () => {
    await throughLake('Registry Accession,Note\na,5" long\nb,c"d"e\n', "text", async (table) => {
      assertEquals(exactRows(await table.frame()).map(({ Note }) => Note), ['5" long', 'c"d"e']);
    });
  });
});

Deno.test("rows of any form, cut into chunks anywhere, come through", () => {
  const cell = fc.string({ unit: fc.constantFrom("a", "b", '"', ",", "\n", "\r", "é", " "), maxLength: 6 });
  const rows = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 });
  fc.assert(fc.property(rows, fc.integer({ min: 1, max: 9 }), fc.boolean(), (cells, step, isQuoted) => {
    const write = (row: readonly string[]) =>
      isQuoted ? row.map((text) => `"${text.replaceAll('"', '""')}"`).join(",") : csvRow(row);
    const csv = bytesOf(["a,b,c", ...cells.map(write)].join("\n"));
    const passed: string[] = [];
    const checker = new RowChecker({
      onHeader: () => {},
      onRows: (bytes) => void passed.push(new TextDecoder().decode(bytes)),
      onProblem: () => {},
    }, "test");
    for (let at = 0; at < csv.length; at += step) checker.push(csv.slice(at, at + step));
    checker.finish();
    const kept = isQuoted ? cells : cells.filter((row) => csvRow(row) !== "");
    assertEquals(passed.join("").trimEnd().split("\n").length > 0, true);
    assertEquals(checker.rows, kept.length);
    assertEquals(checker.unparsed, 0);
  }));
});

Deno.test("a stop leaves nothing behind", async () => {
  await inFolder(async (folder) => {
    const row = `${accession(1)},${"x".repeat(500)}\n`;
    await writeGzip(`${folder}/a.csv.gz`, `Registry Accession,Note\n${row.repeat(300_000)}`);
    const control = new AbortController();
    const started = performance.now();
    let stopped = 0;
    await assertRejects(
      () =>
        buildLake(`${folder}/a.csv.gz`, `${folder}/lake`, {
          signal: control.signal,
          onProgress: ({ done, total }) => {
            if (stopped === 0 && done > total! / 2) {
              stopped = performance.now();
              control.abort(new DOMException("stop", "AbortError"));
            }
          },
        }),
      DOMException,
      "stop",
    );
    assert(stopped > started);
    assertEquals(namesIn(`${folder}/lake`), []);
  });
});

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
    await t.step("named values; the main table is lake", async () => {
      const frame = await lake.sql(`SELECT count(*) AS n FROM lake WHERE "Registry Accession" = $id`, { id: "x" });
      assertEquals(frame.toRecords(), [{ n: 1 }]);
    });
    await t.step("a result without rows has its columns all the same", async () => {
      const frame = await lake.sql(`SELECT "Registry Accession", "Whole" FROM lake WHERE "Whole" < 0`);
      assertEquals([frame.height, frame.columns], [0, ["Registry Accession", "Whole"]]);
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
    };
    for (const [text, height] of Object.entries(reading)) {
      await t.step(`read: ${text}`, async () => assertEquals((await lake.sql(text)).height, height));
    }
    await t.step("an abort ends a long statement", async () => {
      const signal = AbortSignal.timeout(50);
      await assertRejects(
        () => lake.sql("SELECT count(*) FROM range(10000000) a, range(100000) b", [], { signal }),
        DOMException,
      );
    });
    assertEquals(namesIn(odd), ["a"]);
  });
});

Deno.test("a wrong table or column says which was meant", async () => {
  await inFolder(async (folder) => {
    await writeGzip(`${folder}/a.csv.gz`, "Registry Accession,Country\nx,Kenya\n");
    await buildLake(`${folder}/a.csv.gz`, `${folder}/lake`);
    await using lake = await openLake(`${folder}/lake`);
    assertEquals(Object.keys(lake.fields), ["Registry Accession", "Country"]);
    assertEquals((await lake.scan().filter(lake.fields.Country.eq(pl.lit("Kenya"))).collect()).height, 1);
    assertThrows(() => lake.fields.Cuntry, RangeError, 'did you mean "Country"?');
    assertThrows(() => lake.column("country name"), RangeError, 'did you mean "Country"?');
    assertThrows(() => lake.scan("b"), RangeError, "did you mean a?");
    await assertRejects(() => lake.table({ columns: ["Cuntry"] }), RangeError, "Country");
    assertEquals((await (await lake.table({ columns: ["Country"] })).frame()).columns, ["Country"]);
  });
});

Deno.test("openLake() and buildLake() say what is wrong with a folder", async () => {
  await inFolder(async (folder) => {
    await assertRejects(() => openLake(`${folder}/none`), RegistryError, "no such folder");
    await assertRejects(() => openLake(folder), RegistryError, "no table is in it");
    await assertRejects(() => buildLake(folder, `${folder}/lake`), RegistryError, "none of the eight archives");
    await assertRejects(() => buildLake(`${folder}/none.csv`, `${folder}/lake`), RegistryError, "no such file");
    await Deno.mkdir(`${folder}/t`);
    for (const text of ["{", "{}", '{"lake":1,"files":[{"name":"../x.parquet","rows":1}]}']) {
      await Deno.writeTextFile(`${folder}/t/manifest.json`, text);
      const error = await assertRejects(() => openLake(folder), ParseError);
      assertStringIncludes(error.message, "build the lake again");
    }
  });
});
