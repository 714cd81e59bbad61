/** Accession lists, definitions, XML and writers. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { ParseError, RegistryError } from "../../src/errors.ts";
import { writeDefinitions } from "../../src/service/operations/export_definitions.ts";
import type { FieldDefinition } from "../../src/contract/metadata.ts";
import { namingOf } from "../../src/contract/naming.ts";
import {
  accessionsTable,
  definitionsTable,
  readDefinitions,
  tableFromCsv,
  tableFromHits,
  tableFromXml,
  writeFrame,
} from "../../src/tables/mod.ts";
import { bytesOf, exactRows, schemaOf } from "./_frames.ts";

const A = "vj000000000001";
const B = "vj000000000002";

Deno.test("accessionsTable() reads every form of a list", async (t) => {
  const lists: Record<string, [format: "tsv" | "xml", text: string]> = {
    "TSV": ["tsv", `Registry Accession\n${A}\n${B}\n`],
    "TSV without header": ["tsv", `${A}\n${B}\n`],
    "TSV, CRLF": ["tsv", `registry_accession\r\n${A}\r\n${B}\r\n`],
    "TSV, second column": ["tsv", `n\tid\n1\t${A}\n2\t${B}\n`],
    "XML": [
      "xml",
      `<?xml version="1.0"?>\n<records>\n<record><Registry_Accession name="Registry Accession">${A}</Registry_Accession></record>` +
      `<record><Registry_Accession>${B}</Registry_Accession></record></records>`,
    ],
    "flat XML": ["xml", `<list><a>${A}</a><a>${B}</a></list>`],
  };
  for (const [form, [format, text]] of Object.entries(lists)) {
    await t.step(form, async () => {
      const table = await accessionsTable(bytesOf(text), { format, asked: [B, A] });
      assertEquals(table.accessions, [A, B]);
      assertEquals(schemaOf(await table.frame()), [["Registry Accession", "DataType(String)"]]);
      assert(table.ledger.complete);
    });
  }
});

Deno.test("accessionsTable() names what is no accession, and what did not come", async () => {
  const list = bytesOf(`Registry Accession\n${A}\nvj1\n`);
  const { ledger, problems, accessions } = await accessionsTable(list, { format: "tsv", asked: [A, B] });
  assertEquals(accessions, [A]);
  assertEquals(problems[0].line, 3);
  assertEquals(problems[0].value, "vj1");
  assertEquals(ledger.missing, [B]);
  assertEquals(ledger.unparsed, 1);
});

Deno.test("accessionsTable() refuses a page, JSON and nothing", async () => {
  for (const text of ["<!doctype html>", '{"detail": 1}', ""]) {
    await assertRejects(() => accessionsTable(bytesOf(text), { format: "tsv" }), ParseError);
    await assertRejects(() => accessionsTable(bytesOf(text), { format: "xml" }), ParseError);
  }
});

Deno.test("accession lists follow the naming", async () => {
  const naming = namingOf({ registry: "genomebank" });
  const table = await accessionsTable(bytesOf(`Genomebank Accession\n${A}\n`), { format: "tsv", naming });
  assertEquals((await table.frame()).columns, ["Genomebank Accession"]);
});

const COUNTRY: FieldDefinition = {
  name: "Country",
  alias: "country",
  type: "string",
  description: 'Where, as "said"',
  unit: "",
  example: "Kenya",
};
const LENGTH: FieldDefinition = {
  name: "Sequence Length",
  alias: "sequence_length",
  type: "integer",
  description: "",
  unit: "bp",
  example: "10794",
};

Deno.test("definitionsTable() reads what the embedded registry writes, in both formats", async (t) => {
  for (const format of ["csv", "json"] as const) {
    await t.step(format, async () => {
      const bytes = await writeDefinitions([LENGTH, COUNTRY], format);
      const table = await definitionsTable(bytes, { format, asked: ["Country", "Sequence Length"] });
      assertEquals(table.definitions, [COUNTRY, LENGTH]);
      assertEquals(table.recognised, { name: "name", alias: "alias", type: "type" });
      assertEquals(table.rows, 2);
      assert(table.ledger.complete);
      assertEquals((await table.frame()).getColumn("name").toArray(), ["Sequence Length", "Country"]);
    });
  }
});

Deno.test("readDefinitions() recognises columns by their values", async (t) => {
  const asked = ["Country", "Sequence Length"];
  await t.step("other names", () => {
    const { definitions, recognised, missing } = readDefinitions([
      { Public: "Country", Key: "country", Kind: "VARCHAR(20)", Note: "string" },
      { Public: "Sequence Length", Key: "sequence_length", Kind: "bigint", Note: "string" },
    ], [...asked, "Isolate"]);
    assertEquals(recognised, { name: "Public", alias: "Key", type: "Kind" });
    assertEquals(definitions.map(({ name, alias, type }) => [name, alias, type]), [
      ["Country", "country", "string"],
      ["Sequence Length", "sequence_length", "integer"],
    ]);
    assertEquals(missing, ["Isolate"]);
  });
  await t.step("no types", () => {
    const { definitions, warnings } = readDefinitions([{ n: "Country", about: "free words" }], ["Country"]);
    assertEquals(definitions[0].type, "string");
    assertEquals(warnings.length, 1);
  });
  await t.step("no names", () => {
    const { definitions, reasons } = readDefinitions([{ a: 1 }], asked);
    assertEquals(definitions.map(({ name, type }) => [name, type]), [["Country", "string"], [
      "Sequence Length",
      "string",
    ]]);
    assertEquals(reasons, ["no column of the definitions holds the names asked for: every field is taken as text"]);
  });
  await t.step("nothing came", () => assertEquals(readDefinitions([], asked).missing, asked));
});

Deno.test("definitionsTable() refuses what is no list of definitions", async () => {
  for (const text of ["", "{", "[1]", '{"a": 1}', "<html>"]) {
    await assertRejects(
      () => definitionsTable(bytesOf(text), { format: "json", name: "d.json" }),
      ParseError,
      "d.json",
    );
  }
});

Deno.test("tableFromXml() reads other structures", async (t) => {
  const forms: Record<string, string> = {
    "fields with names": `<r><row><field name="Country">Kenya</field><field name="Host">bat</field></row></r>`,
    "nested":
      `<response><total>1</total><records><record><Country>Kenya</Country><Host>bat</Host></record></records></response>`,
    "CDATA": `<r><row><Country><![CDATA[Kenya]]></Country><Host>bat</Host></row></r>`,
    "references": `<r><row><Country>K&#101;ny&#x61;</Country><Host>bat</Host></row></r>`,
  };
  for (const [form, xml] of Object.entries(forms)) {
    await t.step(form, async () => {
      const table = await tableFromXml(bytesOf(xml));
      assertEquals((await table.frame()).toRecords(), [{ Country: "Kenya", Host: "bat" }]);
    });
  }
  await t.step("a record of empty fields is a record", async () => {
    assertEquals((await tableFromXml(bytesOf("<r><row><a/><b/></row></r>"))).rows, 1);
  });
  await t.step("no records", async () => {
    for (const xml of ["<records/>", "<records>\n</records>", "<records><record/></records>"]) {
      assertEquals((await tableFromXml(bytesOf(xml))).rows, 0);
    }
  });
});

Deno.test("tableFromXml() refuses what is no XML, and what is dangerous", async (t) => {
  const faults: Record<string, string> = {
    "cut short": "<records><record><a>1</a></record>",
    "a CSV": "a,b\n1,2\n",
    "nothing": "  ",
    "entities of its own": '<!DOCTYPE r [<!ENTITY a "aaaa">]><r><x><y>&a;</y></x></r>',
  };
  for (const [fault, xml] of Object.entries(faults)) {
    await t.step(fault, async () => {
      await assertRejects(() => tableFromXml(bytesOf(xml), { name: "a.xml" }), ParseError, "Cannot read a.xml");
    });
  }
  await t.step("too large", async () => {
    const long = bytesOf(`<r><x><y>${"long ".repeat(100)}</y></x></r>`);
    await assertRejects(() => tableFromXml(long, { maxRecordLetters: 50 }), RangeError, "ask for CSV");
    const many = bytesOf(`<r>${"<x>\n <y>short</y>\n</x>\n".repeat(100)}</r>`);
    assertEquals((await tableFromXml(many, { maxRecordLetters: 50 })).rows, 100);
  });
});

Deno.test("tableFromHits() types hits of other registries", async () => {
  const source = { "Registry Accession": A, tags: ["a", "b"], nested: { x: 1 }, big: 2 ** 60, absent: undefined };
  const table = await tableFromHits([{ id: "1", score: 1, source }, {
    id: "2",
    score: null,
    source: { "Registry Accession": B, late: "x" },
  }]);
  assertEquals(exactRows(await table.frame()), [
    {
      "Registry Accession": A,
      tags: ["a", "b"],
      nested: '{"x":1}',
      big: "1152921504606847000",
      absent: null,
      late: null,
    },
    { "Registry Accession": B, tags: null, nested: null, big: null, absent: null, late: "x" },
  ]);
  assertStringIncludes(table.problems[0].reason, "digits may be lost");
});

Deno.test("no hits give an empty frame with the types asked for", async () => {
  const table = await tableFromHits([], { columns: ["Country", "Sequence Length"], definitions: [COUNTRY, LENGTH] });
  assertEquals(schemaOf(await table.frame()), [["Country", "DataType(String)"], [
    "Sequence Length",
    "DataType(Int64)",
  ]]);
  assertEquals((await table.frame()).height, 0);
  assert(table.ledger.complete);
});

Deno.test("a table writes CSV, TSV and Parquet whole", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const definitions: FieldDefinition[] = [LENGTH, { ...COUNTRY, name: "Hosts", alias: "hosts", type: "list" }];
    const csv = bytesOf(
      'Registry Accession,Sequence Length,Hosts,Note\nvj000000000001,9007199254740993,a;b,"x\ty\n\\,"\n',
    );
    const table = await tableFromCsv(csv, { definitions });
    await table.toCSV(`${folder}/t.csv`);
    await table.toTSV(`${folder}/t.tsv`);
    await table.toParquet(`${folder}/t.parquet`);
    assertEquals(
      await Deno.readTextFile(`${folder}/t.csv`),
      'Registry Accession,Sequence Length,Hosts,Note\nvj000000000001,9007199254740993,a;b,"x\ty\n\\,"\n',
    );
    assertEquals(
      await Deno.readTextFile(`${folder}/t.tsv`),
      "Registry Accession\tSequence Length\tHosts\tNote\nvj000000000001\t9007199254740993\ta;b\tx\\ty\\n\\\\,\n",
    );
    const { default: pl } = await import("nodejs-polars");
    assertEquals(exactRows(pl.readParquet(`${folder}/t.parquet`)), exactRows(await table.frame()));
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
    assertEquals(names, ["t.csv", "t.parquet", "t.tsv"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a writer leaves nothing behind when it is stopped or the folder is absent", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const frame = await (await tableFromCsv(bytesOf("a\n1\n"))).frame();
    const signal = AbortSignal.abort();
    await assertRejects(() => writeFrame(frame, `${folder}/t.csv`, { format: "csv", signal }), DOMException);
    await assertRejects(() => writeFrame(frame, `${folder}/none/t.csv`, { format: "csv" }), RegistryError, "folder");
    assertEquals([...Deno.readDirSync(folder)], []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a name of a date column that is taken is refused", async () => {
  const date: FieldDefinition = { ...COUNTRY, name: "Day", alias: "day", type: "date" };
  await assertRejects(
    () => tableFromCsv(bytesOf("Day,Day earliest\n2013,x\n"), { definitions: [date], dates: "columns" }),
    RangeError,
    'dates: "text"',
  );
});
