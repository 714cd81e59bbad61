/** Whatever opens a file closes it: unread, read in part, at a fault, and at its end. */
import { assert, assertEquals } from "@std/assert";
import { gzipSync } from "node:zlib";
import { join } from "node:path";
import { verifyChecksums } from "../../src/core/datasets/mod.ts";
import {
  buildFastaIndex,
  fastaStats,
  openFasta,
  plainFasta,
  readComposition,
  readFasta,
  readFastaBatches,
} from "../../src/core/fasta/mod.ts";
import { openArchive } from "../../src/core/io/archive/open_archive.ts";
import { openBytes, openRandomBytes, readBytes, readLines, readText } from "../../src/core/io/bytes/mod.ts";
import { openSource } from "../../src/core/io/bytes/open_source.ts";
import { peekHeader } from "../../src/core/io/csv/peek_header.ts";
import { peekSeparator, withCommas } from "../../src/core/io/csv/peek_separator.ts";
import { readCsvRows, readHeader } from "../../src/core/io/csv/mod.ts";
import { sha256, sha256Of } from "../../src/core/io/digest/mod.ts";
import { openWorkbook } from "../../src/core/io/workbook/workbook.ts";
import { openZip } from "../../src/core/io/zip/zip_archive.ts";
import { scanExport } from "../../src/core/registry/exports/export_scan.ts";
import { exportTable } from "../../src/core/registry/exports/export_table.ts";
import { mergeExports } from "../../src/core/registry/exports/merge_exports.ts";
import { peekCsv } from "../../src/core/registry/exports/peek_fields.ts";
import { scanLeniently } from "../../src/core/registry/exports/scan_leniently.ts";
import { Registry } from "../../src/core/registry/mod.ts";
import {
  buildLake,
  fastaFrames,
  openLake,
  tableFromAccessions,
  tableFromArchive,
  tableFromCsv,
  tableFromFasta,
  tableFromXml,
  writeFastaParquet,
} from "../../src/core/tables/mod.ts";
import { openTable } from "../../src/core/tables/open/open_table.ts";
import { readTable } from "../../src/core/tables/open/read_table.ts";
import { inFolder } from "../_files.ts";
import { openFilesIn } from "../_open_files.ts";
import { makeWorkbook, row } from "./io/workbook/_workbook.ts";
import { sampleFolder } from "./registry/_archives.ts";

/** A source that is open: what it yields, and how it is closed. */
interface Opened {
  readonly items: AsyncIterable<unknown>;
  readonly close: () => unknown;
}

/** A generator closes itself. */
function ofGenerator(items: AsyncGenerator<unknown>): Opened {
  return { items, close: () => items.return(undefined) };
}

/** A reader is disposed of. */
function ofReader(items: AsyncIterable<unknown> & AsyncDisposable): Opened {
  return { items, close: () => items[Symbol.asyncDispose]() };
}

type Opener = (path: string) => Opened | Promise<Opened>;

const OPENERS: Readonly<Record<string, Opener>> = {
  "readBytes()": (path) => ofGenerator(readBytes(path)),
  "openBytes()": (path) => ofGenerator(openBytes(path)),
  "readLines()": (path) => ofGenerator(readLines(path)),
  "readText()": (path) => {
    const iterator = readText(path)[Symbol.asyncIterator]();
    return { items: { [Symbol.asyncIterator]: () => iterator }, close: () => iterator.return?.() };
  },
  "openSource().chunks()": async (path) => {
    const source = await openSource(path);
    return { items: source.chunks(), close: () => source.close() };
  },
  "openSource().chunks(), its chunks closed": async (path) => ofGenerator((await openSource(path)).chunks()),
  "openSource().stored(), its chunks closed": async (path) => ofGenerator((await openSource(path)).stored()),
  "peekSeparator()": async (path) => ofGenerator((await peekSeparator(openBytes(path))).chunks),
  "peekHeader()": async (path) => ofGenerator((await peekHeader(openBytes(path), { name: "table" })).chunks),
  "withCommas()": async (path) => {
    const { chunks, separator } = await peekSeparator(openBytes(path));
    return ofGenerator(withCommas(chunks, { separator, name: "table" }));
  },
  "readCsvRows()": (path) => ofGenerator(readCsvRows(openBytes(path))),
  "openArchive()": async (path) => {
    const archive = await openArchive(path);
    return { items: archive.chunks, close: () => archive[Symbol.asyncDispose]() };
  },
  "openArchive(), its chunks closed": async (path) => ofGenerator((await openArchive(path)).chunks),
  "openTable().read()": async (path) => {
    await using table = await openTable(path);
    return ofGenerator((await table.read()).chunks);
  },
  "peekCsv()": async (path) => ofGenerator((await peekCsv(openBytes(path))).chunks),
  "scanExport()": async (path) =>
    ofGenerator(scanExport("csv", (await peekCsv(openBytes(path))).chunks, { onRecord: () => {} })),
  "scanLeniently()": async (path) =>
    ofGenerator(
      scanLeniently("csv", (await peekCsv(openBytes(path))).chunks, { onRecord: () => {} }, () => {}),
    ),
  "mergeExports()": (path) => {
    const parts = async function* () {
      yield openBytes(path);
    };
    return ofGenerator(mergeExports("csv", parts(), { onRecord: () => {} }));
  },
  "readFasta()": (path) => ofReader(readFasta(path)),
  "readFastaBatches()": (path) => ofReader(readFastaBatches(path)),
  "readFastaBatches().head()": async (path) => {
    const reader = readFastaBatches(path);
    await reader.head();
    return ofReader(reader);
  },
  "plainFasta()": (path) => ofReader(plainFasta(path)),
  "readComposition()": (path) => ofReader(readComposition(path)),
  "fastaFrames()": (path) => {
    const iterator = fastaFrames(path)[Symbol.asyncIterator]();
    return { items: { [Symbol.asyncIterator]: () => iterator }, close: () => iterator.return?.() };
  },
  "openFasta()": async (path) => {
    const file = await openFasta(path);
    const items = async function* () {
      yield await file.get("a0", 1, 10);
    };
    return { items: items(), close: () => file[Symbol.asyncDispose]() };
  },
  "openWorkbook()": async (path) => {
    const workbook = await openWorkbook(path);
    return { items: workbook.readSheet(workbook.sheets[0]).rows, close: () => workbook[Symbol.dispose]() };
  },
  "openZip()": async (path) => {
    const bytes = await openRandomBytes(path);
    try {
      const archive = openZip(bytes, "zip");
      return { items: archive.read(archive.entries[0]), close: () => bytes[Symbol.dispose]() };
    } catch (error) {
      bytes[Symbol.dispose]();
      throw error;
    }
  },
};

/** What opens, reads and closes by itself. */
const READERS: Readonly<Record<string, (path: string, folder: string) => Promise<unknown>>> = {
  "readHeader()": (path) => readHeader(path),
  "readTable()": (path) => readTable(path),
  "sha256()": (path) => sha256(path),
  "tableFromCsv()": (path) => tableFromCsv(path),
  "tableFromArchive()": (path) => tableFromArchive(path),
  "tableFromXml()": (path) => tableFromXml(path),
  "tableFromAccessions()": (path) => tableFromAccessions(path, { format: "tsv" }),
  "tableFromFasta()": (path) => tableFromFasta(path),
  "fastaStats()": (path) => fastaStats(path),
  "buildFastaIndex()": (path) => buildFastaIndex(path),
  "writeFastaParquet()": (path, folder) => writeFastaParquet(path, join(folder, crypto.randomUUID())),
  "verifyChecksums()": (path) => verifyChecksums(`${path}.sha256`),
  "exportTable()": async (path) => {
    const { names, chunks } = await peekCsv(openBytes(path));
    await exportTable(chunks, { header: names });
  },
  "exportTable(), in a folder": async (path) => {
    const { names, chunks } = await peekCsv(openBytes(path));
    await exportTable(chunks, { header: names, spoolBytes: 1 });
  },
  "buildLake() and openLake()": async (path, folder) => {
    const name = join(folder, crypto.randomUUID());
    await buildLake(path, name);
    await using lake = await openLake(name);
    await lake.table();
  },
};

const ROWS = Array.from(
  { length: 20_000 },
  (_, row) => `vj${String(row).padStart(12, "0")};Kenya ${row * 7919 % 9973}\n`,
);
const TABLE = `Registry Accession;Country\n${ROWS.join("")}`;
const FASTA = Array.from({ length: 1500 }, (_, row) => `>a${row}\n${"ACGTTGCA".repeat(100)}\n`).join("");

/** Writes files of every form; the names of those that are damaged begin so. */
async function writeFiles(folder: string): Promise<string[]> {
  const gzip = new Uint8Array(gzipSync(TABLE.replaceAll(";", ",")));
  const damaged = gzip.slice();
  damaged.fill(255, gzip.length / 2);
  const files: Record<string, string | Uint8Array> = {
    "plain.csv": TABLE.replaceAll(";", ","),
    "commas.csv.gz": gzip,
    "semicolons.csv.gz": new Uint8Array(gzipSync(TABLE)),
    "tabs.tsv": `# a title\n${TABLE.replaceAll(";", "\t")}`,
    "plain.fasta": FASTA,
    "packed.fasta.gz": new Uint8Array(gzipSync(FASTA)),
    "records.xml": "<records><record><registry_accession>vj000000000001</registry_accession></record></records>",
    "book.xlsx": await makeWorkbook([{ rows: row(1, "id", "n") + row(2, "a", "b") }]),
    "empty.csv": "",
    "damaged from its first bytes.csv.gz": Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 255, 255, 255, 255),
    "damaged in the middle.csv.gz": damaged,
    "damaged, another thing.csv": "<!DOCTYPE html><html><body>no</body></html>",
  };
  for (const [name, content] of Object.entries(files)) {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    await Deno.writeFile(join(folder, name), bytes);
    await Deno.writeTextFile(join(folder, `${name}.sha256`), `${sha256Of(bytes)}  ${name}\n`);
  }
  return Object.keys(files);
}

/** How a source is used before it is closed. */
const USES: Readonly<Record<string, (items: AsyncIterable<unknown>) => Promise<void>>> = {
  "unread": async () => {},
  "stopped after the first item": async (items) => {
    for await (const _ of items) break;
  },
  "asked for one item": async (items) => void await items[Symbol.asyncIterator]().next(),
  "to its end": async (items) => {
    for await (const _ of items);
  },
};

const LINUX = Deno.build.os === "linux";

Deno.test({ name: "what is opened is closed, however far it was read", ignore: !LINUX }, async (t) => {
  await inFolder(async (folder) => {
    const names = await writeFiles(folder);
    for (const [opener, open] of Object.entries(OPENERS)) {
      await t.step(opener, async () => {
        let opened = 0;
        for (const [use, read] of Object.entries(USES)) {
          for (const name of names) {
            try {
              const source = await open(join(folder, name));
              opened++;
              // A file of another form is a fault of its own.
              await read(source.items).catch(() => {});
              await source.close();
            } catch {
              // It could not be opened.
            }
          }
          assertEquals(await openFilesIn(folder), [], use);
        }
        assert(opened > 0);
      });
    }
  });
});

Deno.test({ name: "what reads a file whole closes it, also at a fault", ignore: !LINUX }, async (t) => {
  await inFolder(async (folder) => {
    const names = await writeFiles(folder);
    for (const [reader, read] of Object.entries(READERS)) {
      await t.step(reader, async () => {
        let done = 0;
        for (const name of names) {
          await read(join(folder, name), folder).then(() => done++, () => {});
          assertEquals(await openFilesIn(folder), [], name);
        }
        assert(done > 0);
      });
    }
  });
});

Deno.test(
  { name: "archives of a registry are closed with it, their lakes and tables with these", ignore: !LINUX },
  async () => {
    await using folder = await sampleFolder();
    const { cacheFolder } = folder;
    {
      await using registry = await Registry.open(folder.folder, { cacheFolder });
      const archive = await registry.dataset("full_dataset_metadata");
      const sequences = await registry.dataset("full_dataset_sequence");
      for (const each of [archive, sequences]) {
        {
          await using lake = await each.lake();
          await lake.table({ columns: ["Registry Accession"] });
        }
        assertEquals(await openFilesIn(cacheFolder).then((files) => files.filter((name) => name.endsWith(".gz"))), []);
      }
      await archive.read();
    }
    assertEquals(await openFilesIn(cacheFolder), []);
    assertEquals(await openFilesIn(folder.folder), []);
  },
);
