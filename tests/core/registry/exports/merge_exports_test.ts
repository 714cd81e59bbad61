import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { ParseError } from "../../../../src/core/errors.ts";
import { readBytes } from "../../../../src/core/io/bytes/byte_source.ts";
import { readCsvRows } from "../../../../src/core/io/csv/csv_rows.ts";
import { csvRow } from "../../../../src/core/io/csv/csv_text.ts";
import { type ExportType, scanExport } from "../../../../src/core/registry/exports/export_scan.ts";
import { mergeExports } from "../../../../src/core/registry/exports/merge_exports.ts";
import { namingOf } from "../../../../src/core/contract/naming.ts";

const ids = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `vj${String(from + index).padStart(12, "0")}`);

/** Joins texts whose bytes come in pieces of a size. */
async function merge(fileType: ExportType, texts: readonly string[], chunkBytes = 1 << 20) {
  const records: (string | undefined)[] = [];
  const parts = (async function* () {
    for (const text of texts) yield readBytes(new TextEncoder().encode(text), { chunkBytes });
  })();
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let text = "";
  for await (const chunk of mergeExports(fileType, parts, { onRecord: (id) => records.push(id) })) {
    text += decoder.decode(chunk, { stream: true });
  }
  return { text: text + decoder.decode(), records };
}

Deno.test("mergeExports() keeps what begins a file once", async (t) => {
  const [a, b] = ids(1, 3);
  const xml = (body: string) => `<?xml version="1.0"?>\n<records>${body}</records>\n`;
  const record = (id: string) =>
    `<record><Registry_Accession name="Registry Accession">${id}</Registry_Accession></record>`;
  const cases: Record<string, [type: ExportType, parts: string[], expected: string, records: (string | undefined)[]]> =
    {
      "one CSV as it came": [
        "csv",
        [`Registry Accession,Country\r\n${a},"x\ny"`],
        `Registry Accession,Country\r\n${a},"x\ny"`,
        [a],
      ],
      "CSV": ["csv", [`Registry Accession\n${a}\n`, `Registry Accession\n${b}\n`], `Registry Accession\n${a}\n${b}\n`, [
        a,
        b,
      ]],
      "single accessions without a header and a line end": ["tsv", [a, b], `${a}\n${b}`, [a, b]],
      "CSV without a last line end": [
        "csv",
        [`Registry Accession\n${a}`, `Registry Accession\n${b}`],
        `Registry Accession\n${a}\n${b}`,
        [a, b],
      ],
      "CSV whose header has a line end": [
        "csv",
        [`"a\nb",Registry Accession\n1,${a}\n`, `"a\nb",Registry Accession\n2,${b}\n`],
        `"a\nb",Registry Accession\n1,${a}\n2,${b}\n`,
        [a, b],
      ],
      "CSV, the second without rows": [
        "csv",
        [`Registry Accession\n${a}\n`, `Registry Accession\n`],
        `Registry Accession\n${a}\n`,
        [a],
      ],
      "CSV, the first a header alone": [
        "csv",
        [`Registry Accession`, `Registry Accession\n${b}\n`],
        `Registry Accession\n${b}\n`,
        [b],
      ],
      "TSV": ["tsv", [`registry_accession\n${a}\n`, `registry_accession\n${b}\n`], `registry_accession\n${a}\n${b}\n`, [
        a,
        b,
      ]],
      "TSV without a header": ["tsv", [`${a}\n`, `${b}\n`], `${a}\n${b}\n`, [a, b]],
      "byte order marks, and nothing else before the records": [
        "tsv",
        [`\uFEFF${a}\n`, `\uFEFF${b}\n`],
        `\uFEFF${a}\n${b}\n`,
        [a, b],
      ],
      "FASTA with byte order marks": [
        "fasta",
        [`\uFEFF>${a}\nAC\n`, `\uFEFF>${b}\nA\n`],
        `\uFEFF>${a}\nAC\n>${b}\nA\n`,
        [a, b],
      ],
      "FASTA": [
        "fasta",
        [
          `;fields=registry_accession|Country\n>${a}|Peru\nAC\nGT`,
          `;fields=registry_accession|Country\n>${b}|x>y\nA\n`,
        ],
        `;fields=registry_accession|Country\n>${a}|Peru\nAC\nGT\n>${b}|x>y\nA\n`,
        [a, b],
      ],
      "FASTA without fields": ["fasta", [`>${a} x\nAC\n`, `>${b}\nA\n`], `>${a} x\nAC\n>${b}\nA\n`, [a, b]],
      "XML": [
        "xml",
        [xml(record(a)), xml(record(b))],
        `<?xml version="1.0"?>\n<records>${record(a)}${record(b)}</records>\n`,
        [a, b],
      ],
      "one XML without records": ["xml", ["<records/>"], "<records/>", []],
      "XML, the first without records": [
        "xml",
        ['<?xml version="1.0"?><records />\n', xml(record(b))],
        `<?xml version="1.0"?><records>${record(b)}</records>\n`,
        [b],
      ],
      "XML, the last without records": [
        "xml",
        [xml(record(a)), "<records/>\n"],
        `<?xml version="1.0"?>\n<records>${record(a)}\n</records>\n`,
        [a],
      ],
      "XML with a comment, a CDATA section and attributes": [
        "xml",
        [
          `<!-- <x> --><r n="1">${"<i registry_accession='" + a + "'/>"}</r>`,
          `<r><![CDATA[</r>]]><i registry_accession="${b}"/></r>`,
        ],
        `<!-- <x> --><r n="1"><i registry_accession='${a}'/><![CDATA[</r>]]><i registry_accession="${b}"/></r>`,
        [a, b],
      ],
      "XML that names no accession": ["xml", ["<r><i>1</i><i>2</i></r>"], "<r><i>1</i><i>2</i></r>", [
        undefined,
        undefined,
      ]],
      "TSV whose header is of another name": ["tsv", [`id\n${a}\n`, `id\n${b}\n`], `id\n${a}\n${b}\n`, [a, b]],
      "XML list of another name": [
        "xml",
        [`<l><i>${a}</i></l>`, `<l><i>${b}</i></l>`],
        `<l><i>${a}</i><i>${b}</i></l>`,
        [a, b],
      ],
      "nothing": ["csv", [], "", []],
    };
  for (const [name, [type, parts, expected, records]] of Object.entries(cases)) {
    for (const chunkBytes of [1, 7, 1 << 20]) {
      await t.step(`${name}, ${chunkBytes} bytes at a time`, async () => {
        assertEquals(await merge(type, parts, chunkBytes), { text: expected, records });
      });
    }
  }
});

Deno.test("mergeExports() refuses what does not fit together", async (t) => {
  const cases: Record<string, [type: ExportType, parts: string[], says: string]> = {
    "another CSV header": ["csv", ["a,b\n1,2\n", "a,c\n1,2\n"], 'begins with "a,c"'],
    "another TSV header": ["tsv", ["a\n1\n", "b\n1\n"], 'begins with "b"'],
    "other FASTA fields": ["fasta", [";fields=a|b\n>1|2\nA\n", ";fields=a\n>1\nA\n"], 'begins with ";fields=a"'],
    "another XML root": ["xml", ["<a><b/></a>", "<c><b/></c>"], "its root is <c>"],
    "a CSV header that never ends": ["csv", ['"' + "a".repeat(1 << 20) + "b", "a"], "never ends"],
    "a row cut off": ["csv", ["a,b\n1"], "cut off in its last row, which has 1 of 2 cells"],
    "XML cut short": ["xml", ["<a><b></b>"], "it ends while <a> is open"],
    "XML that does not nest": ["xml", ["<a><b></a></b>"], "</a> ends <b>"],
    "two roots": ["xml", ["<a/><b/>"], "a second root begins"],
    "no XML": ["xml", ["no"], "text stands outside its root"],
    "a tag that never ends": ["xml", [`<a><b x="${"y".repeat(1 << 20)}`], "does not end within 1048576 characters"],
  };
  for (const [name, [type, parts, says]] of Object.entries(cases)) {
    await t.step(name, async () => void await assertRejects(() => merge(type, parts), ParseError, says));
  }
});

Deno.test("mergeExports() of parts is the export of the whole, however the bytes come", async () => {
  const cell = fc.string({ unit: fc.constantFrom("a", ",", '"', "\n", "\r", "é", "|", " ", "<", "&"), maxLength: 6 });
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(
      table,
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: 1, max: 40 }),
      async (rows, size, chunk) => {
        const whole = rows.map((cells, index) => [ids(index, index + 1)[0], ...cells]);
        const parts = [];
        for (let at = 0; at < whole.length; at += size) parts.push(whole.slice(at, at + size));

        const header = ["Registry Accession", "a,b", "c"];
        const csv = (rows: string[][]) => [header, ...rows].map((cells) => `${csvRow(cells)}\n`).join("");
        const merged = await merge("csv", parts.map(csv), chunk);
        assertEquals(merged.text, csv(whole));
        assertEquals(merged.records, whole.map(([id]) => id));
        const read = [];
        for await (const batch of readCsvRows(readBytes(new TextEncoder().encode(merged.text)))) read.push(...batch);
        assertEquals(read.length, whole.length + 1);

        const escape = (text: string) =>
          text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("\r", "&#13;");
        const xml = (rows: string[][]) =>
          `<?xml version="1.0"?><records>${
            rows.map(([id, a]) => `<record><Registry_Accession>${id}</Registry_Accession><a>${escape(a)}</a></record>`)
              .join("")
          }</records>`;
        const mergedXml = await merge("xml", parts.map(xml), chunk);
        assertEquals(mergedXml.text, xml(whole));
        assertEquals(mergedXml.records, whole.map(([id]) => id));
        assertEquals(XMLValidator.validate(mergedXml.text), true);
        const parsed = new XMLParser({ isArray: (name) => name === "record" }).parse(mergedXml.text);
        assertEquals(parsed.records.record.length, whole.length);
      },
    ),
    { numRuns: 150, seed: 7 },
  );
});

Deno.test("scanExport() knows the accession under another naming", async () => {
  const naming = namingOf({ registry: "genomebank" });
  const cases: Record<string, [ExportType, string]> = {
    csv: ["csv", "Country,Genomebank Accession\nPeru,vj000000000001\n"],
    alias: ["tsv", "genomebank_accession\nvj000000000001\n"],
    xml: ["xml", "<a><b><Genomebank_Accession>vj000000000001</Genomebank_Accession></b></a>"],
    "xml, by attribute": [
      "xml",
      '<a><b><f name="Genomebank Accession">vj000000000001</f><f name="Other">vj000000000009</f></b></a>',
    ],
  };
  for (const [name, [type, text]] of Object.entries(cases)) {
    const records: (string | undefined)[] = [];
    const bytes = readBytes(new TextEncoder().encode(text));
    for await (const _ of scanExport(type, bytes, { naming, onRecord: (id) => records.push(id) }));
    assertEquals(records, ["vj000000000001"], name);
  }
});

Deno.test("mergeExports() that is left early cancels what it reads", async () => {
  let cancelled = false;
  const part = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode("Registry Accession\nvj000000000001\n")),
    cancel: () => void (cancelled = true),
  });
  const parts = (async function* () {
    yield part;
  })();
  for await (const _ of mergeExports("csv", parts, { onRecord: () => {} })) break;
  assert(cancelled);
});
