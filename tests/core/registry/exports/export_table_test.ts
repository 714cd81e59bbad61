import { assert, assertEquals } from "@std/assert";
import type { FieldDefinition } from "../../../../src/core/contract/metadata.ts";
import { exportTable, type ExportTableOptions } from "../../../../src/core/registry/exports/export_table.ts";
import { releaseFrames } from "../../../../src/core/tables/types/release_frames.ts";
import type { TypedTable } from "../../../../src/core/tables/types/table.ts";
import { inFolder } from "../../../_files.ts";

const definition = (name: string, type: FieldDefinition["type"], unit = ""): FieldDefinition => ({
  name,
  alias: name.toLowerCase().replaceAll(" ", "_"),
  type,
  description: "",
  unit,
  example: "",
});
const DEFINITIONS = [
  definition("Length", "integer", "bp"),
  definition("Share", "float"),
  definition("Flag", "boolean"),
  definition("Hosts", "list"),
  definition("Day", "date"),
  definition("Number", "integer"),
];
const HEADER = ["Registry Accession", "Length", "Share", "Flag", "Hosts", "Day", "Number", "Note"];
const NOTES = ["plain", '"two\nlines"', '"a ""quote"""', '5" pipe', " kept ", "?", "", "tab\there", "back\\slash"];
const LENGTHS = ["12", " 12 ", "12 bp", "1e3", "twelve", "", "not collected", "007"];

function csvOf(rows: number, change: (row: number) => string = () => ""): string {
  const lines = Array.from({ length: rows }, (_, row) =>
    change(row) || [
      `vj${String(row + 1).padStart(12, "0")}`,
      LENGTHS[row % LENGTHS.length],
      ["0.5", ".5", "x", "1e-3", "2"][row % 5],
      ["true", "no", "?", "maybe"][row % 4],
      ["a;b", "a", ""][row % 3],
      ["2013-XX-05", "2013", "soon", "2013-05-06"][row % 4],
      String(row),
      NOTES[row % NOTES.length],
    ].join(","));
  return [HEADER.join(","), ...lines, ""].join("\n");
}

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += 997) yield bytes.slice(at, at + 997);
}

/** The same export held in memory and kept in a temporary folder. */
async function bothWays(text: string, options: Partial<ExportTableOptions> = {}) {
  const shared = { header: HEADER, definitions: DEFINITIONS, ...options };
  return [
    await exportTable(chunksOf(text), { ...shared, spoolBytes: Infinity }),
    await exportTable(chunksOf(text), { ...shared, spoolBytes: 1000 }),
  ] as const;
}

async function contentOf(table: TypedTable) {
  return await inFolder(async (folder) => {
    await table.toCSV(`${folder}/a.csv`);
    await table.toTSV(`${folder}/a.tsv`);
    await table.toParquet(`${folder}/a.parquet`);
    const pl = (await import("nodejs-polars")).default;
    return {
      columns: table.columns,
      rows: table.rows,
      records: (await table.frame()).toRecords(),
      raw: (await table.rawFrame()).toRecords(),
      texts: HEADER.map((field) => table.columns.some((column) => column.field === field) && table.texts(field)),
      csv: await Deno.readTextFile(`${folder}/a.csv`),
      tsv: await Deno.readTextFile(`${folder}/a.tsv`),
      parquet: pl.readParquet(`${folder}/a.parquet`).toRecords(),
      problems: new Set(
        table.problems.map(({ row, field, value, reason, kept }) => `${row} ${field} ${value} ${reason} ${kept}`),
      ),
      missingValues: table.missingValues,
      received: table.ledger.received,
      unparsed: table.ledger.unparsed,
    };
  });
}

Deno.test("exportTable() makes the same table of an export in memory and in a temporary folder", async (t) => {
  const cases: Record<string, [text: string, options?: Partial<ExportTableOptions>]> = {
    "every kind of value": [csvOf(500)],
    "columns in another order": [csvOf(200), { columns: ["Registry Accession", "Day", "Length"] }],
    "dates as columns": [csvOf(200), { dates: "columns" }],
    "a ragged row": [csvOf(300, (row) => row === 150 ? "vj000000000151,1,2" : "")],
    "a column asked for that did not come": [csvOf(100), { columns: ["Registry Accession", "Absent", "Length"] }],
    "cells separated by semicolons": [csvOf(100).replaceAll("a;b", "a").replaceAll(",", ";"), { separator: ";" }],
    "an integer beyond 64 bits": [
      csvOf(300, (row) => row === 299 ? `vj000000000300,1,1,true,a,2013,${"9".repeat(30)},x` : ""),
    ],
  };
  for (const [name, [text, options]] of Object.entries(cases)) {
    await t.step(name, async () => {
      const [held, spooled] = await bothWays(text, options);
      assertEquals(await contentOf(spooled), await contentOf(held));
    });
  }
});

Deno.test("exportTable() leaves out rows that were not asked for, in a temporary folder too", async () => {
  const asked = ["vj000000000003", "vj000000000150", "vj999999999999"];
  const [held, spooled] = await bothWays(csvOf(200), { asked });

  assertEquals(await contentOf(spooled), { ...await contentOf(held), received: 2 });
  assertEquals(spooled.texts("Registry Accession"), asked.slice(0, 2));
});

Deno.test("exportTable() names the lines of the export, whatever stands between the rows that were asked for", async () => {
  const text = csvOf(200, (row) => row === 149 ? "vj000000000150,1,2" : "");
  // A note of every ninth record has two lines.
  const line = text.slice(0, text.indexOf("vj000000000150")).split("\n").length;
  for (const separator of [",", ";"] as const) {
    const options = { asked: ["vj000000000003", "vj000000000150"], separator };
    const [held, spooled] = await bothWays(text.replaceAll("a;b", "a").replaceAll(",", separator), options);
    const linesOf = (table: TypedTable) =>
      table.problems.filter(({ id }) => id === "vj000000000150").map(({ line }) => line);

    assertEquals([linesOf(held), linesOf(spooled)], [[line], [line]]);
  }
});

Deno.test("exportTable() gives columns that came under an alias their public names, in a temporary folder too", async () => {
  const text = csvOf(200).replace("Length,", "len_bp,");
  const header = HEADER.map((name) => name === "Length" ? "len_bp" : name);
  const [held, spooled] = await bothWays(text, { header, renames: new Map([["len_bp", "Length"]]) });

  assertEquals(spooled.columns, held.columns);
  assertEquals(spooled.texts("Length", 3), held.texts("Length", 3));
});

Deno.test("exportTable() names the line where an export stops being CSV, and leaves no temporary folder", async () => {
  const before = await scratchFolders();
  const text = csvOf(300) + 'vj000000000999,"never closed,1\n';
  const error = await exportTable(chunksOf(text), { header: HEADER, spoolBytes: 1000 }).catch((error) => error);

  assert(error instanceof SyntaxError, String(error));
  assert(error.message.includes("quoted cell"), error.message);
  assertEquals(await scratchFolders(), before);
});

Deno.test("the files of a large table are there as long as something reads them", async () => {
  const readersOf = async () => {
    const { frame, rawFrame } = await exportTable(chunksOf(csvOf(200)), { header: HEADER, spoolBytes: 1000 });
    return [frame, rawFrame];
  };
  const readers = await readersOf();
  // Nothing refers to the table itself any more.
  for (let turn = 0; turn < 3; turn++) await releaseFrames();
  for (const read of readers) assertEquals((await read()).height, 200);
});

async function scratchFolders(): Promise<string[]> {
  const parent = await Deno.makeTempDir();
  const names: string[] = [];
  for await (const { name } of Deno.readDir(`${parent}/..`)) if (name.startsWith("seqreg-export-")) names.push(name);
  await Deno.remove(parent);
  return names.sort();
}
