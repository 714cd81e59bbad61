import { assert, assertEquals, assertFalse } from "@std/assert";
import { XMLValidator } from "fast-xml-parser";
import fc from "fast-check";
import { readFasta } from "../../src/fasta/mod.ts";
import { readBytes } from "../../src/io/bytes/byte_source.ts";
import { readCsvRows } from "../../src/io/csv/csv_rows.ts";
import { chooseMediaType } from "../../src/service/http/accept.ts";
import { readRange } from "../../src/service/http/byte_range.ts";
import { metadataCsv } from "../../src/service/operations/export_csv.ts";
import { writeDefinitions } from "../../src/service/operations/export_definitions.ts";
import { sequencesFasta } from "../../src/service/operations/export_fasta.ts";
import { accessionsXml, metadataXml, xmlName } from "../../src/service/operations/export_xml.ts";
import { formatAccession } from "../../src/contract/accession.ts";
import type { SequenceRecord } from "../../src/service/store/store.ts";
import { anyText } from "../_any_text.ts";

const RUNS = { numRuns: 300, seed: 1 };
/** Any text, often with the letters that formats are made of. */
const text = fc.oneof(
  anyText(),
  fc.string({ unit: fc.constantFrom(..."|\"',;<>&]\n\r\t\\ =-é\u0000\u001b\u0085\u2028\ufffe\ud83e"), maxLength: 12 }),
);
const names = fc.uniqueArray(text.filter((name) => name !== ""), { minLength: 1, maxLength: 5 });
/** A table: names of columns, and rows as wide. */
const table = names.chain((names) =>
  fc.tuple(
    fc.constant(names),
    fc.array(fc.array(text, { minLength: names.length, maxLength: names.length }), { maxLength: 5 }),
  )
);

async function* batchesOf(rows: readonly (readonly string[])[]): AsyncGenerator<SequenceRecord[]> {
  for (const [index, values] of rows.entries()) {
    yield [{ accession: `vj${String(index).padStart(12, "0")}`, values, sequence: "ACGT" }];
  }
}

const columnsOf = (names: readonly string[]) => names.map((name, index) => ({ name, index }));
const join = async (texts: AsyncIterable<string>) => (await Array.fromAsync(texts)).join("");

Deno.test("a metadata CSV gives back every cell", async () => {
  await fc.assert(
    fc.asyncProperty(table, async ([names, rows]) => {
      const csv = await join(metadataCsv(batchesOf(rows), columnsOf(names)));
      const found: string[][] = [];
      for await (const batch of readCsvRows(readBytes(new TextEncoder().encode(csv)))) {
        for (const { cells } of batch) found.push([...cells]);
      }
      // Halves of surrogate pairs have no UTF-8; a mark at the very start is read as a byte order mark.
      const expected = [names, ...rows].map((row) => row.map((cell) => cell.toWellFormed()));
      expected[0][0] = expected[0][0].replace(/^\ufeff/, "");
      assertEquals(found, expected);
    }),
    RUNS,
  );
});

Deno.test("XML is well-formed whatever names and values are", async () => {
  await fc.assert(
    fc.asyncProperty(table, async ([names, rows]) => {
      for (
        const xml of [
          await join(metadataXml(batchesOf(rows), columnsOf(names))),
          await join(accessionsXml(batchesOf(rows), names[0])),
        ]
      ) {
        assertEquals(XMLValidator.validate(xml), true, xml);
        // deno-lint-ignore no-control-regex
        assertFalse(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(xml), JSON.stringify(xml));
        assertEquals(xml.split("<record>").length - 1, rows.length);
      }
    }),
    RUNS,
  );
});

Deno.test("xmlName() gives names that XML allows", () => {
  fc.assert(fc.property(text, (name) => assert(/^(?!xml)[A-Za-z_][A-Za-z0-9._-]*$/i.test(xmlName(name)))), RUNS);
});

Deno.test("a FASTA header can always be taken apart, and no value begins a record", async () => {
  await fc.assert(
    fc.asyncProperty(table, async ([names, rows]) => {
      const fasta = await join(sequencesFasta(batchesOf(rows), "registry_accession", columnsOf(names)));
      const lines = fasta.split(/[\n\r\v\f\u0085\u2028\u2029]/);
      assertEquals(lines.length, 2 * rows.length + 2);
      assertEquals(lines[0].split("|").length, names.length + 1);
      for (let row = 0; row < rows.length; row++) {
        assertEquals(lines[2 * row + 1].split("|").length, names.length + 1);
        assertEquals(lines[2 * row + 2], "ACGT");
      }
    }),
    RUNS,
  );
});

Deno.test("no sequence begins a record or a comment", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: fc.constantFrom(..."AC>;| \n\r\t*-") })), async (sequences) => {
      const records = (async function* () {
        yield sequences.map((sequence, index) => ({ accession: formatAccession(index + 1), values: [], sequence }));
      })();
      const fasta = await join(sequencesFasta(records, "registry_accession", []));
      const read = await Array.fromAsync(readFasta(new TextEncoder().encode(fasta)));

      assertEquals(
        read.map(({ id, sequence }) => [id, sequence]),
        sequences.map((sequence, index) => [formatAccession(index + 1), sequence.replace(/\s/g, "")]),
      );
    }),
    RUNS,
  );
});

Deno.test("a long sequence comes in pieces, and whole", async () => {
  const sequence = "ACGTN".repeat(1_000_001);
  const records = (async function* () {
    yield [{ accession: "vj000000000001", values: [], sequence }, {
      accession: "vj000000000002",
      values: [],
      sequence: "",
    }];
    yield [{ accession: "vj000000000003", values: [], sequence: undefined }];
    yield [{ accession: "vj000000000004", values: [], sequence: " AC\r\nGT\t" }];
  })();
  const pieces = await Array.fromAsync(sequencesFasta(records, "registry_accession", []));
  assert(pieces.every((piece) => piece.length < 3 * 2 ** 20));
  assertEquals(
    pieces.join(""),
    `;fields=registry_accession\n>vj000000000001\n${sequence}\n>vj000000000002\n\n>vj000000000004\nACGT\n`,
  );
});

Deno.test("writeDefinitions() escapes what a format cannot hold", async () => {
  const definition = {
    name: 'a,"b"',
    alias: "a_b",
    type: "string",
    description: "\u0000x",
    unit: "",
    example: "=1",
  } as const;
  const decoder = new TextDecoder();
  assertEquals(
    decoder.decode(await writeDefinitions([definition], "csv")),
    'name,alias,type,description,unit,example\n"a,""b""",a_b,string,\u0000x,,=1\n',
  );
  assertEquals(JSON.parse(decoder.decode(await writeDefinitions([definition], "json"))), [definition]);
  assertEquals(decoder.decode((await writeDefinitions([definition], "xlsx")).subarray(0, 2)), "PK");
});

Deno.test("readRange() never gives a part outside the file", () => {
  const range = fc.oneof(
    fc.tuple(fc.option(fc.nat(30)), fc.option(fc.nat(30))).map(([a, b]) => `bytes=${a ?? ""}-${b ?? ""}`),
    fc.string(),
  );
  fc.assert(
    fc.property(range, fc.nat(20), (header, size) => {
      const part = readRange(header, size);
      if (typeof part !== "object") return;
      assert(part.start >= 0 && part.start < part.end && part.end <= size);
    }),
    { numRuns: 2000, seed: 1 },
  );
});

Deno.test("chooseMediaType() never throws and only chooses what is offered", () => {
  const offers = ["text/csv", "application/json"];
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."textcsvapplijson/*;q=0.1, \t") }), (header) => {
      const choice = chooseMediaType(header, offers);
      assert(choice === undefined || offers.includes(choice));
    }),
    RUNS,
  );
});
