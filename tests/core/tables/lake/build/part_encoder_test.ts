/** What the encoder writes, polars and DuckDB read, whatever the form in which a column is laid out. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import * as fc from "fast-check";
import pl from "nodejs-polars";
import { csvRow } from "../../../../../src/core/io/csv/csv_text.ts";
import { buildLake, openLake } from "../../../../../src/core/tables/mod.ts";
import { encodeParts } from "../../../../../src/core/tables/lake/build/_encode_parts.ts";
import {
  type EncodeRequest,
  type EncodeThread,
  startEncoding,
} from "../../../../../src/core/tables/lake/build/_encode_thread.ts";
import type { Part } from "../../../../../src/core/tables/lake/build/_gather_parts.ts";
import { IdCounter } from "../../../../../src/core/tables/lake/build/_id_counter.ts";
import { PartEncoder, type PartSchema, type SeenIds } from "../../../../../src/core/tables/lake/build/_part_encoder.ts";
import { RawTexts } from "../../../../../src/core/tables/lake/build/_raw_texts.ts";
import { accession, define, inFolder, writeGzip } from "../../_lake_files.ts";
import { assertFramesEqual, bytesOf, exactRows } from "../../_frames.ts";

const TEXT: PartSchema = { columns: [{ type: "text", names: ["a"] }], idColumn: 0 };

/** A column of each form: for a row its text, `""` for none. */
const ROWS = 6000;
const FORMS: Readonly<Record<string, (row: number) => string>> = {
  "one value": () => "x",
  "no value": () => "",
  "one value, with gaps": (row) => row % 3 === 0 ? "" : "x",
  "two in long runs": (row) => row < 3000 ? "first" : "second",
  "runs and none by turns": (row) => row % 1000 < 500 ? `run ${row / 1000 | 0}` : `value ${row % 7}`,
  "300, so that places have nine bits": (row) => `value ${row * 7919 % 300}`,
  "runs of many values": (row) => `value ${row % 2000 < 1000 ? row / 2000 | 0 : row % 300 + 1000}`,
  "just distinct enough": (row) => `value ${row % 4400}`,
  "too many, seen late": (row) => row < 200 ? `value ${row % 100}` : `value ${row}`,
  "each its own": (row) => `${row * 2_654_435_761 % 4_294_967_296}`,
  "texts of every length": (row) => "é".repeat(row % 40) + "x".repeat(row % 3),
  "few, and longer than a block": (row) => row % 997 === 0 ? `${row % 2}`.repeat(9000 + row % 50) : "short",
  "quoted": (row) => row % 5 === 0 ? `a "quoted" text, ${row % 11}\r\n` : `plain ${row % 13}`,
};
const INTEGERS: Readonly<Record<string, (row: number) => string>> = {
  "few numbers": (row) => row % 4 === 0 ? "" : `${row % 50 - 25}`,
  "each its own number": (row) => `${row * 1_000_003 - 20_000_000_000}`,
  "limits": (row) => ["9223372036854775807", "-9223372036854775808", "0", "-1"][row % 4],
};
const FLOATS: Readonly<Record<string, (row: number) => string>> = {
  "hundredths": (row) => (row % 10_000 / 100).toString(),
  "each its own float": (row) => String(Math.sin(row)),
  "exponents": (row) => String((row - 3000) * 1e-300),
};
const BOOLEANS: Readonly<Record<string, (row: number) => string>> = {
  "by turns": (row) => ["true", "false", ""][row % 3],
  "true alone": () => "true",
};

Deno.test("columns of every form are read as they were written, by polars and by DuckDB", async () => {
  await inFolder(async (folder) => {
    const forms = { ...FORMS, ...INTEGERS, ...FLOATS, ...BOOLEANS };
    const names = ["Registry Accession", ...Object.keys(forms)];
    const makers = Object.values(forms);
    const lines = Array.from(
      { length: ROWS },
      (_, row) => csvRow([accession(row), ...makers.map((make) => make(row))]),
    );
    await writeGzip(`${folder}/a.csv.gz`, `${csvRow(names)}\n${lines.join("\n")}\n`);
    const definitions = [
      ...Object.keys(FORMS).map((name) => define(name, "string")),
      ...Object.keys(INTEGERS).map((name) => define(name, "integer")),
      ...Object.keys(FLOATS).map((name) => define(name, "float")),
      ...Object.keys(BOOLEANS).map((name) => define(name, "boolean")),
    ];
    const [{ manifest }] = await buildLake(`${folder}/a.csv.gz`, `${folder}/lake`, { definitions });
    assertEquals([manifest.rows, manifest.unique, manifest.misfits], [ROWS, ROWS, {}]);
    await using lake = await openLake(`${folder}/lake`);
    const frame = await lake.scan().collect();
    const typed = (name: string, text: string): unknown =>
      text === "" ? null : name in FLOATS ? Number(text) : name in BOOLEANS ? text === "true" : text;
    const sql = await lake.sql(
      `SELECT ${
        names.map((name) => name in INTEGERS ? `"${name}"::VARCHAR AS "${name}"` : `"${name}"`).join(", ")
      } FROM lake ORDER BY "Registry Accession"`,
    );
    const exact = frame.withColumns(...Object.keys(INTEGERS).map((name) => pl.col(name).cast(pl.String)));
    for (const [name, make] of Object.entries(forms)) {
      const expected = Array.from({ length: ROWS }, (_, row) => typed(name, make(row)));
      assert(same(exact.getColumn(name).toArray(), expected), `polars: ${name}`);
      assert(same(sql.getColumn(name).toArray(), expected), `DuckDB: ${name}`);
    }
  });
});

function same(actual: readonly unknown[], expected: readonly unknown[]): boolean {
  return actual.length === expected.length && actual.every((value, index) => Object.is(value, expected[index]));
}

Deno.test("a column that turns out to have too many values is written anew", () => {
  const texts = Array.from({ length: 50_000 }, (_, row) => row < 5000 ? `value ${row % 100}` : `value ${row % 40_000}`);
  const encoder = new PartEncoder({ columns: [{ type: "text", names: ["a"] }], idColumn: -1 });
  const { parquet } = encoder.encode(bytesOf(texts.map((text) => `${text}\n`).join("")), texts.length);
  assertEquals(pl.readParquet(Buffer.from(parquet)).getColumn("a").toArray().join(), texts.join());
});

Deno.test("lists of any number of items are read as they were written", async () => {
  const blank = fc.constantFrom("", " ", "\t");
  const item = fc.tuple(blank, fc.constantFrom("", "a", "b c", "é", "long".repeat(50)), blank).map((all) =>
    all.join("")
  );
  const cells = fc.array(fc.array(item, { maxLength: 6 }).map((items) => items.join(";")), {
    minLength: 1,
    maxLength: 60,
  });
  await fc.assert(
    fc.asyncProperty(cells, (lists) => {
      const csv = lists.map((text, row) => `${csvRow([accession(row), text])}\n`).join("");
      const encoder = new PartEncoder({
        columns: [{ type: "text", names: ["id"] }, { type: "list", names: ["list"] }],
        idColumn: 0,
      });
      const frame = pl.readParquet(Buffer.from(encoder.encode(bytesOf(csv), lists.length).parquet));
      const expected = lists.map((text) =>
        text === ""
          ? null
          : text.split(";").map((one) => one.replace(/^[ \t]+|[ \t]+$/g, "")).filter((one) => one !== "")
      );
      assertEquals<unknown>(frame.toRecords().map(({ list }) => list), expected);
      return Promise.resolve();
    }),
    { numRuns: 60 },
  );
});

Deno.test("the encoder says whether identifiers ascend", () => {
  const cases: [csv: string, seen: Omit<SeenIds, "rows">][] = [
    ["a\nb\nba\n", { nulls: 0, ascend: true, first: "a", last: "ba" }],
    ["a\na\n", { nulls: 0, ascend: false, first: "a", last: "a" }],
    ["b\na\n", { nulls: 0, ascend: false, first: "b", last: "a" }],
    ["vj000000000010\nvj000000000009\n", {
      nulls: 0,
      ascend: false,
      first: "vj000000000010",
      last: "vj000000000009",
    }],
    ['""\na\n', { nulls: 1, ascend: false, first: "a", last: "a" }],
  ];
  for (const [csv, seen] of cases) {
    const rows = csv.split("\n").length - 1;
    assertEquals(new PartEncoder(TEXT).encode(bytesOf(csv), rows).ids, [{ rows, ...seen }], csv);
  }
});

Deno.test("identifiers and bounds have the order of bytes", () => {
  const text = fc.string({ unit: fc.constantFrom(..."abé🦠\u{7f} ~"), minLength: 1, maxLength: 20 });
  const row = (value: string) => `${csvRow([value, ""]).slice(0, -1)}\n`;
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 12 }), (texts) => {
      const sorted = texts.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      for (const list of [texts, sorted]) {
        const { parquet, ids } = new PartEncoder(TEXT).encode(bytesOf(list.map(row).join("")), list.length);
        const isAscending = list.every((value, index) =>
          index === 0 || Buffer.compare(Buffer.from(list[index - 1]), Buffer.from(value)) < 0
        );
        assertEquals(ids[0].ascend, isAscending);
        // In the footer the greatest value stands before the least, each after its length.
        const footer = Buffer.from(parquet).subarray(
          -8 - new DataView(parquet.buffer, parquet.length - 8).getUint32(0, true),
        );
        const bytes = (value: string) => Buffer.concat([Buffer.of(Buffer.byteLength(value)), Buffer.from(value)]);
        const bounds = Buffer.concat([bytes(sorted.at(-1)!), Buffer.of(0x18), bytes(sorted[0])]);
        assert(footer.includes(bounds), JSON.stringify([texts, sorted]));
      }
    }),
    { numRuns: 100 },
  );
});

Deno.test("a text of more than a kilobyte is not used as a bound", () => {
  for (const [letters, isBound] of [[1024, true], [1025, false]] as const) {
    const { parquet } = new PartEncoder(TEXT).encode(bytesOf(`b\n${"a".repeat(letters)}\n`), 2);
    const footer = Buffer.from(parquet).subarray(
      -8 - new DataView(parquet.buffer, parquet.length - 8).getUint32(0, true),
    );
    assertEquals(footer.includes("a".repeat(letters)), isBound);
  }
});

const run = (thread: EncodeThread, request: EncodeRequest) => thread.run(request, [request.csv]);

Deno.test("a thread encodes parts in order, and a fault of one is reported", async () => {
  using thread = startEncoding(TEXT);
  const encode = (text: string, rows: number) => {
    const csv = bytesOf(text);
    return run(thread, { csv: csv.slice().buffer, bytes: csv.length, rows });
  };
  const parts = await Promise.all([encode("x\ny\n", 2), encode("z\n", 1)]);
  const inline = new PartEncoder(TEXT);
  assertEquals(parts, [inline.encode(bytesOf("x\ny\n"), 2), inline.encode(bytesOf("z\n"), 1)]);
  await assertRejects(() => encode("x\n", 2), RangeError, "Cannot encode 2 rows: there are 1");
});

/** A thread of the platform's that begins or not, and then dies. */
class DyingWorker {
  static begins = false;
  static last: DyingWorker | undefined;
  onerror: ((event: ErrorEvent) => void) | null = null;

  postMessage(_schema: PartSchema, [port]: [MessagePort]): void {
    DyingWorker.last = this;
    if (DyingWorker.begins) port.postMessage({ kind: "begun" });
    else queueMicrotask(() => this.die());
  }

  die(): void {
    this.onerror?.(new ErrorEvent("error", { message: "out of memory" }));
  }

  terminate(): void {}
}

Deno.test("a thread that cannot begin is done without, and one that dies is not waited for", async (t) => {
  const { Worker } = globalThis;
  const part = () => ({ csv: bytesOf("x\ny\n").slice().buffer, bytes: 4, rows: 2 });
  try {
    Object.assign(globalThis, { Worker: DyingWorker });
    await t.step("cannot begin", async () => {
      DyingWorker.begins = false;
      using thread = startEncoding(TEXT);
      assertEquals(await run(thread, part()), new PartEncoder(TEXT).encode(bytesOf("x\ny\n"), 2));
    });
    await t.step("dies", async () => {
      DyingWorker.begins = true;
      using thread = startEncoding(TEXT);
      const sent = part();
      const encoding = run(thread, sent);
      // Memory that has been given away is of no length here.
      for (let turn = 0; turn < 1000 && sent.csv.byteLength > 0; turn++) await new Promise((done) => setTimeout(done));
      DyingWorker.last!.die();
      await assertRejects(() => encoding, Error, "out of memory");
      await assertRejects(() => run(thread, part()), Error, "out of memory");
    });
  } finally {
    Object.assign(globalThis, { Worker });
  }
});

/** Parts of these texts, a line a row. */
async function* partsOf(...texts: readonly string[]): AsyncGenerator<Part> {
  for (const text of texts) {
    const csv = bytesOf(text);
    yield {
      csv: csv.slice(),
      bytes: csv.length,
      rows: text.split("\n").length - 1,
      raw: new RawTexts(),
      isOnly: false,
    };
  }
}

Deno.test("parts are encoded in order, and their memory comes back", async () => {
  const texts = ["a\nb\n", "c\n", "d\ne\n", "f\n"];
  const spare: ArrayBuffer[] = [];
  const encoded = await Array.fromAsync(encodeParts(partsOf(...texts), TEXT, spare));
  assertEquals(encoded.map(({ rows }) => rows), [2, 1, 2, 1]);
  assertEquals(encoded.flatMap(({ ids }) => ids).map(({ first, last }) => first + last), ["ab", "cc", "de", "ff"]);
  const frames = encoded.map(({ parquet }) => pl.readParquet(Buffer.from(parquet)));
  assertFramesEqual(pl.concat(frames), pl.DataFrame({ a: ["a", "b", "c", "d", "e", "f"] }));
  assertEquals(spare.length, texts.length);
});

Deno.test("a fault of the rows ends the encoding at once", async () => {
  async function* parts() {
    yield* partsOf("a\n".repeat(500_000));
    throw new RangeError("no more rows");
  }
  const started = performance.now();
  await assertRejects(() => Array.fromAsync(encodeParts(parts(), TEXT, [])), RangeError, "no more rows");
  assert(performance.now() - started < 1000);
});

Deno.test("an identifier that comes again in a later part is counted once", async () => {
  await inFolder(async (folder) => {
    const ids = new IdCounter();
    const files: string[] = [];
    let rows = 0;
    // Each part ascends, and so does what each begins with, as JavaScript compares texts.
    for await (const part of encodeParts(partsOf("\uFFFD\n🦠\n", "\uFFFD\n"), TEXT, [])) {
      files.push(`${folder}/${files.length}.parquet`);
      await Deno.writeFile(files.at(-1)!, part.parquet);
      part.ids.forEach((seen) => ids.add(seen));
      rows += part.rows;
    }
    assertEquals([rows, await ids.count(files, "a", rows)], [3, 2]);
  });
});

Deno.test("a table of no rows has its columns", () => {
  const columns = [
    { type: "text", names: ["a"] },
    { type: "integer", names: ["b"] },
    { type: "list", names: ["c"] },
    { type: "dates", names: ["d", "d earliest", "d latest", "d precision"] },
  ] as const;
  const { parquet, ids } = new PartEncoder({ columns, idColumn: 0 }).encode(new Uint8Array(0), 0);
  const frame = pl.readParquet(Buffer.from(parquet));
  assertEquals(frame.columns, ["a", "b", "c", "d", "d earliest", "d latest", "d precision"]);
  assertEquals([exactRows(frame), ids], [[], []]);
});
