import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { gzipSync } from "node:zlib";
import { packArchives } from "../../../../src/embedded/sample/mod.ts";
import { namingOf } from "../../../../src/core/contract/naming.ts";
import { csvRow } from "../../../../src/core/io/csv/csv_text.ts";
import { testWithPrograms } from "../../../_needs.ts";
import { makeFolder, readRecords } from "../_archives.ts";
import { accession, bytes, pack } from "./_pack.ts";
import writeExcelFile from "write-excel-file";
import fc from "fast-check";

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
      const replaced = packed.ledger.entries.filter(({ code }) => code === "accessions-replaced");
      assertEquals(replaced.length, Object.keys(kept).length);
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
      [],
      "1 later row with an id that came before left out: a",
    ],
    "a second sequence": [">a\nA\n>a\nC\n", "id\na\n", ["a"], [], "1 later sequence with an id that came before"],
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
    "numbers": [["1", "2.5", "1e+3"], "float"],
    "numbers of which two are one": [["11320.1", "11320.100"], "string"],
    "whole numbers beyond 2^53": [["20240000000000003", "20240000000000004"], "string"],
    "leading zeros": [["001", "002"], "string"],
    "one number with a unit among few": [["37", "37 years"], "string"],
    "one that does not fit among a hundred": [[...Array.from({ length: 99 }, (_, n) => String(n)), "?"], "integer"],
    "dates of any precision": [["2013-12-05", "2013-12-XX", "2013-12", "2013-XX-XX"], "date"],
    "years alone": [["2013", "2014"], "integer"],
    "words for missing beside dates": [[...Array(9).fill("not collected"), "2013", "2013-05"], "date"],
    "words for missing beside numbers": [["n/a", "Not provided", "missing: lab stock", "12"], "integer"],
    "dates of all documented forms": [
      ["05-Dec-2013", "Dec-2013", "2013-00-00", "2013-XX-05", "2013-12-05T10:30:00Z", "2013-05/2013-06", " 2013 "],
      "date",
    ],
    "a leading zero among many numbers": [["012", ...Array.from({ length: 99 }, (_, n) => String(n))], "string"],
    "the code of Norway": [["NO", "NO"], "string"],
    "decimals that are whole": [["1.0", "2.0"], "float"],
    "booleans": [["true", "false", ""], "boolean"],
    "arrays": [['["a", "b"]', "[]"], "list"],
    "texts with semicolons": [["a;b", "c; d"], "string"],
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

Deno.test("packArchives() is incomplete where a record may have vanished in another", async () => {
  const { packed } = await pack(">a\nACGT>b\nGT\n", "id\na\n");
  assertEquals(packed.ledger.complete, false);
  assertEquals(packed.ledger.reasons, [
    '1 record with ">" inside the sequence, where another record may have vanished: a (line 2)',
  ]);
});

Deno.test("packArchives() prefers the type of a public field, and names the values that do not fit", async (t) => {
  const cases: Record<string, [column: string, values: string[], type: string, warnings: string[]]> = {
    "years in a column of dates": ["date", ["2013", "2014"], "date", []],
    "years in a column with date in its name": ["onset_date", ["2013", "2014"], "date", []],
    "lengths with their unit": ["length", ["1", "1 bp", "n/a"], "integer", []],
    "some lengths that are not read": ["length", ["1", "1", "1,234"], "integer", [
      '1 of 3 values of "Sequence Length" is not an integer, kept as received: "1,234"',
    ]],
    "most of them": ["gc", ["0,5", "0,5", "0.5"], "string", [
      '2 of 3 values of "GC Content" are not numbers, so the field is text: "0,5"',
    ]],
  };
  for (const [what, [column, values, type, warnings]] of Object.entries(cases)) {
    await t.step(what, async () => {
      const fasta = values.map((_, index) => `>r${index}\nA\n`).join("");
      const table = [`id\t${column}`, ...values.map((value, index) => `r${index}\t${value}`)].join("\n");
      const { packed, definitions } = await pack(fasta, table);
      assertEquals(definitions[2].type, type);
      const states = (warning: string) => !warning.includes("state another length");
      assertEquals([packed.ledger.warnings.filter(states), packed.ledger.complete], [warnings, true]);
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

Deno.test("packArchives() keeps values and bases as they are", async () => {
  const value = fc.string({
    unit: fc.constantFrom("a", "É", '"', ",", "\n", "|", ";", " ", "?", "\t", "0"),
    maxLength: 8,
  });
  const letters = fc.string({ unit: fc.constantFrom(..."ACGTUNacgtun-*."), minLength: 1, maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(value, letters), { minLength: 1, maxLength: 20, size: "max" }),
      async (pairs) => {
        const fasta = pairs.map(([, text], index) => `>r${index} said\n${text.replace(/.{1,60}/g, "$&\r\n")}`).join("");
        const table = [["id", "free text"], ...pairs.map(([text], index) => [`r${index}`, text])].map(csvRow).join(
          "\n",
        );
        const { records, sequences } = await pack(fasta, table + "\n");
        assertEquals(records.map((record) => record["free text"]), pairs.map(([text]) => text));
        assertEquals(sequences.map(([, text]) => text), pairs.map(([, text]) => text));
      },
    ),
    { numRuns: 8, seed: 8 },
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

Deno.test("packArchives() reads tables of other separators, and reports it", async (t) => {
  const cases: Record<string, [table: string, name: string, warnings: string[]]> = {
    "semicolons": [
      'strain;share;note\na;0,5;"x; y"\n',
      "m.csv",
      [
        "m.csv is separated by semicolons, not commas: it was read as such",
        'm.csv writes decimals with commas, such as "0,5": they are text, and so are numbers with a point, which may ' +
        "separate thousands",
      ],
    ],
    "tabs in a .csv": [
      "strain\tshare\tnote\na\t0,5\tx; y\n",
      "m.csv.gz",
      ["m.csv.gz is separated by tabs, not commas: it was read as such"],
    ],
    "tabs": ["strain\tshare\tnote\na\t0,5\tx; y\n", "m.tsv", []],
  };
  for (const [what, [table, name, warnings]] of Object.entries(cases)) {
    await t.step(what, async () => {
      const { packed, records } = await pack(">a\nACGT\n", table, { names: { metadata: name } });
      assertEquals([records[0]["Isolate"], records[0]["share"], records[0]["note"]], ["a", "0,5", "x; y"]);
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

Deno.test("packArchives() says which records of a registry FASTA could not be read", async () => {
  const fasta = `;fields=registry_accession|Country\n>${accession(1)}|Peru\nA\n>${accession(2)}|Peru|x\nC\n`;
  const { packed, records } = await pack(fasta, `Registry Accession\n${accession(1)}\n${accession(2)}\n`);
  assertEquals(records.length, 1);
  assertEquals([packed.ledger.complete, packed.ledger.unparsed], [false, 1]);
  assert(packed.ledger.reasons.some((reason) => reason.includes("values")), packed.ledger.reasons.join("\n"));
});
