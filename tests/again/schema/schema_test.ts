import { assert, assertEquals, assertRejects } from "@std/assert";
import { fileURLToPath } from "node:url";
import pl from "nodejs-polars";
import { buildLake } from "../../../src/core/tables/lake/objects/build_any_lake.ts";
import { driftOf } from "../../../src/again/schema/drift.ts";
import { schemaToFrictionless } from "../../../src/again/schema/formats/frictionless.ts";
import { driftLines } from "../../../src/again/schema/formats/text.ts";
import { schemaToTypeScript } from "../../../src/again/schema/formats/typescript.ts";
import type { SchemaTable } from "../../../src/again/schema/fields.ts";
import { schemaOf } from "../../../src/again/schema/schema.ts";
import { testWithRealData } from "../../_needs.ts";
import { writeRows } from "../diff/_versions.ts";
import { inFolder } from "../../_files.ts";
import { writeParquet } from "../../_parquet.ts";

const ROWS = [
  ["Registry Accession", "Host Age", "Collection Date", "Hosts", "Note"],
  ["vj000000000001", "37", "2013-05", "bat;pig", "a"],
  ["vj000000000002", "37 years", "2014", "", "N/A"],
  ["vj000000000003", "not collected", "spring", "bat", "*/ x"],
];
const definition = { alias: "", description: "", unit: "", example: "" };
const DEFINITIONS = [
  { ...definition, name: "Host Age", type: "integer" as const, description: "Age of the host\n}" },
  { ...definition, name: "Collection Date", type: "date" as const },
  { ...definition, name: "Hosts", type: "list" as const },
];

async function withLake(work: (lake: string, folder: string) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    await writeRows(`${folder}/a.csv`, ROWS);
    await buildLake(`${folder}/a.csv`, `${folder}/lake`, { definitions: DEFINITIONS });
    await work(`${folder}/lake`, folder);
  });
}

function valuesOf({ fields }: SchemaTable, name: string) {
  return fields.find((field) => field.name === name)!.values!;
}

Deno.test("schemaOf() estimates no more distinct values than there are values", async () => {
  await inFolder(async (folder) => {
    const rows = Array.from({ length: 20_480 }, (_, index) => [`a${index}`]);
    await writeRows(`${folder}/a.csv`, [["strain"], ...rows]);
    const [{ fields: [{ values }] }] = (await schemaOf(`${folder}/a.csv`)).tables;
    assertEquals([values!.distinct <= values!.filled, values!.isExact], [true, false]);
  });
});

Deno.test("schemaOf() cuts a long example to valid Unicode", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await writeRows(`${folder}/a.csv`, [["id", "v"], ["a", `${"x".repeat(59)}😀y`]]);
    const { tables: [table] } = await schemaOf(`${folder}/a.csv`);
    assertEquals(valuesOf(table, "v").example, `${"x".repeat(59)}\ufffd…`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("schemaOf() measures fields that are called as members of every object", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await writeRows(`${folder}/a.csv`, [["id", "constructor", "toString"], ["a", "x", "1"], ["b", "y", "2"]]);
    const { tables: [table] } = await schemaOf(`${folder}/a.csv`);
    const found = ["constructor", "toString"].map((name) => valuesOf(table, name));
    assertEquals(found.map(({ filled, misfits }) => [filled, misfits]), [[2, 0], [2, 0]]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("schemaOf() takes NA for a value among segments and codes of countries", async () => {
  await inFolder(async (folder) => {
    await writeRows(`${folder}/a.csv`, [
      ["strain", "segment", "country", "host"],
      ["a", "HA", "KE", "NA"],
      ["b", "NA", "DE", "bat"],
      ["c", "n/a", "NA", "pig"],
    ]);
    const { tables: [table] } = await schemaOf(`${folder}/a.csv`);
    assertEquals(["segment", "country", "host"].map((name) => valuesOf(table, name).missing), [1, 0, 1]);
  });
});

Deno.test("schemaOf() counts values, words for missing and misfits of every field", async () => {
  await withLake(async (lake) => {
    const { tables: [table] } = await schemaOf(lake);
    assertEquals([table.rows, table.idField], [3, "Registry Accession"]);
    const age = valuesOf(table, "Host Age");
    assertEquals([age.filled, age.missing, age.misfits, age.range], [2, 1, 1, [37, 37]]);
    const date = valuesOf(table, "Collection Date");
    assertEquals([date.filled, date.misfits, date.precision, date.range], [
      3,
      1,
      { month: 1, year: 1 },
      ["2013-05-01", "2014-12-31"],
    ]);
    assertEquals(valuesOf(table, "Note").missing, 1);
    assertEquals(valuesOf(table, "Hosts").example, "bat;pig");
    for (const { values } of table.fields) assertEquals(values!.filled + values!.missing, 3);
  });
});

Deno.test("distinct values come from the dictionaries of a lake, as the rows of its Parquet have them", async () => {
  await inFolder(async (folder) => {
    // Few and many values, gaps, words for missing, a column without a value.
    const rows = Array.from({ length: 3_000 }, (_, row) => [
      `vj${String(row).padStart(12, "0")}`,
      ["Kenya", "", "Peru", "n/a"][row % 4],
      row % 3 === 0 ? "" : String(row % 97),
      `isolate ${row}`,
      "",
      ["2013", "2014-05", "unknown"][row % 3],
    ]);
    await writeRows(`${folder}/a.csv`, [["accession", "Country", "Count", "Isolate", "Empty", "Text"], ...rows]);
    const [built] = await buildLake(`${folder}/a.csv`, `${folder}/lake`, {
      definitions: [
        { ...definition, name: "Count", type: "integer" },
        ...["Country", "Isolate", "Empty", "Text"].map((name) => ({ ...definition, name, type: "string" as const })),
      ],
    });
    const ours = (await schemaOf(`${folder}/lake`)).tables[0];
    const parquet = (await schemaOf(built.files[0])).tables[0];
    for (const { name, values } of parquet.fields) assertEquals(valuesOf(ours, name), values, name);
    assertEquals(valuesOf(ours, "Count").distinct, 97);
    assertEquals([valuesOf(ours, "Country").distinct, valuesOf(ours, "Country").missing], [3, 1_500]);
    assertEquals(valuesOf(ours, "Empty").distinct, 0);
  });
});

Deno.test("schemaOf() writes types that compile, and a Table Schema", async () => {
  await withLake(async (lake, folder) => {
    const schema = await schemaOf(lake);
    await Deno.writeTextFile(`${folder}/types.ts`, `${schemaToTypeScript(schema)}\nexport const row = {} as A;\n`);
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["check", "--no-config", "--no-lock", "--quiet", `${folder}/types.ts`],
    }).output();
    assertEquals(code, 0, new TextDecoder().decode(stderr));
    const { fields, primaryKey } = schemaToFrictionless(schema) as { fields: { type: string }[]; primaryKey: string };
    assertEquals([fields.map(({ type }) => type), primaryKey], [
      ["string", "integer", "string", "string", "string"],
      "Registry Accession",
    ]);
  });
});

Deno.test("driftOf() reports types and shares of filled records that changed", async () => {
  await withLake(async (lake, folder) => {
    await writeRows(`${folder}/b.csv`, [["Registry Accession", "Age Host", "Note"], ["vj000000000001", "old", ""]]);
    const [drift] = driftOf(await schemaOf(lake), await schemaOf(`${folder}/b.csv`));
    assertEquals(drift.renamed, [["Host Age", "Age Host"]]);
    assertEquals(drift.removed, ["Collection Date", "Hosts"]);
    assertEquals(drift.changed.map(({ field, what, old, new: now }) => [field, what, old, now]), [
      ["Note", "filled", "66.7 %", "0.0 %"],
      ["Age Host", "type", "integer", "string"],
      ["Age Host", "filled", "66.7 %", "100.0 %"],
    ]);
  });
});

Deno.test("driftOf() distinguishes fields of one alias by their names", () => {
  const schema = (...names: string[]) => ({
    source: "a.csv",
    tables: [{
      table: "a",
      fields: names.map((name) => (
        { name, alias: "host_age", type: "string" as const, isDeclared: false, unit: "", description: "" }
      )),
    }],
  });
  const drift = (before: string[], after: string[]) => {
    const [{ added, removed, changed }] = driftOf(schema(...before), schema(...after));
    return [added, removed, changed.map(({ old, new: now }) => [old, now])];
  };
  assertEquals(drift(["Host Age", "host_age"], ["Host Age"]), [[], ["host_age"], []]);
  assertEquals(drift(["Host Age"], ["host-age", "Host Age"]), [["host-age"], [], []]);
  assertEquals(drift(["Host Age", "host_age"], ["host-age", "Host.Age"]), [[], [], [["Host Age", "host-age"], [
    "host_age",
    "Host.Age",
  ]]]);
});

Deno.test("schemaOf() refuses JSON that is not definitions", async () => {
  const path = await Deno.makeTempFile({ suffix: ".json" });
  await Deno.writeTextFile(path, '[{"a": 1}]');
  await assertRejects(() => schemaOf(path), SyntaxError, "a table of JSON has a name that ends with .jsonl");
  await Deno.remove(path);
  await Deno.writeTextFile(`${path}l`, '[{"a": 1}]');
  assertEquals((await schemaOf(`${path}l`)).tables[0].fields.map(({ name }) => name), ["a"]);
  await Deno.remove(`${path}l`);
});

/** Words of a name in alphabetical order, without separators. */
function lettersOf(name: string): string {
  return [...name.toLowerCase().replace(/^is_/, "").replaceAll(/[^a-z0-9]/g, "")].sort().join("");
}

testWithRealData("driftOf() proposes the reordered names of a deployment, and no other", async (real) => {
  const read = (version: string) => schemaOf(fileURLToPath(new URL(`schema/definitions_${version}.json`, real)));
  const [older, schema] = [await read("v1.0"), await read("v1.1")];
  const aliases = ({ tables }: typeof schema) => tables[0].fields.map(({ alias }) => alias);
  const gone = aliases(older).filter((alias) => !aliases(schema).includes(alias));
  const came = aliases(schema).filter((alias) => !aliases(older).includes(alias));
  // Every alias that another one has the same letters as, counted without the toolkit's own rule.
  const reordered = gone.filter((alias) => came.some((other) => lettersOf(other) === lettersOf(alias)));
  const [drift] = driftOf(older, schema);
  assertEquals([gone.length, came.length, drift.renamed.length], [50, 64, reordered.length]);
  assert(drift.renamed.every(([from, to]) => lettersOf(from) === lettersOf(to)), JSON.stringify(drift.renamed));
});

Deno.test("schemaOf() has the exact range of whole numbers beyond 2^53", async () => {
  await inFolder(async (folder) => {
    const values = "SELECT unnest([-9007199254740993, 5, 9007199254740995]::BIGINT[]) AS n";
    await writeParquet(`${folder}/a.parquet`, values);
    const { tables: [table] } = await schemaOf(`${folder}/a.parquet`);
    assertEquals(valuesOf(table, "n").range, ["-9007199254740993", "9007199254740995"]);
  });
});

Deno.test("schemaOf() finds the first value among any number of words for missing", async () => {
  await inFolder(async (folder) => {
    const words = ["N/A", " unknown ", "Not Collected", "missing: lab stock"];
    const rows = Array.from({ length: 100 }, (_, row) => [`a${row}`, words[row % words.length], words[0]]);
    await writeRows(`${folder}/a.csv`, [["id", "Country", "Host"], ...rows, ["z", "Kenya", ""]]);
    const { tables: [table] } = await schemaOf(`${folder}/a.csv`);
    assertEquals(["Country", "Host"].map((name) => valuesOf(table, name).example), ["Kenya", undefined]);
  });
});

Deno.test("schemaOf() has the columns of a Parquet file whose names differ in case alone, and no other", async () => {
  await inFolder(async (folder) => {
    pl.DataFrame({ id: ["a"], Country: ["Kenya"], country: ["KE"] }).writeParquet(`${folder}/a.parquet`);
    const { tables: [table], entries = [] } = await schemaOf(`${folder}/a.parquet`);
    assertEquals(table.fields.map(({ name }) => name), ["id", "Country", "country_2"]);
    assert(entries.some(({ code }) => code === "columns-alike"));
  });
});

/** A version of some tables, each with one field, filled in some of its records. */
function version(tables: Readonly<Record<string, { readonly filled: number; readonly rows: number }>>) {
  const field = { name: "v", alias: "v", type: "string" as const, isDeclared: false, unit: "", description: "" };
  return {
    source: "a",
    tables: Object.entries(tables).map(([table, { filled, rows }]) => ({
      table,
      rows,
      fields: [{ ...field, values: { filled, missing: rows - filled, misfits: 0, distinct: 1, isExact: true } }],
    })),
  };
}

Deno.test("driftOf() reports a change by exactly a tenth of the records, and none by less", () => {
  const changes = (old: readonly [number, number], now: readonly [number, number]) => {
    const [before, after] = [old, now].map(([filled, rows]) => version({ a: { filled, rows } }));
    return driftOf(before, after)[0].changed.map(({ old, new: now }) => [old, now]);
  };
  for (let filled = 1; filled <= 10; filled++) {
    const expected = [[`${10 * filled}.0 %`, `${10 * (filled - 1)}.0 %`]];
    assertEquals(changes([filled, 10], [filled - 1, 10]), expected);
    assertEquals(changes([filled, 10], [3 * (filled - 1), 30]), expected);
    assertEquals(changes([100 * filled, 1000], [100 * filled - 99, 1000]), []);
  }
});

Deno.test("driftOf() reports tables that one version has alone", () => {
  const [rows, filled] = [1, 1];
  const older = version({ a: { filled, rows }, b: { filled, rows } });
  const drift = driftOf(older, version({ b: { filled, rows }, c: { filled, rows } }));
  assertEquals(drift.map(({ table, added, removed }) => [table, added, removed]), [
    ["b", [], []],
    ["c", ["v"], []],
    ["a", [], ["v"]],
  ]);
  assertEquals(driftLines(drift).at(-1), "  removed: v");
});

Deno.test("tables whose names become one have names of their own in TypeScript and Table Schemas", () => {
  const [rows, filled] = [1, 1];
  const names = ["a b", "a-b", "1", "Table1", "\u8868", "\u56fe", "a b 2"];
  const schema = version(Object.fromEntries(names.map((name) => [name, { filled, rows }])));
  const interfaces = [...schemaToTypeScript(schema).matchAll(/^export interface (\S+) \{/gm)].map(([, name]) => name);
  assertEquals(interfaces.toSorted(), ["AB", "AB2", "AB3", "Table", "Table1", "Table12", "Table2"]);
  const { resources } = schemaToFrictionless(schema) as { resources: { name: string }[] };
  assertEquals(new Set(resources.map(({ name }) => name)).size, names.length);
});
