/** Where the types of a lake come from: definitions, the file beside the archives, or the values. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { SPECIFICATION_NAMING } from "../../../../src/core/contract/naming.ts";
import { csvRow } from "../../../../src/core/io/csv/csv_text.ts";
import {
  buildLake,
  type BuildLakeOptions,
  type LakeTable,
  openLake,
  tableFromCsv,
  tableFromHits,
} from "../../../../src/core/tables/mod.ts";
import { inferTypes } from "../../../../src/core/tables/open/infer_types.ts";
import { assertFramesEqual, bytesOf, exactRows } from "../_frames.ts";
import { accession, define, inFolder, writeGzip } from "../_lake_files.ts";

/** Builds a lake of one CSV and looks at its table. */
async function withLake(
  csv: string,
  options: BuildLakeOptions,
  check: (
    table: LakeTable,
    found: { readonly inferred: boolean | undefined; readonly folder: string },
  ) => Promise<void>,
): Promise<void> {
  await inFolder(async (folder) => {
    await writeGzip(`${folder}/a.csv.gz`, csv);
    const [{ manifest }] = await buildLake(`${folder}/a.csv.gz`, `${folder}/lake`, options);
    await using lake = await openLake(`${folder}/lake`);
    await check(await lake.table(), { inferred: manifest.inferred, folder });
  });
}

/** The type that the values of one column get. */
async function inferred(values: readonly string[]): Promise<string> {
  const csv = ["id,value", ...values.map((value, row) => csvRow([`r${row}`, value]))].join("\n");
  const chunks = async function* () {
    yield bytesOf(csv);
  };
  return (await inferTypes(chunks, { name: "a.csv", texts: ["id"] }))[1].type;
}

Deno.test("types are inferred from names and all values by lossless rules", async (t) => {
  const many = (value: string) => new Array<string>(3000).fill(value);
  const cases: Record<string, [values: readonly string[], type: string]> = {
    "whole numbers": [["1", "-20", "0"], "integer"],
    "whole numbers, the last is none": [[...many("12345"), "x"], "string"],
    "whole numbers, the last has a fraction": [[...many("12345"), "1.5"], "float"],
    "whole numbers with missing values": [["1", "", "NA", "not collected", "3"], "integer"],
    "whole numbers up to 2^53": [["9007199254740991", "-9007199254740991"], "integer"],
    "whole numbers beyond 2^53": [["1", "20240000000000003"], "string"],
    "whole numbers beyond 64 bits": [["1", "9223372036854775808"], "string"],
    "a whole number that a float does not hold, and a fraction": [["9007199254740993", "1.5"], "string"],
    "a leading zero": [["1", "007"], "string"],
    "a plus sign": [["1", "+2"], "string"],
    "white space": [["1", " 2"], "string"],
    "a unit": [["37", "37 years"], "string"],
    "thousands": [["1", "1,000"], "string"],
    "decimals": [["0.5", "12", "-3.25", "1e-05"], "float"],
    "decimals with zeros at their end": [["48.10", "50.00"], "float"],
    "decimals of 17 digits, as pandas writes them": [["0.41940499999999997", "0.5"], "float"],
    "decimals as Python prints them": [["12.0", "12.25", "3.5"], "float"],
    "decimals as R prints them": [["1e-04", "0.00012", "1e+05"], "float"],
    "two texts of one number": [["11320.1", "2.5", "11320.100"], "string"],
    "two texts of one number, one of them whole": [["12", "12.0", "0.5"], "string"],
    "two texts of one number, one with an exponent": [["1e-04", "0.0001"], "string"],
    "versions": [["1.9", "1.10", "2.0"], "string"],
    "codes with an E": [["71E2", "5", "0.5"], "string"],
    "days without separators": [["20200131", "20200201"], "integer"],
    "decimals of more digits than a float holds": [["0.1", "0.12345678901234567890"], "string"],
    "a decimal comma": [["0.5", "0,5"], "string"],
    "infinity": [["0.5", "inf"], "string"],
    "days": [["2013-05-31", "2013-12", "2013-12-XX"], "date"],
    "years alone": [["2013", "2014"], "integer"],
    "years and days": [["2013", "2013-05-05"], "date"],
    "years, days and a number that is no year": [["2013", "2013-05-05", "12"], "string"],
    "a date that can be read in two ways": [["2013-05-05", "03/04/2020"], "string"],
    "codes that look like years": [["0123", "0456"], "string"],
    "booleans": [["true", "false"], "boolean"],
    "booleans in capitals": [["TRUE", "FALSE"], "boolean"],
    "booleans in two forms": [["true", "False"], "string"],
    "letters": [["T", "F"], "string"],
    "zeros and ones": [["0", "1"], "integer"],
    "arrays": [['["a", "b"]', "[]"], "list"],
    "arrays of numbers beyond 2^53": [["[9007199254740993]", "[1.50]"], "list"],
    "an array with a semicolon in an item": [['["Li; Wang", "X"]', "[]"], "string"],
    "an array with an item that is null": [['["a", null]', "[]"], "string"],
    "an array with an item that is empty": [['["a", ""]', "[]"], "string"],
    "semicolons": [["a;b", "c"], "string"],
    "a number and a long text": [["1", "x".repeat(100_000)], "string"],
    "a number with very many zeros": [["1.5", `2.${"0".repeat(5000)}`], "string"],
    "nothing": [["", "NA", "?"], "string"],
  };
  for (const [what, [values, type]] of Object.entries(cases)) {
    await t.step(what, async () => assertEquals(await inferred(values), type));
  }
});

Deno.test("a column whose name is known has its type if half of the values fit", async (t) => {
  const cases: Record<
    string,
    [column: string, values: readonly string[], type: string, unit?: string, unfulfilled?: string]
  > = {
    "years and days": ["date", [...new Array<string>(96).fill("2019"), ..."2020-05-01 2020-05-02".split(" ")], "date"],
    "years alone": ["Collection Date", ["2013", "2014"], "date"],
    "days without separators": ["sampleCollectionDate", ["20200131", "20200201"], "date"],
    "ambiguous days": ["date", ["03/04/2020", "05/06/2020", "2020"], "date"],
    "dates that are missing": ["date", ["not collected", ""], "date"],
    "one odd length in three": ["length", ["1,200", "900", "29903 bp"], "integer", "bp"],
    "lengths that are words": ["length", ["12", "long", "short"], "string", "", "long"],
    "lengths that are decimals": ["length", ["1.5", "2.5"], "float", "", "1.5"],
    "segments": ["Segment", ["1", "2", "8"], "string"],
    "codes with leading zeros": ["Lab Code", ["007", "12"], "string"],
    "ages, every tenth missing": ["host_age", ["1", "2", "3", "4", "5", "6", "7", "8", "9", "NA"], "integer"],
    "a column of the user's": ["ct", ["12.5", "undetermined"], "string"],
    "an everyday word": ["order", ["1", "2"], "integer"],
  };
  for (const [what, [column, values, type, unit = "", unfulfilled]] of Object.entries(cases)) {
    await t.step(what, async () => {
      const csv = bytesOf([["id", column], ...values.map((value, row) => [`r${row}`, value])].map(csvRow).join("\n"));
      const chunks = async function* () {
        yield csv;
      };
      const inferred = (await inferTypes(chunks, { name: "a.csv" }))[1];
      assertEquals([inferred.type, inferred.unit], [type, unit]);
      assertEquals(inferred.unfulfilled?.value, unfulfilled);
    });
  }
});

Deno.test("where decimals have commas, a number with a point is text, whatever the name of its column", async () => {
  const typesOf = async (depths: readonly string[], hasDecimalCommas: boolean) => {
    const csv = ["id,Sequencing Depth", ...depths.map((depth, row) => `r${row},${depth}`)].join("\n");
    const chunks = async function* () {
      yield bytesOf(csv);
    };
    const [, { type, unit, unfulfilled }] = await inferTypes(chunks, { name: "a.csv", hasDecimalCommas });
    return [type, unit, unfulfilled?.value];
  };
  assertEquals(await typesOf(["1.250", "980", "2.310x"], true), ["string", "", "1.250"]);
  assertEquals(await typesOf([...new Array<string>(30_000).fill("980"), "1.250"], true), ["string", "", "1.250"]);
  assertEquals(await typesOf(["1250", "NA", "980x"], true), ["float", "x", undefined]);
  assertEquals(await typesOf(["1.250", "980", "2.310x"], false), ["float", "x", undefined]);
});

Deno.test("an inferred type does not depend on the order of the values, nor on how many there are", async () => {
  const value = fc.constantFrom(
    ...[
      "1",
      "2013",
      "20",
      "12345678901234567",
      "1.5",
      "0.50",
      "1e3",
      "2013-05-05",
      "2013-05-31",
      "true",
      "False",
      "NA",
    ],
    ...["", "x", "007"],
  );
  await fc.assert(
    fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 4 }), async (values) => {
      const type = await inferred(values);
      assertEquals(await inferred(values.toReversed()), type);
      assertEquals(await inferred([...values, ...new Array<string>(200).fill(values[0])]), type);
    }),
    { numRuns: 25 },
  );
});

Deno.test("an inferred lake is marked and reported, and holds what the archive holds", async () => {
  const csv = `Registry Accession,Length,Note\n${accession(1)},215722,x\n${accession(2)},999,NA\n`;
  await withLake(csv, {}, async (table, { inferred }) => {
    assertEquals(inferred, true);
    assertEquals(table.columns.map(({ dtype }) => dtype), ["String", "Int64", "String"]);
    assertStringIncludes(table.ledger.warnings.join("\n"), "types were inferred from names and all values");
    assertEquals(exactRows(await table.frame()).map((row) => row["Length"]), ["215722", "999"]);
    assertFramesEqual(await table.rawFrame(), await (await tableFromCsv(bytesOf(csv))).rawFrame());
  });
  await withLake(csv, { text: true }, (table, { inferred }) => {
    assertEquals(inferred, false);
    assertEquals(table.columns.map(({ dtype }) => dtype), ["String", "String", "String"]);
    assertEquals(table.ledger.warnings, []);
    return Promise.resolve();
  });
});

Deno.test("a lake is built anew when its types come from elsewhere", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/a.csv.gz`;
    await writeGzip(path, `Registry Accession,Length\n${accession(1)},12\n`);
    const definitions = [define("Length", "float")];
    const build = async (options: BuildLakeOptions) => {
      const [{ manifest, reused }] = await buildLake(path, `${folder}/lake`, options);
      return [manifest.columns[1].type, reused];
    };
    assertEquals(await build({}), ["integer", false]);
    assertEquals(await build({}), ["integer", true]);
    assertEquals(await build({ text: true }), ["string", false]);
    assertEquals(await build({ text: true }), ["string", true]);
    assertEquals(await build({ definitions }), ["float", false]);
    assertEquals(await build({ definitions }), ["float", true]);
    await Deno.writeTextFile(`${folder}/definitions.json`, JSON.stringify({ Length: { type: "text" } }));
    assertEquals(await build({}), ["string", false]);
    assertEquals(await build({}), ["string", true]);
  });
});

Deno.test("columns that are called by aliases are typed and have public names", async () => {
  const csv = `registry_accession,is_reference,len\n${accession(1)},true,12\n`;
  const definitions = [
    { ...define("Reference Record", "boolean"), alias: "is_reference" },
    { ...define("Sequence Length", "integer"), alias: "len" },
  ];
  const expected = [["Registry Accession", "String"], ["Reference Record", "Bool"], ["Sequence Length", "Int64"]];
  await withLake(csv, { definitions }, (table, { inferred }) => {
    assertEquals(table.columns.map(({ name, dtype }) => [name, dtype]), expected);
    assertEquals(inferred, false);
    assertStringIncludes(table.ledger.warnings.join(), "public names: registry_accession, is_reference, len");
    return Promise.resolve();
  });
  const table = await tableFromCsv(bytesOf(csv), { definitions, columns: ["Sequence Length", "Registry Accession"] });
  assertEquals(table.columns.map(({ name, dtype }) => [name, dtype]), [expected[2], expected[0]]);
});

Deno.test("types of columns without a definition are inferred beside others, and named", async () => {
  const csv = `Registry Accession,Length,Depth\n${accession(1)},12,3\n`;
  await withLake(csv, { definitions: [define("Length", "float")] }, (table, { inferred }) => {
    assertEquals([table.columns.map(({ dtype }) => dtype), inferred], [["String", "Float64", "Int64"], true]);
    assertEquals(table.ledger.warnings, [
      "types of 1 of 3 columns were inferred from names and all values, since they have no definition: Depth (integer)",
    ]);
    return Promise.resolve();
  });
});

Deno.test("whole numbers beyond 2^53 survive in frames and lakes, beyond 64 bits their column stays text", async () => {
  const values = ["9007199254740993", "-9223372036854775808"];
  const rows = (more: readonly string[]) => [...values, ...more].map((value, row) => `${accession(row)},${value},1\n`);
  const definitions = [define("Big", "integer"), define("Small", "integer")];
  for (const [more, dtype] of [[[], "Int64"], [["18446744073709551615"], "String"]] as const) {
    const csv = `Registry Accession,Big,Small\n${rows(more).join("")}`;
    const inMemory = await tableFromCsv(bytesOf(csv), { definitions });
    await withLake(csv, { definitions }, async (table) => {
      for (const { columns, ledger, frame } of [table, inMemory]) {
        assertEquals(columns.map((column) => column.dtype), ["String", dtype, "Int64"]);
        assertEquals(exactRows(await frame()).map((row) => row["Big"]), [...values, ...more]);
        const says = "Big is declared integer and holds whole numbers beyond 64 bits: the column stays text";
        assertEquals(ledger.warnings, more.length === 0 ? [] : [says]);
      }
      assertEquals(table.problems, []);
    });
  }
});

Deno.test("tables with semicolons or tabs become the same lake and the same frame, with a warning", async () => {
  const rows = [["Registry Accession", "GC", "Note"], [accession(1), "0,5", 'a "b"'], [accession(2), "1", "x\r\ny"]];
  for (const [separator, name] of [[";", "semicolons"], ["\t", "tabs"]] as const) {
    const csv = rows.map((row) =>
      row.map((cell) => /["\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell).join(separator) + "\n"
    ).join("");
    await withLake(csv, { text: true }, async (table) => {
      const inMemory = await tableFromCsv(bytesOf(csv), { name: "a.csv.gz" });
      assertFramesEqual(await table.frame(), await inMemory.frame());
      assertEquals(inMemory.texts("GC"), ["0,5", "1"]);
      assertEquals(inMemory.texts("Note"), ['a "b"', "x\r\ny"]);
      const says = `a.csv.gz is separated by ${name}, not commas: it was read as such`;
      const decimals =
        'a.csv.gz writes decimals with commas, such as "0,5": they are text, and so are numbers with a ' +
        "point, which may separate thousands";
      assertEquals(table.ledger.warnings, separator === ";" ? [says, decimals] : [says]);
      assertEquals(inMemory.ledger.warnings, [says]);
    });
  }
});

Deno.test("several values are a list: an array in a hit, a joined cell or an array in a table", async () => {
  const cells = ["human;bat", '["human", "bat"]', "one", '["a;b", 5]', "[]", "NA"];
  const lists = [["human", "bat"], ["human", "bat"], ["one"], ["a", "b", "5"], [], null];
  const csv = `Registry Accession,Hosts\n${cells.map((cell, row) => `${csvRow([accession(row), cell])}\n`).join("")}`;
  const definitions = [define("Hosts", "list")];
  const inMemory = await tableFromCsv(bytesOf(csv), { definitions });
  assertEquals(exactRows(await inMemory.frame()).map((row) => row["Hosts"]), lists);
  await withLake(csv, { definitions }, async (table) => {
    assertFramesEqual(await table.frame(), await inMemory.frame());
    assertFramesEqual(await table.rawFrame(), await inMemory.rawFrame());
  });
  const source = (hosts: unknown) => ({ id: "1", score: 1, source: { Hosts: hosts } });
  for (const type of ["string", "list"] as const) {
    const hits = await tableFromHits([source(["human", "bat"]), source("one")], {
      definitions: [define("Hosts", type)],
    });
    assertEquals(exactRows(await hits.frame()).map((row) => row["Hosts"]), [["human", "bat"], ["one"]]);
  }
});

Deno.test("buildLake() builds a table again whose accessions have another name by the naming", async () => {
  await inFolder(async (folder) => {
    const build = async (name: string, accessionField: string) => {
      const naming = { ...SPECIFICATION_NAMING, accessionField };
      const [{ manifest, reused }] = await buildLake(`${folder}/${name}.csv`, `${folder}/lake`, { naming });
      return [manifest.kind, manifest.idField, reused];
    };
    await Deno.writeTextFile(`${folder}/m.csv`, "ID,Country\nA1,Peru\n");
    assertEquals(await build("m", "Registry Accession"), ["metadata", null, false]);
    assertEquals(await build("m", "ID"), ["metadata", "ID", false]);
    assertEquals(await build("m", "ID"), ["metadata", "ID", true]);
    await Deno.writeTextFile(`${folder}/s.csv`, "ID,Sequence\nA1,ACGT\n");
    assertEquals(await build("s", "ID"), ["sequence", "ID", false]);
    assertEquals(await build("s", "Sequence"), ["metadata", "Sequence", false]);
    assertEquals(await build("s", "ID"), ["sequence", "ID", false]);
    assertEquals(await build("s", "ID"), ["sequence", "ID", true]);
  });
});
