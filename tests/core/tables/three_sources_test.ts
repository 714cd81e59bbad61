/** The same records as hits, CSV, XML and archive give the same frame. */
import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { gzipSync } from "node:zlib";
import { csvRow } from "../../../src/core/io/csv/csv_text.ts";
import { metadataXml } from "../../../src/embedded/service/operations/export_xml.ts";
import type { FieldType } from "../../../src/core/contract/metadata.ts";
import {
  tableFromArchive,
  tableFromCsv,
  tableFromHits,
  tableFromXml,
  type TypedTable,
} from "../../../src/core/tables/mod.ts";
import { define } from "../contract/_definition.ts";
import { assertFramesEqual, bytesOf, exactRows, schemaOf } from "./_frames.ts";

const DEFINITIONS = [
  define("Registry Accession", "string"),
  define("Sequence Length", "integer", "bp"),
  define("Big Number", "integer"),
  define("GC Content", "float", "%"),
  define("Is Segmented", "boolean"),
  define("Collection Date", "date"),
  define("Hosts", "list"),
  define("5' end / note", "string"),
];
const FIELDS = DEFINITIONS.map(({ name }) => name);

const RECORDS: readonly (readonly string[])[] = [
  ["vj000000000001", "10794", "9007199254740993", "43.5", "true", "2013-12-XX", "bat;human", 'a, "b"\nc'],
  ["vj000000000002", "10794 bp", "-9223372036854775808", "43.5 %", "no", "2013", "", "007"],
  ["vj000000000003", "37 years", "1e30", "high", "maybe", "someday", " x ; y ", "<&>'"],
  ["vj000000000004", "", "", "", "", "", "", ""],
  ["vj000000000005", "007", "12.0", "1e3", "TRUE", "2012-02-30", "one", "  spaces  "],
];

/** As the embedded registry writes values into JSON. */
function jsonValue(text: string, type: FieldType): unknown {
  if (text === "") return null;
  const number = Number(text);
  if ((type === "integer" || type === "float") && String(number) === text && Number.isFinite(number)) {
    if (!Number.isInteger(number) || Number.isSafeInteger(number)) return number;
  }
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

async function tablesOf(
  records: readonly (readonly string[])[],
  dates: "text" | "columns",
): Promise<Record<string, TypedTable>> {
  const options = { definitions: DEFINITIONS, dates } as const;
  const csv = bytesOf([FIELDS, ...records].map((row) => `${csvRow(row)}\n`).join(""));
  const xml = (await Array.fromAsync(metadataXml(
    (async function* () {
      yield records.map((values) => ({ accession: values[0], values }));
    })(),
    FIELDS.map((name, index) => ({ name, index })),
  ))).join("");
  const hits = records.map((values, row) => ({
    id: String(row),
    score: 1,
    source: Object.fromEntries(FIELDS.map((name, index) => [name, jsonValue(values[index], DEFINITIONS[index].type)])),
  }));
  const path = await Deno.makeTempFile({ suffix: ".csv.gz" });
  await Deno.writeFile(path, gzipSync(csv));
  try {
    return {
      hits: await tableFromHits(hits, options),
      csv: await tableFromCsv(csv, options),
      xml: await tableFromXml(bytesOf(xml), options),
      archive: await tableFromArchive(path, options),
    };
  } finally {
    await Deno.remove(path);
  }
}

Deno.test("hits, CSV, XML and archive give equal frames, problems and ledgers", async () => {
  const { hits, ...others } = await tablesOf(RECORDS, "columns");
  for (const other of Object.values(others)) {
    assertFramesEqual(await other.frame(), await hits.frame());
    assertFramesEqual(await other.rawFrame(), await hits.rawFrame());
    assertEquals(other.problems, hits.problems);
    assertEquals(other.ledger, hits.ledger);
  }
});

Deno.test("a frame has the types of the definitions and null where a value does not fit", async () => {
  const { csv } = await tablesOf(RECORDS, "columns");
  const frame = await csv.frame();
  assertEquals(schemaOf(frame), [
    ["Registry Accession", "DataType(String)"],
    ["Sequence Length", "DataType(Int64)"],
    ["Big Number", "DataType(Int64)"],
    ["GC Content", "DataType(Float64)"],
    ["Is Segmented", "DataType(Bool)"],
    ["Collection Date", "DataType(String)"],
    ["Collection Date earliest", "DataType(Date)"],
    ["Collection Date latest", "DataType(Date)"],
    ["Collection Date precision", "DataType(String)"],
    ["Hosts", "DataType(List(DataType(String)))"],
    ["5' end / note", "DataType(String)"],
  ]);
  const rows = exactRows(frame);
  assertEquals(rows.map((row) => row["Sequence Length"]), ["10794", "10794", null, null, "7"]);
  assertEquals(rows.map((row) => row["Big Number"]), [
    "9007199254740993",
    "-9223372036854775808",
    null,
    null,
    "12",
  ]);
  assertEquals(rows.map((row) => row["GC Content"]), [43.5, 43.5, null, null, 1000]);
  assertEquals(rows.map((row) => row["Is Segmented"]), [true, false, null, null, true]);
  assertEquals(rows.map((row) => row["Collection Date"]), ["2013-12-XX", "2013", "someday", null, "2012-02-30"]);
  assertEquals(rows.map((row) => row["Collection Date earliest"]), ["2013-12-01", "2013-01-01", null, null, null]);
  assertEquals(rows.map((row) => row["Collection Date latest"]), ["2013-12-31", "2013-12-31", null, null, null]);
  assertEquals(rows.map((row) => row["Collection Date precision"]), ["month", "year", null, null, null]);
  assertEquals(rows.map((row) => row["Hosts"]), [["bat", "human"], null, ["x", "y"], null, ["one"]]);
  assertEquals(csv.columns.map(({ name }) => name), frame.columns);
});

Deno.test("what does not fit is a problem with row, id, field, value and reason, and stays raw", async () => {
  const { csv } = await tablesOf(RECORDS, "text");
  const problems = await csv.problemsFrame();
  assertEquals(problems.columns, ["row", "line", "byte", "id", "field", "value", "reason", "kept"]);
  assertEquals(problems.select("row", "id", "field", "value", "kept").toRecords(), [
    { row: 3, id: "vj000000000003", field: "Sequence Length", value: "37 years", kept: false },
    { row: 3, id: "vj000000000003", field: "Big Number", value: "1e30", kept: false },
    { row: 3, id: "vj000000000003", field: "GC Content", value: "high", kept: false },
    { row: 3, id: "vj000000000003", field: "Is Segmented", value: "maybe", kept: false },
    { row: 3, id: "vj000000000003", field: "Collection Date", value: "someday", kept: true },
    { row: 5, id: "vj000000000005", field: "Collection Date", value: "2012-02-30", kept: true },
  ]);
  assertEquals(csv.texts("Sequence Length")[2], "37 years");
  assertEquals((await csv.rawFrame()).getColumn("GC Content").toArray()[2], "high");
  assertEquals(csv.ledger.complete, true);
  assertEquals(csv.ledger.warnings.length, 5);
});

Deno.test("the three sources agree on any texts", async () => {
  const value = fc.oneof(
    fc.constantFrom("", "1", "-5", "12.50", "true", "2013-12", "a;b", "37 years", "9007199254740993", "1e21"),
    fc.string({ unit: fc.constantFrom("a", "1", ".", "-", ";", " ", '"', ",", "\n", "\t", "<", "&", "é", "X") }),
  );
  const record = fc.array(value, { minLength: FIELDS.length - 1, maxLength: FIELDS.length - 1 });
  await fc.assert(
    fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 4 }), async (values) => {
      const records = values.map((cells, index) => [`vj${String(index).padStart(12, "0")}`, ...cells]);
      const { hits, ...others } = await tablesOf(records, "columns");
      for (const other of Object.values(others)) {
        assertFramesEqual(await other.frame(), await hits.frame());
        assertEquals(other.problems, hits.problems);
      }
    }),
    { numRuns: 60 },
  );
});

Deno.test("a text for a missing value is null and counted by field and word, not a problem", async () => {
  const csv = "Registry Accession,Length,Host,Day,Note\nvj000000000001,?,unknown,not collected,?\n" +
    "vj000000000002, Not Collected ,a;b,2013,x\nvj000000000003,?,,?,\nvj000000000004,long,c,2013-05,y\n";
  const definitions = [
    { name: "Length", alias: "length", type: "integer", unit: "", description: "", example: "" },
    { name: "Host", alias: "host", type: "list", unit: "", description: "", example: "" },
    { name: "Day", alias: "day", type: "date", unit: "", description: "", example: "" },
  ] as const;
  const table = await tableFromCsv(new TextEncoder().encode(csv), { definitions, dates: "columns" });
  assertEquals(table.missingValues, {
    Length: { "?": 2, "not collected": 1 },
    Host: { unknown: 1 },
    Day: { "?": 1, "not collected": 1 },
  });
  assertEquals(table.problems.map(({ row, field, reason }) => [row, field, reason]), [
    [4, "Length", "is not an integer"],
  ]);
  assertEquals(table.ledger.complete, true);
  assertEquals(table.ledger.warnings, [
    "1 value does not fit Length, declared integer: empty in the frame, raw in the problems",
    '3 values of Length are missing ("?" 2, "not collected" 1): null in the frame, as it came in the raw frame',
    '1 value of Host is missing ("unknown" 1): null in the frame, as it came in the raw frame',
    '2 values of Day are missing ("?" 1, "not collected" 1): kept as text',
  ]);
  const rows = (await table.frame()).toRecords();
  assertEquals(
    rows.map(({ Length, Host, Day, Note }) => [Length, Array.isArray(Host) ? Host.join("|") : Host, Day, Note]),
    [
      [null, null, "not collected", "?"],
      [null, "a|b", "2013", "x"],
      [null, null, "?", null],
      [null, "c", "2013-05", "y"],
    ],
  );
  assertEquals(rows.map((row) => row["Day precision"]), [null, "year", null, "month"]);
  assertEquals((await table.rawFrame()).getColumn("Length").toArray(), ["?", " Not Collected ", "?", "long"]);
});
