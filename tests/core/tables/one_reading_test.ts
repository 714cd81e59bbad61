/**
 * One reading of values: search, filters, frames, lakes and SQL put each of thousands of values into the same class,
 * and the same condition selects the same records in each. `anyValue` is there for whatever else reads values.
 */
import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { join } from "node:path";
import pl from "nodejs-polars";
import {
  formatAccession,
  formatDay,
  isMissing,
  type Problem,
  readPartialDate,
  readValue,
  type SearchFilter,
} from "../../../src/core/contract/mod.ts";
import { csvRow } from "../../../src/core/io/csv/csv_text.ts";
import { openStore } from "../../../src/embedded/service/registry/open_store.ts";
import type { RegistryStore } from "../../../src/embedded/service/store/store.ts";
import { buildLake, openLake, tableFromCsv } from "../../../src/core/tables/mod.ts";
import { isWideInteger } from "../../../src/core/tables/types/wide_integer.ts";
import { anyValue } from "../contract/values/_any_value.ts";
import { makeArchives } from "../../embedded/service/_archives.ts";
import { assertFramesEqual, bytesOf } from "./_frames.ts";
import { define } from "./_lake_files.ts";

const DEFINITIONS = [
  define("Whole", "integer", "bp"),
  define("Share", "float", "%"),
  define("Flag", "boolean"),
  define("Day", "date"),
  define("Items", "list"),
  define("Note", "string"),
];
const COLUMNS = DEFINITIONS.map(({ name }) => name);
/** Values that are read; more are by `deno task checks one-reading`. */
const VALUES = Number(Deno.env.get("SEQREG_VALUES") ?? 5000);
/** A column of integers that holds one beyond 64 bits stays text as a whole: such values go elsewhere. */
const ROWS = fc.sample(anyValue, { numRuns: VALUES, seed: 14 })
  .map((value) => [isWideInteger(value) ? "" : value, value, value, value, value, value]);
const ACCESSIONS = ROWS.map((_, row) => formatAccession(row + 1));
const CSV = [["Registry Accession", ...COLUMNS], ...ROWS.map((row, index) => [ACCESSIONS[index], ...row])]
  .map((cells) => `${csvRow(cells)}\n`).join("");

/** Rows, counted from 0, that hold a condition. */
const rowsWhere = (holds: (row: number) => boolean) => [...ROWS.keys()].filter(holds);

const isNul = (reason: string) => reason.includes("NUL");

const search = async (store: RegistryStore, query: string, filter: SearchFilter[] = []): Promise<number[]> => {
  const found: number[] = [];
  for await (const batch of store.matching({ query, filter })) {
    found.push(...batch.map(({ accession }) => Number(accession.slice(2)) - 1));
  }
  return found;
};

/** Every fifth key, so that each kind is there. */
const some = <T>(keys: Iterable<T>): T[] => [...new Set(keys)].filter((_, index) => index % 5 === 0).slice(0, 120);

/** Queries that a field's values of its type hold, all of them and no other. */
const ALL_VALUES: Readonly<Record<string, string>> = {
  Whole: "whole:[-9223372036854775808 TO 9223372036854775807]",
  Share: "share:[-1.7976931348623157e308 TO 1.7976931348623157e308]",
  Flag: "flag:(true OR false)",
  Day: "day:[0001 TO 9999]",
};

Deno.test("thousands of values are of one class to search, frames, lakes and SQL", async (t) => {
  const classes = DEFINITIONS.map((definition, column) => ROWS.map((row) => readValue(row[column], definition)));
  const kindOf = (name: string, row: number) => classes[COLUMNS.indexOf(name)][row].kind;
  for (const name of Object.keys(ALL_VALUES)) {
    const kinds = new Set(ROWS.map((_, row) => kindOf(name, row)));
    assertEquals(kinds.size, 3, `${name} has values of every class`);
  }
  await using world = await makeArchives({ columns: COLUMNS, rows: ROWS });
  await Deno.writeTextFile(
    join(world.folder, "definitions.json"),
    JSON.stringify([{ ...define("Registry Accession", "string"), alias: "registry_accession" }, ...DEFINITIONS]),
  );
  await using store = await openStore(world.folder, { cacheFolder: world.cacheFolder });
  const table = await tableFromCsv(bytesOf(CSV), { definitions: DEFINITIONS, dates: "columns" });
  const frame = await table.frame();
  const columns = new Map<string, readonly unknown[]>(
    frame.columns.map((name) => [name, [...frame.getColumn(name).toArray()]]),
  );
  // Numbers of JavaScript do not hold all integers of 64 bits.
  columns.set("Whole", frame.getColumn("Whole").cast(pl.String).toArray().map((text) => text && BigInt(text)));
  const column = (name: string): readonly unknown[] => columns.get(name) ?? [];
  const typed = (name: string) => column(name === "Day" ? "Day precision" : name);

  await t.step("frames", async () => {
    const invalid = new Map<string, Set<number>>(COLUMNS.map((name) => [name, new Set()]));
    for (const { field, row, reason } of table.problems) {
      if (field !== undefined && row !== undefined && !isNul(reason)) invalid.get(field)?.add(row - 1);
    }
    for (const name of ["Whole", "Share", "Flag", "Day", "Items"]) {
      const values = typed(name);
      const missing: Record<string, number> = {};
      for (const row of ROWS.keys()) {
        const read = classes[COLUMNS.indexOf(name)][row];
        const kind = invalid.get(name)?.has(row) ? "invalid" : values[row] === null ? "missing" : "value";
        assertEquals(kind, read.kind, `${name} ${JSON.stringify(ROWS[row][0])}`);
        const isEmpty = ROWS[row][COLUMNS.indexOf(name)] === "";
        if (read.kind === "missing" && !isEmpty) missing[read.word] = (missing[read.word] ?? 0) + 1;
      }
      assertEquals({ ...table.missingValues[name] }, missing, name);
    }
    const raw: readonly unknown[] = (await table.rawFrame()).getColumn("Whole").toArray();
    assertEquals(raw, ROWS.map(([text]) => text === "" ? null : text));
  });

  await t.step("lakes and SQL", async () => {
    const folder = join(world.cacheFolder, "lake");
    await Deno.writeTextFile(join(world.cacheFolder, "a.csv"), CSV);
    await buildLake(join(world.cacheFolder, "a.csv"), folder, { definitions: DEFINITIONS, dates: "columns" });
    await using lake = await openLake(folder);
    const built = await lake.table();
    assertFramesEqual(await built.frame(), frame);
    assertEquals(built.missingValues, table.missingValues);
    const values = ({ reason }: Problem) => !isNul(reason);
    assertEquals(built.problems.filter(values), table.problems.filter(values));
    for (const name of Object.keys(ALL_VALUES)) {
      const where = name === "Day" ? '"Day precision" IS NOT NULL' : `"${name}" IS NOT NULL`;
      const found = await lake.sql(`SELECT "Registry Accession" AS a FROM lake WHERE ${where} ORDER BY a`);
      assertEquals(
        found.getColumn("a").toArray(),
        rowsWhere((row) => kindOf(name, row) === "value").map((r) => ACCESSIONS[r]),
      );
    }
  });

  await t.step("search: classes", async () => {
    for (const [name, query] of Object.entries(ALL_VALUES)) {
      const alias = name.toLowerCase();
      assertEquals(await search(store, query), rowsWhere((row) => kindOf(name, row) === "value"), name);
      assertEquals(await search(store, `-${alias}:*`), rowsWhere((row) => kindOf(name, row) === "missing"), name);
      assertEquals(
        await search(store, `${alias}:* -(${query})`),
        rowsWhere((row) => kindOf(name, row) === "invalid"),
        name,
      );
    }
    const byText = COLUMNS.indexOf("Note");
    assertEquals(await search(store, "-note:*"), rowsWhere((row) => isMissing(ROWS[row][byText])));
    assertEquals(await search(store, "items:*"), rowsWhere((row) => column("Items")[row] !== null));
  });

  await t.step("search: equality, filters and ranges of numbers select what the frame selects", async () => {
    for (const name of ["Whole", "Share"]) {
      const values = column(name);
      const keys = some(
        values.filter((value): value is number | bigint => typeof value === "number" || typeof value === "bigint"),
      );
      assert(keys.length > 50);
      for (const [index, key] of keys.entries()) {
        const where = (holds: (value: number | bigint) => boolean) =>
          rowsWhere((row) => {
            const value = values[row];
            return (typeof value === "number" || typeof value === "bigint") && holds(value);
          });
        const alias = name.toLowerCase();
        const equal = where((value) => !(value < key) && !(value > key));
        assertEquals(await search(store, `${alias}:"${key}"`), equal, `${name} ${key}`);
        const value = Number(key);
        if (typeof key === "number" || Number.isSafeInteger(value)) {
          assertEquals(await search(store, "", [{ field: name, value }]), equal);
        }
        const other = keys[(index * 7 + 3) % keys.length];
        const [from, to] = key < other ? [key, other] : [other, key];
        const between = where((value) => value >= from && value < to);
        assertEquals(await search(store, `${alias}:["${from}" TO "${to}"}`), between, `${name} ${from} ${to}`);
      }
    }
  });

  await t.step("search: booleans and dates select what the frame selects", async () => {
    for (const flag of [true, false]) {
      const expected = rowsWhere((row) => column("Flag")[row] === flag);
      assert(expected.length > 50);
      for (const word of [String(flag), flag ? "YES" : " n", flag ? "1" : "0"]) {
        assertEquals(await search(store, `flag:"${word}"`), expected);
      }
      assertEquals(await search(store, "", [{ field: "Flag", value: flag }]), expected);
    }
    const days = ROWS.map((row) => readPartialDate(row[COLUMNS.indexOf("Day")]));
    const [earliest, latest] = ["Day earliest", "Day latest"].map((name) =>
      column(name).map((day) => day instanceof Date ? day.getTime() / 86_400_000 : undefined)
    );
    assertEquals(earliest, days.map((day) => day?.earliest));
    for (const day of some(days.map((day) => day && formatDay(day.earliest))).filter((day) => day !== undefined)) {
      for (const asked of [day, day.slice(0, 7), day.slice(0, 4)]) {
        const within = readPartialDate(asked)!;
        const expected = rowsWhere((row) =>
          (earliest[row] ?? -Infinity) >= within.earliest && (latest[row] ?? Infinity) <= within.latest
        );
        assertEquals(await search(store, `day:${asked}`), expected, asked);
      }
    }
  });

  await t.step("search: the text of a missing value finds it, where a range does not", async () => {
    for (const text of ["?", "not collected", "missing: lab stock"]) {
      const expected = rowsWhere((row) => ROWS[row][0].toLowerCase() === text);
      assert(expected.length > 0, text);
      assertEquals(await search(store, `whole:"${text}"`), expected);
      assertEquals(await search(store, `note:["" TO *] note:"${text}"`), []);
      assertEquals(
        await search(store, "", [{ field: "Whole", value: text }]),
        rowsWhere((row) => ROWS[row][0] === text),
      );
    }
  });
});
