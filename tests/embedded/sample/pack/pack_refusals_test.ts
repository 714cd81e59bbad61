/** What packArchives() refuses. */
import { assertEquals, assertRejects } from "@std/assert";
import { gzipSync } from "node:zlib";
import { ParseError, RegistryError } from "../../../../src/core/errors.ts";
import { packArchives } from "../../../../src/embedded/sample/mod.ts";
import { makeFolder, namesIn, readRecords } from "../_archives.ts";
import { bytes } from "./_pack.ts";
import type { PackOptions } from "../../../../src/embedded/sample/mod.ts";

Deno.test("packArchives() refuses what is not a table, and says what it looks like", async (t) => {
  const cases: Record<string, [metadata: string | Uint8Array, looks: string]> = {
    "an HTML page": ["<!DOCTYPE html>\n<title>strain</title>\na\n", "an HTML page"],
    "a comment before a page": ["\uFEFF<!-- saved --><html>", "an HTML page"],
    "a page in gzip": [gzipSync("<html><body>a"), "an HTML page"],
    "JSON": ['["strain", "a"]', "JSON"],
    "a PDF document": ["%PDF-1.7\na\n", "a PDF document"],
    "an old workbook": [Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1), "of the old form (.xls); save it as .xlsx"],
    "a ZIP archive": [Uint8Array.of(0x50, 0x4b, 3, 4, 1, 2, 3), "it is not a whole ZIP archive"],
  };
  for (const [what, [metadata, looks]] of Object.entries(cases)) {
    await t.step(what, async () => {
      await using folder = await makeFolder();
      const source = typeof metadata === "string" ? bytes(metadata) : new Uint8Array(metadata);
      const options = { fasta: bytes(">a\nAC\n"), metadata: source, folder: `${folder.path}/set` };
      await assertRejects(() => packArchives(options), ParseError, looks);
      assertEquals(await namesIn(folder.path), []);
    });
  }
});

Deno.test("packArchives() refuses damaged input, and writes nothing", async (t) => {
  const whole = new Uint8Array(gzipSync(">a\n" + "ACGT".repeat(5000) + "\n"));
  const damaged = whole.slice();
  damaged[damaged.length - 6] ^= 0xff;
  const good = { fasta: bytes(">a\nACGT\n"), metadata: bytes("id,x\na,1\n") };
  type ErrorClass = typeof ParseError | typeof RegistryError | typeof RangeError | typeof TypeError;
  type Fault = [options: Partial<PackOptions>, type: ErrorClass, says: string];
  const faults: Record<string, Fault> = {
    "a truncated FASTA": [{ fasta: whole.subarray(0, whole.length - 12) }, ParseError, "gzip"],
    "a damaged FASTA": [{ fasta: damaged }, ParseError, "gzip"],
    "text before the first record": [{ fasta: bytes("hello\n>a\nACGT\n") }, ParseError, "line 1"],
    "a page of HTML for a FASTA": [{ fasta: bytes("<!doctype html><p>Gone") }, ParseError, "HTML"],
    "a table with two equal columns": [{ metadata: bytes("id,id\na,1\n") }, ParseError, 'two columns are called "id"'],
    "an empty table": [{ metadata: bytes("") }, ParseError, "empty"],
    "a table that is not UTF-8": [{ metadata: new Uint8Array([105, 100, 10, 0xff, 0xfe, 10]) }, ParseError, "UTF-8"],
    "a quoted cell that never ends": [{ metadata: bytes('id,x\na,"1\n') }, ParseError, "table"],
    "a missing FASTA": [{ fasta: "/nowhere/x.fasta" }, RegistryError, "the file does not exist"],
    "a missing table": [{ metadata: "/nowhere/x.csv" }, RegistryError, "the file does not exist"],
    "ids that do not match": [{ metadata: bytes("id,x\nb,1\n") }, RegistryError, "none of its ids is in any column"],
    "a column whose ids do not match": [{ idColumn: "x" }, RegistryError, 'none of its ids is in the column "x"'],
    "a piece that is another column's": [
      { fasta: bytes(">a|9\nAC\n"), metadata: bytes("id,x\na,1\n"), idPart: 2 },
      RegistryError,
      'they join by the first piece of the header with "id"',
    ],
    "a piece that no header has": [{ idPart: 9 }, RegistryError, 'the FASTA has headers like "a"'],
    "a column with other ids": [{ idColumn: "x" }, RegistryError, 'they join by the id with "id"'],
    "no records": [{ fasta: bytes("") }, RegistryError, "the FASTA has no records"],
    "no rows": [{ metadata: bytes("id,x\n") }, RegistryError, "the table no rows"],
    "no such column": [{ idColumn: "ix" }, RangeError, 'expected one of "id", "x"'],
    "an empty column name": [{ idColumn: "" }, TypeError, "empty"],
  };
  for (const [what, [fault, type, says]] of Object.entries(faults)) {
    await t.step(what, async () => {
      await using folder = await makeFolder();
      await assertRejects(() => packArchives({ ...good, folder: `${folder.path}/set`, ...fault }), type, says);
      assertEquals(await namesIn(folder.path), []);
    });
  }
});

Deno.test("packArchives() refuses a folder of other things before it reads anything", async () => {
  await using folder = await makeFolder();
  await Deno.writeTextFile(`${folder.path}/thesis.txt`, "mine");
  const options = { fasta: "/nowhere/x.fasta", metadata: "/nowhere/x.csv", folder: folder.path };
  await assertRejects(() => packArchives(options), RegistryError, "thesis.txt");
});

Deno.test("packArchives() names an encrypted workbook, and reads other encodings only when they are named", async () => {
  await using folder = await makeFolder();
  const table = Uint8Array.from("strain,place\na,Orl\u00e9ans\n", (letter) => letter.charCodeAt(0));
  const options = { fasta: bytes(">a\nAC\n"), metadata: table, folder: `${folder.path}/set` };
  await assertRejects(() => packArchives(options), ParseError, "pass --encoding windows-1252");
  await assertRejects(() => packArchives({ ...options, encoding: "latin-0" }), RangeError, "expected a name of the");
  const compound = new Uint8Array(3000);
  compound.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  compound.set([..."EncryptedPackage"].flatMap((letter) => [letter.charCodeAt(0), 0]), 1500);
  await assertRejects(
    () => packArchives({ ...options, metadata: compound }),
    ParseError,
    "it is an encrypted workbook",
  );
  await packArchives({ ...options, encoding: "windows-1252" });
  const [record] = await readRecords(`${folder.path}/set`, "full_dataset_metadata");
  assertEquals(record["place"], "Orléans");
});
