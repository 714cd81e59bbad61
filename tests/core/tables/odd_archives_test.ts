/** Archives that are damaged, no tables, or only odd: a frame and a lake agree on each. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { gzipSync } from "node:zlib";
import { ParseError } from "../../../src/core/errors.ts";
import { GzipError } from "../../../src/core/io/gzip/gunzip.ts";
import { buildLakeBy } from "../../../src/core/tables/lake/build/build_lake.ts";
import { readManifest } from "../../../src/core/tables/lake/build/lake_manifest.ts";
import { buildLake, openLake, tableFromArchive } from "../../../src/core/tables/mod.ts";
import { damagedGzip } from "../io/_damaged_gzip.ts";
import { assertFramesEqual } from "./_frames.ts";
import { accession, DEFINITIONS, inFolder, namesIn, writeGzip } from "./_lake_files.ts";

const [A, B] = [accession(1), accession(2)];
const HEADER = "Registry Accession,Whole";

const ODD: Readonly<Record<string, Uint8Array | string>> = {
  "a byte order mark": `\uFEFF${HEADER}\n${A},1\n`,
  "CRLF": `${HEADER}\r\n${A},1\r\n${B},x\r\n`,
  "no final line feed": `${HEADER}\n${A},1`,
  "empty lines": `${HEADER}\n\n${A},1\n\n`,
  "a header alone": `${HEADER}\n`,
  "ragged rows": `${HEADER}\n${A}\n${B},2\n${A},1,2,3\n`,
  "quotes, commas and line feeds": `${HEADER}\n${A},"a ""b"", c\nd"\n`,
  "a carriage return in a cell": `${HEADER}\n${A},a\rb\n`,
  "a NUL in a cell": `${HEADER}\n${A},a\0b\n${B},1\n`,
  "letters of any script": `${HEADER}\n${A},Côte d'Ivoire 🦠\n`,
  "quotes inside cells, an odd number of them": `${HEADER},Note\n${A},5" pipe,x\n${B},1,12" x 4" plate, "B"\n`,
  "a cell of 10 MB": `${HEADER},Note\n${A},1,"${"x\n".repeat(5_000_000)}"\n`,
};

const latin1 = Uint8Array.from(`${HEADER}\n${A},C\u00f4te\n`, (letter) => letter.charCodeAt(0));
const utf16 = new Uint8Array(new Uint16Array([..."\uFEFFa,b\n"].map((letter) => letter.charCodeAt(0))).buffer);

const REFUSED: Readonly<Record<string, Uint8Array | string>> = {
  "nothing": "",
  "UTF-16": utf16,
  "Latin-1": latin1,
  "an open quote": `${HEADER}\n${A},1\n${B},"2\n`,
  "a quote in a header that never ends": 'a,b","c\n1,2\n',
  "an open quote and many lines behind it": `${HEADER}\n${A},"1\n${`${B},2\n`.repeat(1000)}`,
  "a quote that closes many lines later": `${HEADER}\n${A},"1\n${`${B},2\n`.repeat(9)}${B},"2"\n`,
  "text behind a quote": `${HEADER}\n${A},"1" x\n`,
  "two columns of one name": "Registry Accession,Whole,Whole\n",
  "no header": `${A},1\n`,
  "an HTML page": "<!doctype html><title>no</title>",
  "XML": "<?xml version='1.0'?><records/>",
  "JSON": '{"detail": "no"}',
  "a FASTA": ">a\nacgt\n",
};

Deno.test("what is only odd becomes the same frame and the same lake", async (t) => {
  for (const [form, content] of Object.entries(ODD)) {
    await t.step(form, () =>
      inFolder(async (folder) => {
        const path = `${folder}/a.csv.gz`;
        await Deno.writeFile(path, gzipSync(content, { level: 1 }));
        const table = await tableFromArchive(path, { definitions: DEFINITIONS });
        await buildLake(path, `${folder}/lake`, { definitions: DEFINITIONS });
        await using lake = await openLake(`${folder}/lake`);
        const ours = await lake.table();
        assertFramesEqual(await ours.frame(), await table.frame());
        assertEquals([ours.ledger.unparsed, ours.ledger.complete], [table.ledger.unparsed, table.ledger.complete]);
        assertEquals(ours.problemCount, table.problemCount);
      }));
  }
});

Deno.test("what is not a table yields no rows: an error with its line, and no lake", async (t) => {
  for (const [form, content] of Object.entries(REFUSED)) {
    await t.step(form, () =>
      inFolder(async (folder) => {
        const path = `${folder}/a.csv.gz`;
        await Deno.writeFile(path, gzipSync(content));
        const [one, other] = [
          await assertRejects(() => tableFromArchive(path), ParseError, "a.csv.gz"),
          await assertRejects(() => buildLake(path, `${folder}/lake`), ParseError, "a.csv.gz"),
        ];
        assertEquals(one.line, other.line, `${one.message} / ${other.message}`);
        assertEquals(namesIn(`${folder}/lake`), []);
      }));
  }
});

Deno.test("what a registry does not send and people save is refused of an archive, and read into a lake", async (t) => {
  const saved: Readonly<Record<string, readonly [text: string, columns: readonly string[]]>> = {
    "carriage returns alone": [`Registry Accession,Whole\r${A},1\r`, ["Registry Accession", "Whole"]],
    "a column without a name": [`Registry Accession,,Whole\n${A},x,1\n`, [
      "Registry Accession",
      "column_2",
      "Whole",
    ]],
  };
  for (const [form, [text, columns]] of Object.entries(saved)) {
    await t.step(form, () =>
      inFolder(async (folder) => {
        const path = `${folder}/a.csv.gz`;
        await Deno.writeFile(path, gzipSync(text));
        await assertRejects(() => tableFromArchive(path), ParseError, "a.csv.gz");
        const [{ manifest }] = await buildLake(path, `${folder}/lake`);
        assertEquals([manifest.rows, manifest.columns.map(({ name }) => name)], [1, columns]);
      }));
  }
});

Deno.test("damaged gzip yields no rows: an error, and no lake", async (t) => {
  const text = `${HEADER}\n${Array.from({ length: 50 }, (_, row) => `${accession(row)},${row}\n`).join("")}`;
  for (const [fault, [bytes]] of Object.entries(damagedGzip(text))) {
    await t.step(fault, () =>
      inFolder(async (folder) => {
        const path = `${folder}/a.csv.gz`;
        await Deno.writeFile(path, bytes);
        await assertRejects(() => tableFromArchive(path), GzipError, "a.csv.gz");
        const error = await assertRejects(() => buildLake(path, `${folder}/lake`), GzipError);
        assert(error.message.includes("a.csv.gz"));
        assertEquals(namesIn(`${folder}/lake`), []);
      }));
  }
});

Deno.test("a row that is too long for the encoder is refused with its line, and nothing of it is left", async (t) => {
  const maxPartBytes = 100_000;
  const rowOf = (number: number, bytes: number, letter = "x") =>
    `${accession(number)},${letter.repeat(bytes - accession(number).length - 2)}\n`;
  const archives: [form: string, rows: string[], line: number | undefined][] = [
    ["as long as can be", [rowOf(1, maxPartBytes)], undefined],
    ["one byte longer", [rowOf(1, maxPartBytes + 1)], 2],
    ["after shorter ones", [rowOf(1, 1000), rowOf(2, 1000), rowOf(3, maxPartBytes)], 4],
    ["written anew, with more quotes than it came with", [rowOf(1, 35_000, 'x"')], 2],
  ];
  for (const [form, rows, line] of archives) {
    await t.step(form, () =>
      inFolder(async (folder) => {
        const [path, lake] = [`${folder}/a.csv.gz`, `${folder}/lake`];
        await writeGzip(path, `Registry Accession,Note\n${accession(0)},old\n`);
        const [old] = await buildLake(path, lake);
        await writeGzip(path, `Registry Accession,Note\n${rows.join("")}`);
        const build = () => buildLakeBy({ maxPartBytes }, path, lake);
        if (line === undefined) assertEquals((await build())[0].manifest.rows, rows.length);
        else {
          const error = await assertRejects(build, ParseError);
          assertEquals(
            error.message,
            "Cannot read a.csv.gz: the row on this line, or one before it, is too long; expected rows of up to about " +
              `100000 bytes; leave it out of the archive (line ${error.line})`,
          );
          assert(error.line === line || error.line === line + 1, `line ${error.line}`);
          assertEquals(namesIn(lake), ["_lake", "a"]);
          assertEquals(await readManifest(old.about), old.manifest);
        }
      }));
  }
});
