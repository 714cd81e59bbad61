import { assert, assertEquals, assertGreater, assertRejects, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { gunzipSync, gzipSync } from "node:zlib";
import writeExcelFile from "write-excel-file";
import { ParseError, RegistryError } from "../../src/errors.ts";
import { verifyArchive } from "../../src/datasets/mod.ts";
import { packArchives, type Packed, type PackOptions } from "../../src/sample/mod.ts";
import type { FieldDefinition } from "../../src/contract/metadata.ts";
import { namingOf } from "../../src/contract/naming.ts";
import { csvRow } from "../../src/io/csv/csv_text.ts";
import { testWithPrograms, testWithRealData } from "../_needs.ts";
import { makeFolder, namesIn, readArchive, readRecords } from "./_archives.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** Packs texts and reads the full set back. */
async function pack(
  fasta: string,
  metadata: string,
  options: Partial<PackOptions> = {},
): Promise<
  { packed: Packed; records: Record<string, string>[]; sequences: string[][]; definitions: FieldDefinition[] }
> {
  await using folder = await makeFolder();
  const packed = await packArchives({
    fasta: bytes(fasta),
    metadata: bytes(metadata),
    folder: `${folder.path}/set`,
    ...options,
  });
  return {
    packed,
    records: await readRecords(`${folder.path}/set`, "full_dataset_metadata", options.naming),
    sequences: (await readArchive(`${folder.path}/set`, "full_dataset_sequence", options.naming)).slice(1),
    definitions: JSON.parse(await Deno.readTextFile(`${folder.path}/set/definitions.json`)),
  };
}

const accession = (number: number) => `vj${String(number).padStart(12, "0")}`;

Deno.test("packArchives() chooses the id column", async (t) => {
  const cases: Record<string, [metadata: string, idColumn: string | undefined, chosen: string]> = {
    "the one that matches": ["country,strain\nPeru,a\nCuba,b\n", undefined, "strain"],
    "the first of equals": ["strain,copy\na,a\nb,b\n", undefined, "strain"],
    "the one with most matches": ["first,second\na,a\nx,b\n", undefined, "second"],
    "the one that was asked for": ["first,second\na,a\nx,b\n", "first", "first"],
  };
  for (const [what, [metadata, idColumn, chosen]] of Object.entries(cases)) {
    await t.step(what, async () => {
      const { packed } = await pack(">a\nAC\n>b\nGT\n", metadata, { idColumn });
      assertEquals(packed.idColumn, chosen);
    });
  }
});

Deno.test("packArchives() keeps accessions that came in and assigns the others", async (t) => {
  const cases: Record<
    string,
    [fasta: string, metadata: string, accessions: string[], kept?: Record<string, string[]>]
  > = {
    "none came in: the FASTA's order": [">b\nA\n>a\nC\n", "id\na\nb\n", [accession(1), accession(2)]],
    "some came in a column": [
      ">a\nA\n>b\nC\n>c\nG\n",
      `id,Registry Accession\na,\nb,${accession(1)}\nc,${accession(900)}\n`,
      [accession(2), accession(1), accession(900)],
    ],
    "under the alias": [">a\nA\n", `id,registry_accession\na,${accession(7)}\n`, [accession(7)]],
    "as ids": [`>${accession(5)}\nA\n>x\nC\n`, `id\n${accession(5)}\nx\n`, [accession(5), accession(1)]],
    "as ids of a registry FASTA": [
      `;fields=registry_accession|Country\n>${accession(2)}|Peru\nA\n`,
      `Registry Accession,Country\n${accession(2)},Peru\n`,
      [accession(2)],
    ],
    "malformed ones are kept beside": [
      ">a\nA\n>b\nC\n",
      `id,Registry Accession\na,vj12\nb,${accession(1)}\n`,
      [accession(2), accession(1)],
      { "Submitted Accession": ["vj12", accession(1)] },
    ],
  };
  for (const [what, [fasta, metadata, accessions, kept = {}]] of Object.entries(cases)) {
    await t.step(what, async () => {
      const { packed, records, sequences } = await pack(fasta, metadata);
      assertEquals(records.map((record) => record["Registry Accession"]), accessions);
      assertEquals(sequences.map(([accession]) => accession), accessions);
      assertEquals(packed.ledger.complete, true);
      for (const [field, values] of Object.entries(kept)) assertEquals(records.map((record) => record[field]), values);
    });
  }
});

Deno.test("packArchives() names all that it leaves out", async (t) => {
  const cases: Record<string, [fasta: string, metadata: string, packed: string[], missing: string[], says: string]> = {
    "a row without a sequence": [">a\nA\n", "id\na\nb\n", ["a"], ["b"], "1 row without a sequence left out: b"],
    "a sequence without a row": [">a\nA\n>b\nC\n", "id\na\n", ["a"], ["b"], "1 sequence without a row left out: b"],
    "a row without an id": [">a\nA\n", "id,x\na,1\n,2\n", ["a"], ["row 2"], "1 row without a sequence left out: row 2"],
    "a header without an id": [">a\nA\n>\nC\n", "id,x\na,\n,2\n", ["a"], ["row 2", "record 2"], "record 2"],
    "an id that differs by a blank": [">a\nA\n>b\nA\n", "id\na\n b\n", ["a"], [" b", "b"], "without a row left out: b"],
    "an id that differs in case": [">a\nA\n>b\nA\n", "id\na\nB\n", ["a"], ["B", "b"], "without a row left out: b"],
    "a second row": [
      ">a\nA\n",
      "id,x\na,1\na,2\n",
      ["a"],
      ["a"],
      "1 later row with an id that came before left out: a",
    ],
    "a second sequence": [">a\nA\n>a\nC\n", "id\na\n", ["a"], ["a"], "1 later sequence with an id that came before"],
    "a second use of an accession": [
      ">a\nA\n>b\nC\n",
      `id,Registry Accession\na,${accession(3)}\nb,${accession(3)}\n`,
      ["a"],
      [`b (${accession(3)})`],
      `1 later use of an accession left out: b (${accession(3)})`,
    ],
  };
  for (const [what, [fasta, metadata, joined, missing, says]] of Object.entries(cases)) {
    await t.step(what, async () => {
      const { packed, records } = await pack(fasta, metadata);
      assertEquals(records.map((record) => record["id"]), joined);
      assertEquals([...packed.ledger.missing].sort(), [...missing].sort());
      assertEquals(packed.ledger.complete, false);
      assert(packed.ledger.reasons.some((reason) => reason.includes(says)), packed.ledger.reasons.join("\n"));
      assertEquals(packed.ledger.received, joined.length);
    });
  }
});

Deno.test("packArchives() names all of many, and shows twenty", async () => {
  const rows = Array.from({ length: 45 }, (_, index) => `lost${index}`);
  const { packed } = await pack(">a\nA\n", `id\na\n${rows.join("\n")}\n`);
  assertEquals(packed.ledger.missing.length, 45);
  assertStringIncludes(packed.ledger.reasons[0], "45 rows without a sequence left out: lost0");
  assertStringIncludes(packed.ledger.reasons[0], "and 25 more");
});

Deno.test("packArchives() gives common columns their public names, and others their own", async (t) => {
  const cases: Record<string, Record<string, string>> = {
    "strain,date,country,host,length": {
      strain: "Isolate",
      date: "Collection Date",
      country: "Country",
      host: "Host Species",
      length: "Sequence Length",
    },
    "strain,isolate": { strain: "strain", isolate: "Isolate" },
    "Isolate,isolate,strain": { Isolate: "Isolate", isolate: "isolate", strain: "strain" },
    "strain,accession,genbank_accession": {
      accession: "Source Accession",
      genbank_accession: "genbank_accession",
    },
    "strain,submitting_lab,authors,date_submitted,virus,region,division,segment": {
      submitting_lab: "Submitter",
      authors: "Authors",
      date_submitted: "Release Date",
      virus: "Species",
      region: "Geo Region",
      division: "Location",
      segment: "Segment",
    },
    "strain,division,city": { division: "division", city: "Location" },
    "strain,Collection Date,date": { "Collection Date": "Collection Date", date: "date" },
    "strain,collection-date,HOST SPECIES": { "collection-date": "Collection Date", "HOST SPECIES": "Host Species" },
    "strain,cluster,Cluster Size": { cluster: "cluster", "Cluster Size": "Cluster Size" },
    "strain,constructor,__proto__,toString": { constructor: "constructor", toString: "toString" },
    "strain,wetter,Größe,日付": { wetter: "wetter", "Größe": "Größe", "日付": "日付" },
  };
  for (const [header, names] of Object.entries(cases)) {
    await t.step(header, async () => {
      const columns = header.split(",");
      const { packed, definitions } = await pack(">a\nA\n", `${header}\n${columns.map(() => "a").join(",")}\n`);
      for (const [column, name] of Object.entries(names)) assertEquals(packed.columns.get(column), name);
      assertEquals(definitions.map(({ name }) => name), packed.fields.map(({ name }) => name));
      assertEquals(new Set(definitions.map(({ name }) => name)).size, definitions.length);
      assertEquals(new Set(definitions.map(({ alias }) => alias)).size, definitions.length);
      assert(definitions.every(({ alias, description }) => alias !== "" && description !== ""));
    });
  }
});

Deno.test("packArchives() defines fields by what is seen in them", async (t) => {
  const cases: Record<string, [values: string[], type: string]> = {
    "whole numbers": [["1", "-20", "300"], "integer"],
    "numbers": [["1", "2.5", "1e3"], "float"],
    "leading zeros": [["001", "002"], "string"],
    "one number with a unit among few": [["37", "37 years"], "string"],
    "one that does not fit among a hundred": [[...Array.from({ length: 99 }, (_, n) => String(n)), "?"], "integer"],
    "dates of any precision": [["2013-12-05", "2013-12-XX", "2013-12", "2013-XX-XX"], "date"],
    "years alone": [["2013", "2014"], "integer"],
    "booleans": [["true", "false", ""], "boolean"],
    "lists": [["a;b", "c; d"], "list"],
    "texts": [["a", "b"], "string"],
    "nothing": [["", ""], "string"],
    "unknowns": [["?", "?"], "string"],
  };
  for (const [what, [values, type]] of Object.entries(cases)) {
    await t.step(what, async () => {
      const fasta = values.map((_, index) => `>r${index}\nA\n`).join("");
      const table = ["id\tvalue", ...values.map((value, index) => `r${index}\t${value}`)].join("\n");
      const { definitions } = await pack(fasta, table);
      const definition = definitions.find(({ name }) => name === "value")!;
      assertEquals([definition.type, definition.example], [type, values.find((value) => value !== "") ?? ""]);
    });
  }
});

Deno.test("packArchives() adds the length and the clusters where the table has none", async () => {
  const fasta = ">a\nAC\nGT\n>b\nacgt\n>c\nAC-*.N\n";
  const { records } = await pack(fasta, "id\na\nb\nc\n");
  assertEquals(records.map((record) => record["Sequence Length"]), ["4", "4", "6"]);
  assertEquals(records.map((record) => record["Cluster"]), ["C0000001", "C0000001", "C0000002"]);
  assertEquals(records.map((record) => record["Cluster Size"]), ["2", "2", "1"]);
  assertEquals(records.map((record) => record["Cluster Representative"]), [accession(1), accession(1), accession(3)]);
  const { packed, records: stated } = await pack(fasta, "id,length\na,4\nb,999\nc,?\n");
  assertEquals(stated.map((record) => record["Sequence Length"]), ["4", "999", "?"]);
  assertEquals(packed.ledger.warnings, ["1 of 3 rows state another length than their sequence has"]);
  assertEquals(packed.ledger.complete, true);
});

Deno.test("packArchives() keeps values and letters as they are", async () => {
  const value = fc.string({
    unit: fc.constantFrom("a", "É", '"', ",", "\n", "|", ";", " ", "?", "\t", "0"),
    maxLength: 8,
  });
  const letters = fc.string({ unit: fc.constantFrom(..."ACGTUNacgtun-*."), minLength: 1, maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(value, letters), { minLength: 1, maxLength: 8 }), async (pairs) => {
      const fasta = pairs.map(([, text], index) => `>r${index} said\n${text.replace(/.{1,60}/g, "$&\r\n")}`).join("");
      const table = [["id", "free text"], ...pairs.map(([text], index) => [`r${index}`, text])].map(csvRow).join("\n");
      const { records, sequences } = await pack(fasta, table + "\n");
      assertEquals(records.map((record) => record["free text"]), pairs.map(([text]) => text));
      assertEquals(sequences.map(([, text]) => text), pairs.map(([, text]) => text));
    }),
    { numRuns: 20, seed: 8 },
  );
});

Deno.test("packArchives() reads gzip, and streams that can be read once", async () => {
  const fasta = new Uint8Array(gzipSync(">a\nAC\n>b\nGT\n"));
  const stream = () => new Response(fasta).body!;
  const table = new Uint8Array(gzipSync("id\na\nb\n"));
  const { packed, sequences } = await pack("", "", { fasta: stream(), metadata: new Response(table).body! });
  assertEquals(sequences.map(([, text]) => text), ["AC", "GT"]);
  assertEquals(packed.provenance.bytes, fasta.length + table.length);
});

testWithPrograms(["mkfifo", "sh"], "packArchives() reads a named pipe, which gives its bytes once", async () => {
  await using folder = await makeFolder();
  const pipe = `${folder.path}/pipe`;
  await new Deno.Command("mkfifo", { args: [pipe] }).output();
  const writing = new Deno.Command("sh", { args: ["-c", `printf '>a\\nAC\\n' > "$0"`, pipe] }).output();
  const { sequences } = await pack("", "id\na\n", { fasta: pipe });
  assertEquals(sequences, [[accession(1), "AC"]]);
  await writing;
});

Deno.test("packArchives() follows another naming", async () => {
  const naming = namingOf({ registry: "genomebank" });
  const { records } = await pack(">a\nA\n", `id,genomebank_accession\na,${accession(3)}\n`, { naming });
  assertEquals(records[0]["Genomebank Accession"], accession(3));
});

Deno.test("packArchives() computes GC content and ambiguous bases where the table has no such field", async () => {
  const fasta = ">a\nacGTu\n>b\nNNRY\n>c\nGGGA\n";
  const found = await pack(fasta, "id\na\nb\nc\n");
  assertEquals(found.records.map((record) => [record["GC Content"], record["Ambiguous Bases"]]), [
    ["40.00", "0"],
    ["", "4"],
    ["75.00", "0"],
  ]);
  const stated = await pack(fasta, "id,gc,Ambiguous Bases\na,0.1,9\nb,?,\nc,x,1\n");
  assertEquals(stated.records.map((record) => [record["GC Content"], record["Ambiguous Bases"]]), [
    ["0.1", "9"],
    ["?", ""],
    ["x", "1"],
  ]);
});

Deno.test("packArchives() reads tables of other separators, and says so", async (t) => {
  const cases: Record<string, [table: string, name: string, warnings: string[]]> = {
    "semicolons": [
      'strain;gc;note\na;0,5;"x; y"\n',
      "m.csv",
      ["m.csv is separated by semicolons, not commas: it was read as such"],
    ],
    "tabs in a .csv": [
      "strain\tgc\tnote\na\t0,5\tx; y\n",
      "m.csv.gz",
      ["m.csv.gz is separated by tabs, not commas: it was read as such"],
    ],
    "tabs": ["strain\tgc\tnote\na\t0,5\tx; y\n", "m.tsv", []],
  };
  for (const [what, [table, name, warnings]] of Object.entries(cases)) {
    await t.step(what, async () => {
      const { packed, records } = await pack(">a\nACGT\n", table, { names: { metadata: name } });
      assertEquals([records[0]["Isolate"], records[0]["GC Content"], records[0]["note"]], ["a", "0,5", "x; y"]);
      assertEquals([packed.ledger.warnings, packed.ledger.complete], [warnings, true]);
    });
  }
});

Deno.test("packArchives() keeps line breaks within cells as they are", async () => {
  const { records } = await pack(">a\nACGT\n", 'strain,note,other\r\na,"one\r\ntwo\nthree","x"\r\n');
  assertEquals([records[0]["note"], records[0]["other"]], ["one\r\ntwo\nthree", "x"]);
});

Deno.test("packArchives() reads the first sheet of a workbook, dates as ISO days", async () => {
  const text = (value: string) => ({ type: String, value });
  const date = (value: string, format = "yyyy-mm-dd") => ({ type: Date, value: new Date(value), format });
  const book = await writeExcelFile([
    {
      sheet: "first",
      data: [
        [text("strain"), text("date"), text("length"), text("note"), null],
        [text("a"), date("2013-05-05"), { type: Number, value: 4 }, text(" 007, x "), null],
        [null, null, null, null, null],
        [text("b"), date("2013-05-05T13:30:00Z", "yyyy-mm-dd hh:mm"), { type: Number, value: 48.12 }, null, null],
      ],
    },
    { sheet: "second", data: [[text("other")]] },
  ]).toBuffer();
  const folder = await makeFolder();
  await using _ = folder;
  const packed = await packArchives({
    fasta: bytes(">a\nACGT\n>b\nAC\n"),
    metadata: book,
    folder: `${folder.path}/set`,
  });
  assertEquals([packed.idColumn, packed.ledger.complete], ["strain", true]);
  const records = await readRecords(`${folder.path}/set`, "full_dataset_metadata");
  assertEquals(records.map((record) => [record["Collection Date"], record["Sequence Length"], record["note"]]), [
    ["2013-05-05", "4", " 007, x "],
    ["2013-05-05T13:30:00", "48.12", ""],
  ]);
});

Deno.test("packArchives() refuses what is not a table, and says what it looks like", async (t) => {
  const cases: Record<string, [metadata: string | Uint8Array, looks: string]> = {
    "an HTML page": ["<!DOCTYPE html>\n<title>strain</title>\na\n", "an HTML page"],
    "a comment before a page": ["\uFEFF<!-- saved --><html>", "an HTML page"],
    "a page in gzip": [gzipSync("<html><body>a"), "an HTML page"],
    "JSON": ['[{"strain": "a"}]', "JSON"],
    "a PDF document": ["%PDF-1.7\na\n", "a PDF document"],
    "an old workbook": [Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1), "an Excel workbook of the old form"],
    "a ZIP archive": [Uint8Array.of(0x50, 0x4b, 3, 4, 1, 2, 3), "a ZIP archive, and not an Excel workbook"],
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
    "a ragged table": [{ metadata: bytes("id,x\na,1,2\n") }, ParseError, "row 1 has 3 cells, the header has 2"],
    "a table with two equal columns": [{ metadata: bytes("id,id\na,1\n") }, ParseError, 'two columns are called "id"'],
    "an empty table": [{ metadata: bytes("") }, ParseError, "empty"],
    "a table that is not UTF-8": [{ metadata: new Uint8Array([105, 100, 10, 0xff, 0xfe, 10]) }, ParseError, "UTF-8"],
    "a quoted cell that never ends": [{ metadata: bytes('id,x\na,"1\n') }, ParseError, "table"],
    "a missing FASTA": [{ fasta: "/nowhere/x.fasta" }, RegistryError, "no such file"],
    "a missing table": [{ metadata: "/nowhere/x.csv" }, RegistryError, "no such file"],
    "ids that do not match": [{ metadata: bytes("id,x\nb,1\n") }, RegistryError, "none of its ids is in any column"],
    "a column whose ids do not match": [{ idColumn: "x" }, RegistryError, 'none of its ids is in the column "x"'],
    "no records": [{ fasta: bytes("") }, RegistryError, "the FASTA has no records"],
    "no rows": [{ metadata: bytes("id,x\n") }, RegistryError, "the table no rows"],
    "no such column": [{ idColumn: "ix" }, RangeError, 'did you mean "id"'],
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

Deno.test("packArchives() says which records of a registry FASTA could not be read", async () => {
  const fasta = `;fields=registry_accession|Country\n>${accession(1)}|Peru\nA\n>${accession(2)}|Peru|x\nC\n`;
  const { packed, records } = await pack(fasta, `Registry Accession\n${accession(1)}\n${accession(2)}\n`);
  assertEquals(records.length, 1);
  assertEquals([packed.ledger.complete, packed.ledger.unparsed], [false, 1]);
  assert(packed.ledger.reasons.some((reason) => reason.includes("values")), packed.ledger.reasons.join("\n"));
});

for (
  const [name, file, count, idColumn] of [
    ["zika", "sequences.fasta", 34, "strain"],
    ["sarscov2", "sequences.fasta.gz", 418, "strain"],
  ] as const
) {
  testWithRealData(`packArchives() gives back the genomes of ${name}, byte for byte`, async (real) => {
    const fasta = new URL(`${name}/${file}`, real);
    const metadata = new URL(`${name}/metadata.tsv`, real);
    await using folder = await makeFolder();
    const packed = await packArchives({ fasta, metadata, folder: folder.path });
    assertEquals([packed.idColumn, packed.ledger.complete, packed.ledger.received], [idColumn, true, count]);

    const raw = await Deno.readFile(fasta);
    const text = new TextDecoder().decode(file.endsWith(".gz") ? gunzipSync(raw) : raw);
    const expected = text.split(">").slice(1).map((record) => {
      const [id, ...lines] = record.split("\n");
      return [id, lines.join("")];
    });
    const records = await readRecords(folder.path, "full_dataset_metadata");
    const [, ...sequences] = await readArchive(folder.path, "full_dataset_sequence");
    assertEquals(records.map((record) => record["Isolate"]), expected.map(([id]) => id));
    assertEquals(sequences.map(([, sequence]) => sequence), expected.map(([, sequence]) => sequence));
    assertEquals(sequences.map(([accession]) => accession), expected.map((_, index) => accession(index + 1)));

    const [header, ...lines] = (await Deno.readTextFile(metadata)).trimEnd().split("\n").map((line) =>
      line.split("\t")
    );
    const rows = new Map(lines.map((cells) => [cells[0], cells]));
    for (const record of records) {
      const cells = rows.get(record["Isolate"])!;
      for (const [index, column] of header.entries()) {
        assertEquals(record[packed.columns.get(column)!], cells[index], `${record["Isolate"]}, ${column}`);
      }
    }
    const definitions: FieldDefinition[] = JSON.parse(await Deno.readTextFile(`${folder.path}/definitions.json`));
    assertEquals(definitions.find(({ name }) => name === "Collection Date")?.type, "date");
    const distinct = new Set(expected.map(([, sequence]) => sequence.toUpperCase())).size;
    assertEquals((await readArchive(folder.path, "unique_seqs_sequence")).length - 1, distinct);
    if (name === "sarscov2") assertGreater(count, distinct);
    for (const archive of (await namesIn(folder.path)).filter((name) => name.endsWith(".csv.gz"))) {
      assert((await verifyArchive(`${folder.path}/${archive}`)).ok, archive);
    }
  });
}
