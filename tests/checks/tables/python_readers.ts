/**
 * Lakes as `import seqreg` reads them: columns have equal digests in polars, pandas, pyarrow, DuckDB and hyparquet,
 * ledgers are those of the toolkit, damage is an error. Run by `deno task checks python-readers`. `PYTHON` names a
 * Python with these modules.
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { createHash } from "node:crypto";
import { zstdDecompressSync } from "node:zlib";
import { join } from "node:path";
import { buildLake, openLake } from "../../../src/core/tables/mod.ts";
import { fromFileUrl } from "../../_files.ts";
import { needsModules, PYTHON } from "../../_python.ts";
import { testNeeding } from "../../_needs.ts";
import { DEFINITIONS, fileOf, HEADER, inFolder, namesIn, writeGzip } from "../../core/tables/_lake_files.ts";
import { copyLake, withObjectLake } from "../../core/tables/lake/objects/_object_lakes.ts";
import { buildOddLake } from "./_odd_lake.ts";

const READER = fromFileUrl(new URL("../../../tools/packages/python/", import.meta.url));
const SCRIPT = fromFileUrl(new URL("_read_lakes.py", import.meta.url));
const OLD_LAKE = fromFileUrl(new URL("../../core/tables/lake/lake_2", import.meta.url));
const NEEDS = needsModules("pyarrow", "pandas", "polars", "duckdb");

type Digests = Readonly<Record<string, string>>;
interface Reading {
  readonly error?: string;
  readonly main: string;
  readonly cite: string;
  readonly warnings: readonly (readonly [type: string, text: string, isHere: boolean])[];
  readonly tables: Readonly<
    Record<string, {
      readonly ledger: unknown;
      readonly columns: Readonly<Record<string, string>>;
      readonly readings: Readonly<Record<string, Digests>>;
      readonly raw: Readonly<Record<string, Digests>>;
    }>
  >;
}

async function read(...lakes: readonly string[]): Promise<Reading[]> {
  const env = { PYTHONPATH: READER, PYTHONDONTWRITEBYTECODE: "1" };
  const { success, stdout, stderr } = await new Deno.Command(PYTHON, { args: [SCRIPT, ...lakes], env }).output();
  assert(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).trim().split("\n").map((line) => JSON.parse(line));
}

/** A value in the words of `_read_lakes.py`. */
function cell(value: unknown, dtype: string): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return `list ${JSON.stringify(value.map((each) => cell(each, "String")))}`;
  if (value instanceof Date) return `day ${value.toISOString().slice(0, 10)}`;
  if (typeof value === "boolean") return `bool ${value}`;
  if (typeof value === "string") return `text ${value}`;
  if (dtype === "Int64") return `int ${value}`;
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setFloat64(0, Number(value));
  return `float ${new Uint8Array(bytes.buffer).toHex()}`;
}

const COMPRESSORS = { ZSTD: (bytes: Uint8Array) => new Uint8Array(zstdDecompressSync(bytes)) };
/** hyparquet's own drops a byte order mark that a text begins with. */
const PARSERS = {
  stringFromBytes: (bytes: Uint8Array) => bytes && new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes),
};

/** Digests of the columns of Parquet files, as hyparquet reads them. */
async function digestsOf(files: readonly string[], columns: Readonly<Record<string, string>>): Promise<Digests> {
  const rows: Record<string, unknown>[] = [];
  for (const path of files) {
    for (
      const row of await parquetReadObjects({
        file: await asyncBufferFromFile(path),
        compressors: COMPRESSORS,
        parsers: PARSERS,
      })
    ) {
      rows.push(row);
    }
  }
  return Object.fromEntries(
    Object.entries(columns).map(([name, dtype]) => {
      const text = rows.map((row) => cell(row[name], dtype)).join("\0");
      return [name, createHash("sha256").update(text).digest("hex")];
    }),
  );
}

const RAW_COLUMNS = { row: "Int64", field: "String", value: "String", fits: "Bool" };

/** Compares what Python has of a lake with hyparquet, and its ledgers with ours. */
async function compare(path: string, reading: Reading): Promise<void> {
  assertEquals(reading.error, undefined);
  await using lake = await openLake(path);
  assertEquals(Object.keys(reading.tables), [...lake.tables.keys()]);
  assertEquals(reading.main, lake.main);
  for (const [name, { columns, raw }] of lake.tables) {
    const found = reading.tables[name];
    assertEquals(found.columns, Object.fromEntries(columns.map(({ name, dtype }) => [name, dtype])));
    const expected = await digestsOf(lake.files(name), found.columns);
    assertEquals(Object.keys(found.readings).length, 5);
    for (const [reader, digests] of Object.entries(found.readings)) {
      assertEquals(digests, expected, `${name}: ${reader}`);
    }
    const about = join(path, "_lake", name);
    if (raw.length > 0 && found.raw !== undefined) {
      const folder = await exists(about) ? join(about, namesIn(about)[0]) : join(path, name);
      const texts = await digestsOf(raw.map((file) => join(folder, file.name)), RAW_COLUMNS);
      for (const [reader, digests] of Object.entries(found.raw)) {
        assertEquals(digests, texts, `${name}, raw: ${reader}`);
      }
    } else assertEquals(found.raw, {});
    const { received, unique, unparsed, complete, entries } = (await lake.table({ table: name })).ledger;
    assertEquals(found.ledger, JSON.parse(JSON.stringify({ received, unique, unparsed, complete, entries })), name);
  }
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

async function overwrite(path: string, change: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>) {
  await Deno.writeFile(path, change(await Deno.readFile(path)));
}

testNeeding(
  NEEDS,
  "columns of a lake have equal digests in polars, pandas, pyarrow, DuckDB and hyparquet",
  async (t) => {
    await inFolder(async (folder) => {
      // Readers take these characters for patterns and partitions.
      const lake = `${folder}/a[1]*?/year=2020`;
      await buildOddLake(folder, lake, 12_000);
      assert(namesIn(`${lake}/metadata`).length > 1, "several parts");
      const [odd, old] = await read(lake, OLD_LAKE);
      await t.step("of every type, in several parts", () => compare(lake, odd));
      await t.step("of the layout of older toolkits", () => compare(OLD_LAKE, old));
      await t.step("of a copy of a lake in an object store", () =>
        withObjectLake(async ({ stub, build, folder }) => {
          await build(["a", "b"]);
          const copy = await copyLake(stub, `${folder}/copy`);
          const [whole] = await read(copy);
          await compare(copy, whole);
          await overwrite(`${copy}/lake.json`, (bytes) => bytes.with(bytes.indexOf(52), 53));
          const [changed, address] = await read(copy, "s3://lakes/registry");
          assertStringIncludes(changed.error ?? "", "copy the lake again");
          assertStringIncludes(address.error ?? "", "aws s3 sync s3://lakes/registry FOLDER");
        }));
      await t.step("and is cited by what sha256sum prints of its archives", async () => {
        const script = "sha256sum *.csv.gz | LC_ALL=C sort -k 2 | sha256sum";
        const { stdout } = await new Deno.Command("sh", { args: ["-c", script], cwd: folder }).output();
        assert(odd.cite.endsWith(`hash://sha256/${new TextDecoder().decode(stdout).slice(0, 64)}`), odd.cite);
      });
    });
  },
);

testNeeding(NEEDS, "what is damaged is an error in Python, and what is incomplete a warning", async (t) => {
  await inFolder(async (folder) => {
    const csv = `${HEADER.join(",")}\nvj000000000001,x,1,,,,,a\nvj000000000002,1\nvj000000000002,,,,,,,b\n`;
    await writeGzip(`${folder}/a.csv.gz`, csv);
    const names = ["whole", "flipped", "cut", "manifest", "checks", "raw", "absent", "escaping", "none"];
    const lakes: Record<string, string> = {};
    for (const name of names.slice(0, -1)) {
      lakes[name] = `${folder}/${name}`;
      await buildLake(`${folder}/a.csv.gz`, lakes[name], { definitions: DEFINITIONS });
    }
    const edit = (name: string, from: string | RegExp, to: string) =>
      overwrite(fileOf(lakes[name], "a", "manifest"), (bytes) => {
        const text = new TextDecoder().decode(bytes);
        assert(text.replace(from, to) !== text);
        return new TextEncoder().encode(text.replace(from, to));
      });
    const flip = (bytes: Uint8Array<ArrayBuffer>) => bytes.map((byte, at) => at === 8 ? byte ^ 1 : byte);
    await overwrite(fileOf(lakes.flipped, "a", "parquet"), flip);
    await overwrite(fileOf(lakes.raw, "a", "raw"), flip);
    await overwrite(fileOf(lakes.cut, "a", "parquet"), (bytes) => bytes.slice(0, -1));
    await edit("manifest", '"rows": 2,', '"rows": 3,');
    await edit("checks", /,\s*"checksum": "[0-9a-f]+"/, "");
    await edit("escaping", /"part-00000/, '"../part-00000');
    await Deno.remove(fileOf(lakes.absent, "a", "parquet"));
    const readings = Object.fromEntries(
      (await read(...names.map((name) => `${folder}/${name}`))).map((one, at) => [names[at], one]),
    );
    await t.step("incomplete", async () => {
      await compare(lakes.whole, readings.whole);
      assertEquals(readings.whole.warnings.map(([type, , isHere]) => [type, isHere]), [["IncompleteWarning", true]]);
      assertStringIncludes(readings.whole.warnings[0][1], "a: 1 row could not be read");
    });
    const errors: Readonly<Record<string, RegExp>> = {
      flipped: /\.parquet: it is damaged.*build the lake again/,
      raw: /\.raw: it is damaged.*build the lake again/,
      cut: /\.parquet: it has [0-9]+ bytes, expected [0-9]+; open a again/,
      manifest: /manifest\.json .*SHA-256 differs; build the lake again/,
      checks: /manifest\.json .*build the lake again/,
      absent: /\.parquet: it has no bytes, expected [0-9]+/,
      escaping: /manifest\.json .*files of its own; build the lake again/,
    };
    for (const [name, pattern] of Object.entries(errors)) {
      await t.step(name, () => assertMatch(readings[name].error ?? "", pattern));
    }
    await t.step("a folder without a lake", () => {
      assertMatch(readings.none.error ?? "", /no table is in it; build it: seqreg lake/);
    });
  });
});
