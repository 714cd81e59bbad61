/**
 * One table in the forms that people and programs save it in, before each reader of archives. The import of the
 * registry, and what else takes an archive as it is, are strict; lakes read people's tables, and are lenient. What one
 * of them reads and another does not, the other refuses, or gives its cells as they are: never fewer or other records.
 */
import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { archiveFiles } from "../../../../src/core/contract/datasets.ts";
import { openArchive } from "../../../../src/core/io/archive/open_archive.ts";
import { copyBytes } from "../../../../src/core/io/bytes/join_bytes.ts";
import { readCsvRows } from "../../../../src/core/io/csv/csv_rows.ts";
import { readHeader } from "../../../../src/core/io/csv/read_header.ts";
import { openLake } from "../../../../src/core/tables/lake/open/open_lake.ts";
import { buildLake } from "../../../../src/core/tables/lake/objects/build_any_lake.ts";
import { zstdFrame } from "../../../core/io/_zstd_frames.ts";
import { makeWorkbook, row } from "../../../core/io/workbook/_workbook.ts";
import { type ArchiveWorld, makeArchives } from "../_archives.ts";
import { allValues, open } from "../_imports.ts";

const HEADER = ["Registry Accession", "Country", "Note"];
const RECORDS = [
  ["vj000000000001", "Kenya", "plain"],
  ["vj000000000002", "Côte d’Ivoire", 'a "quote", a; b | c\td'],
  ["vj000000000003", "Peru", "two\nlines"],
];

function textOf(separator: string, rows: readonly (readonly string[])[] = [HEADER, ...RECORDS]): string {
  const cellOf = (text: string) =>
    text.includes(separator) || /["\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  return rows.map((cells) => `${cells.map(cellOf).join(separator)}\n`).join("");
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const CSV = textOf(",");
const PLAIN = RECORDS.map(([id, country]) => [id, country, "x"]);

/** Rows, or words of the error. */
type Verdict = readonly (readonly string[])[] | string;

interface Form {
  readonly bytes: Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>;
  /** What a lake holds; the records by default. */
  readonly lake?: Verdict;
  /** What the registry holds after its import; the records by default. */
  readonly registry?: Verdict;
  /** The names alone; those of the table by default. */
  readonly names?: readonly string[] | string;
  /** What an archive's rows are below its header; the records by default. */
  readonly archive?: Verdict;
}

const FORMS: Readonly<Record<string, Form>> = {
  "commas": { bytes: bytesOf(CSV) },
  "semicolons": { bytes: bytesOf(textOf(";")) },
  "tabs": { bytes: bytesOf(textOf("\t")) },
  "no line end at the end": { bytes: bytesOf(CSV.trimEnd()) },
  "CRLF": {
    bytes: bytesOf(textOf(",", [HEADER, ...PLAIN]).replaceAll("\n", "\r\n")),
    lake: PLAIN,
    registry: PLAIN,
    archive: PLAIN,
  },
  "a byte order mark": { bytes: bytesOf(`\uFEFF${CSV}`) },
  "gzip": { bytes: new Uint8Array(gzipSync(CSV)) },
  "Zstandard": { bytes: zstdFrame(CSV) },
  "two members of gzip, as of files that were joined": {
    bytes: copyBytes([gzipSync(CSV.slice(0, 60)), gzipSync(CSV.slice(60))]),
  },
  "empty lines": { bytes: bytesOf(`\n${CSV.replace("\n", "\n\n")}\n\n`) },
  // In files of registries a bar is a character, as of headers of FASTA.
  "vertical bars": {
    bytes: bytesOf(textOf("|", [HEADER, ...PLAIN])),
    lake: PLAIN,
    registry: 'its header has no column "Registry Accession"',
    names: [HEADER.join("|")],
    archive: PLAIN.map((cells) => [cells.join("|")]),
  },
  // The first row of an archive is its header: a person's titles are no part of one.
  "a title above the header": {
    bytes: bytesOf(`Samples of 2013\n\n${CSV}`),
    registry: "a row has 3 cells, the header has 1",
    names: ["Samples of 2013"],
    archive: [HEADER, ...RECORDS],
  },
  "a comment above the header": {
    bytes: bytesOf(`# samples of 2013, by hand\n${CSV}`),
    registry: "a row has 3 cells, the header has 2",
    names: ["# samples of 2013", " by hand"],
    archive: [HEADER, ...RECORDS],
  },
  "the header again, as of files that were joined": {
    bytes: bytesOf(CSV + CSV.slice(0, CSV.indexOf("\n") + 1)),
    registry: '"Registry Accession" at line 6 is not an accession',
    archive: [...RECORDS, HEADER],
  },
  "row numbers without a name": {
    bytes: bytesOf(textOf(",", [["", ...HEADER], ...RECORDS.map((cells, index) => [String(index), ...cells])])),
    registry: "column 1 has no name",
    names: ["", ...HEADER],
    archive: RECORDS.map((cells, index) => [String(index), ...cells]),
  },
  "rows of empty cells at the end, as of spreadsheets": {
    bytes: bytesOf(`${CSV},,\n,,\n`),
    registry: '"" at line 6 is not an accession',
    archive: [...RECORDS, ["", "", ""], ["", "", ""]],
  },
  "a row that is too short": {
    bytes: bytesOf(`${CSV}vj000000000004,Chad\n`),
    registry: "a row has 2 cells, the header has 3",
    archive: [...RECORDS, ["vj000000000004", "Chad"]],
  },
  "CR alone": {
    bytes: bytesOf(textOf(",", [HEADER, ...PLAIN]).replaceAll("\n", "\r")),
    lake: PLAIN,
    registry: "its lines end with carriage returns alone",
    names: "its lines end with carriage returns alone",
    archive: "its lines end with carriage returns alone",
  },
  // A quote in a table with tabs is a character for those who write it so, and begins a cell for others.
  "tabs, and quotes that are characters": {
    bytes: bytesOf(
      [HEADER, ...PLAIN].map((cells) => `${cells.join("\t")}\n`).join("").replace("Kenya\tx", 'Kenya\t"x')
        .replace("Peru\tx", 'Peru\tx"'),
    ),
    lake: PLAIN.map(([id, country, note], index) => [id, country, ['"x', note, 'x"'][index]]),
    registry: "a cell between quotes holds whole rows",
    archive: "a cell between quotes holds whole rows",
  },
  "a workbook under an archive's name": {
    bytes: makeWorkbook([{ rows: [HEADER, ...PLAIN].map((cells, index) => row(index + 1, ...cells)).join("") }]),
    lake: PLAIN,
    registry: "it looks like a ZIP archive (or an Excel workbook)",
    names: "it looks like a ZIP archive (or an Excel workbook)",
    archive: "it looks like a ZIP archive (or an Excel workbook)",
  },
  "an HTML page": {
    bytes: bytesOf("<!doctype html>\n<title>a,b</title>\n"),
    lake: "it looks like an HTML page",
    registry: "it looks like an HTML page",
    names: "it looks like an HTML page",
    archive: "it looks like an HTML page",
  },
  "no header": {
    bytes: bytesOf(textOf(",", RECORDS)),
    lake: "it has no header",
    registry: "it has no header",
    names: RECORDS[0],
    archive: RECORDS.slice(1),
  },
};

async function verdictOf<T>(read: () => Promise<T>): Promise<T | string> {
  try {
    return await read();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function readLake(path: string, folder: string): Promise<string[][]> {
  await buildLake(path, folder, { text: true });
  await using lake = await openLake(folder);
  return (await lake.scan().collect()).rows().map((cells) => cells.map((cell) => String(cell ?? "")));
}

async function readRegistry(world: ArchiveWorld): Promise<string[][]> {
  await using store = await open(world);
  return await allValues(store);
}

async function readRows(path: string): Promise<(readonly string[])[]> {
  await using archive = await openArchive(path);
  const rows: (readonly string[])[] = [];
  for await (const batch of readCsvRows(archive.chunks)) rows.push(...batch.map(({ cells }) => cells));
  return rows.slice(1);
}

function assertVerdict(actual: Verdict | readonly string[], expected: Verdict | readonly string[], who: string): void {
  if (typeof expected !== "string") return assertEquals(actual, expected, who);
  assert(typeof actual === "string" && actual.includes(expected), `${who}: ${JSON.stringify(actual)}`);
}

Deno.test("the readers of archives agree on each form of a table, or the strict ones refuse it", async (t) => {
  for (
    const [name, { bytes, lake = RECORDS, registry = RECORDS, names = HEADER, archive = RECORDS }] of Object.entries(
      FORMS,
    )
  ) {
    await t.step(name, async () => {
      const id = "full_dataset_metadata";
      const rows = RECORDS.map((cells) => cells.slice(1));
      await using world = await makeArchives({ columns: HEADER.slice(1), rows, replace: { [id]: await bytes } });
      const path = join(world.folder, archiveFiles(id).archive);

      assertVerdict(await verdictOf(() => readLake(path, join(world.cacheFolder, "lake"))), lake, "lake");
      assertVerdict(await verdictOf(() => readRegistry(world)), registry, "registry");
      assertVerdict(await verdictOf(() => readHeader(path)), names, "names");
      assertVerdict(await verdictOf(() => readRows(path)), archive, "archive");
    });
  }
});
