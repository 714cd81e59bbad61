/** Tables as people and their programs save them. */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { ParseError } from "../../../../src/core/errors.ts";
import { openTable } from "../../../../src/core/tables/open/open_table.ts";
import { readTable } from "../../../../src/core/tables/open/read_table.ts";

const encode = (text: string) => new TextEncoder().encode(text);

/** Each character as one byte, or as two. */
const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const utf16 = (text: string, isLittle: boolean) =>
  Uint8Array.from([...text].flatMap((letter) => {
    const unit = letter.charCodeAt(0);
    return isLittle ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255];
  }));

Deno.test("readTable() finds the header below titles and comments, and reports them", async (t) => {
  const table = "strain,date,country,host\nA,2013,Peru,bat\nB,2014,Cuba,pig\n";
  const cases: Record<string, [above: string, line: number, first: string]> = {
    "a title": ["Samples of the lab\n", 2, "Samples of the lab"],
    "a title with a comma": ["Samples, 2013\n\n", 3, "Samples"],
    "a title as spreadsheets save it": ["Samples,,,\n,,,\n", 3, "Samples"],
    "comments": ["# made by ada\n# a, b, c, d, e\n", 3, "# made by ada"],
    "Excel's hint": ["sep=,\n", 2, "sep="],
  };
  for (const [what, [above, line, first]] of Object.entries(cases)) {
    await t.step(what, async () => {
      const { columns, rows, entries } = await readTable(encode(above + table), { name: "m.csv" });
      assertEquals([columns, rows.length, rows[0]], [["strain", "date", "country", "host"], 2, [
        "A",
        "2013",
        "Peru",
        "bat",
      ]]);
      assertStringIncludes(entries[0].text, `m.csv has its header on line ${line}: `);
      assertStringIncludes(entries[0].text, `above left out, "${first}`);
    });
  }
  await t.step("Excel's hint above two columns", async () => {
    const { columns, rows } = await readTable(encode("sep=;\r\nstrain;country\r\nA;Peru\r\nB;Cuba\r\n"));
    assertEquals([columns, rows], [["strain", "country"], [["A", "Peru"], ["B", "Cuba"]]]);
  });
  await t.step("Excel's hint, and as many commas as semicolons", async () => {
    for (const hint of ["sep=;", '"sep=;"', "\uFEFFSEP=;"]) {
      const { columns, rows } = await readTable(
        encode(`${hint}\r\nid;Ct, mean;Ct, sd\r\nA;12,5;0,3\r\nB;13,5;0,4\r\n`),
      );
      assertEquals([columns, rows], [["id", "Ct, mean", "Ct, sd"], [["A", "12,5", "0,3"], ["B", "13,5", "0,4"]]]);
    }
  });
  await t.step("Excel's hint that does not hold", async () => {
    assertEquals((await readTable(encode("sep=,\nid;host\nA;bat\nB;pig\n"))).columns, ["id", "host"]);
  });
  const headers: Record<string, [text: string, columns: string[]]> = {
    "a header that begins with a hash": ["#strain\tdate\nA\t2013\nB\t2014\n", ["#strain", "date"]],
    "a table of one column": ["strain\nA\nB\n", ["strain"]],
    "a header alone": ["strain,date\n", ["strain", "date"]],
    "rows that end with more separators": ["strain,date\nA,2013,,\nB,2014,,\n", ["strain", "date"]],
    "rows of one column that end with separators": ["strain\nA,,\nB,,\n", ["strain"]],
  };
  for (const [what, [text, columns]] of Object.entries(headers)) {
    await t.step(what, async () => {
      const read = await readTable(encode(text));
      assertEquals([read.columns, read.entries], [columns, []]);
    });
  }
  await t.step("a title above a header and rows that end with more separators", async () => {
    const { columns, rows } = await readTable(encode("Samples\nstrain,date\nA,2013,,,\nB,2014,,,\n"));
    assertEquals([columns, rows], [["strain", "date"], [["A", "2013"], ["B", "2014"]]]);
  });
  await t.step("a header of two columns above a row that is wider", async () => {
    const text = `strain,date\n${"A,2013\n".repeat(5)}A,2013,x,y\n`;
    const { columns, rows, entries } = await readTable(encode(text), { name: "m.csv" });
    assertEquals([columns, rows.length], [["strain", "date"], 5]);
    const says = "1 of 6 rows of m.csv could not be read: line 7 (the row has 4 cells, the header has 2)";
    assertEquals(entries.map(({ code, level, text }) => [code, level, text]), [["unreadable", "reason", says]]);
  });
  await t.step("the line of a fault counts the titles", async () => {
    const text = "# title\nstrain,date,host\nA,2013,bat\nB,2014\n";
    const { entries } = await readTable(encode(text));
    assertStringIncludes(entries[1].text, "line 4 (the row has 2 cells, the header has 3)");
  });
});

Deno.test("readTable() reads quotes in tables with tabs as pandas, R and Excel write them", async (t) => {
  const cases: Record<string, [text: string, columns: string[], rows: string[][]]> = {
    "pandas: quotes where they are needed": [
      'strain\tnote\nA\t"said ""x"""\nB\t"two\nlines"\nC\t"a\ttab"\n',
      ["strain", "note"],
      [["A", 'said "x"'], ["B", "two\nlines"], ["C", "a\ttab"]],
    ],
    "pandas: its index": ["\tstrain\n0\tA\n1\tB\n", ["strain"], [["A"], ["B"]]],
    "R: quoted texts and the names of rows": [
      '"strain"\t"year"\n"1"\t"A"\t2013\n"2"\t"B"\t2014\n',
      ["strain", "year"],
      [["A", "2013"], ["B", "2014"]],
    ],
    "R: names of rows that are names": [
      '"year"\t"host"\n"A"\t2013\t"bat"\n"B"\t2014\t"pig"\n',
      ["row_name", "year", "host"],
      [["A", "2013", "bat"], ["B", "2014", "pig"]],
    ],
    "R: quotes after a backslash": [
      '"strain"\t"note"\n"A"\t"said \\"x\\""\n"B"\t"C:\\"\n',
      ["strain", "note"],
      [["A", 'said "x"'], ["B", "C:\\"]],
    ],
    "Excel: cells with commas": ['strain\tplace\nA\t"Lima, Peru"\n', ["strain", "place"], [["A", "Lima, Peru"]]],
    "archives: a quote is a character": [
      'strain\tnote\nA\t"Candidatus" x\nB\t"open\nC\t5"\n',
      ["strain", "note"],
      [["A", '"Candidatus" x'], ["B", '"open'], ["C", '5"']],
    ],
    "archives: quotes that would join rows": [
      'strain\tnote\nA\t"x\nB\ty"\nC\tz\n',
      ["strain", "note"],
      [["A", '"x'], ["B", 'y"'], ["C", "z"]],
    ],
    "vertical bars": ['strain|note\nA|"x|y"\n', ["strain", "note"], [["A", "x|y"]]],
    "a lone quote beside quoted cells": [
      'strain\tnote\n"Smith, J"\t5" disk\n"open\t"a ""b"""\n',
      ["strain", "note"],
      [["Smith, J", '5" disk'], ['"open', 'a "b"']],
    ],
    "columns that were emptied": ["strain,date,,\nA,2013,,\n", ["strain", "date"], [["A", "2013"]]],
    "rows that were emptied": ["strain,date\n,\nA,2013\n,\n,\n", ["strain", "date"], [["A", "2013"]]],
    "pandas: an index of names of rows": [",year\nA,2013\nB,2014\n", ["row_name", "year"], [["A", "2013"], [
      "B",
      "2014",
    ]]],
    "a column without a name of rows": ["strain,\nA,x\nB,\n", ["strain", "column_2"], [["A", "x"], ["B", ""]]],
    "BioSample's template": [
      "# This is a submission template, for use with the portal.\n# GREEN fields are mandatory, and so on.\n#\n" +
      "*sample_name\t*organism\thost\nA\tZika virus\tbat\nB\tZika virus\tpig\n",
      ["*sample_name", "*organism", "host"],
      [["A", "Zika virus", "bat"], ["B", "Zika virus", "pig"]],
    ],
    "a TSV with commas in its header": [
      "strain\tcity, country\nA\tLima, Peru\nB\tQuito\n",
      ["strain", "city, country"],
      [["A", "Lima, Peru"], ["B", "Quito"]],
    ],
  };
  for (const [what, [text, columns, rows]] of Object.entries(cases)) {
    await t.step(what, async () => {
      const read = await readTable(encode(text));
      assertEquals([read.columns, read.rows], [columns, rows]);
      const codes = / index$|of rows$|names$/.test(what) && !what.startsWith("rows") ? ["row-names"] : [];
      const titles = what.startsWith("BioSample") ? ["titles-skipped"] : [];
      assertEquals(read.entries.map(({ code }) => code).filter((code) => code !== "separator-unusual"), [
        ...titles,
        ...codes,
      ]);
    });
  }
});

Deno.test("readTable() reads back what is written with quotes where they are needed", async () => {
  const cell = fc.string({ unit: fc.constantFrom("a", '"', "\t", ",", "é", " ") });
  const table = fc.integer({ min: 2, max: 4 }).chain((width) =>
    fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 })
  );
  await fc.assert(fc.asyncProperty(table, async (rows) => {
    const columns = rows[0].map((_, index) => `name${index}`);
    const write = (cell: string) => /["\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
    const text = [columns, ...rows].map((row) => `${row.map(write).join("\t")}\n`).join("");
    const read = await readTable(encode(text));
    assertEquals([read.columns, read.rows], [columns, rows.filter((row) => row.some((cell) => cell.trim() !== ""))]);
  }));
});

Deno.test("readTable() reads rows that end with CR alone, line breaks in cells included", async (t) => {
  const cases: Record<string, [text: string, rows: string[][]]> = {
    "rows": ["a,b\r1,2\r3,4\r", [["1", "2"], ["3", "4"]]],
    "no end of the last row": ["a\tb\r1\t2", [["1", "2"]]],
    "a LF in a cell": ['a,b\r1,"x\ny"\r', [["1", "x\ny"]]],
    "a CR in a cell": ['a,b\r1,"x\ry"\r', [["1", "x\ry"]]],
    "a CR in a cell of rows that end with LF": ['a,b\n1,"x\ry"\n', [["1", "x\ry"]]],
  };
  for (const [what, [text, rows]] of Object.entries(cases)) {
    await t.step(what, async () => assertEquals((await readTable(encode(text))).rows, rows));
  }
});

Deno.test("readTable() reads other encodings when they are named, and its errors propose them", async (t) => {
  const text = "strain,place\nA,Orléans\n";
  const rows = [["A", "Orléans"]];
  const saved: Record<string, [bytes: Uint8Array, encoding: string, proposed: string]> = {
    "windows-1252": [latin1(text), "windows-1252", "windows-1252"],
    "UTF-16 with a mark": [utf16(`\uFEFF${text}`, true), "utf-16", "utf-16 "],
    "UTF-16 of the other order": [utf16(`\uFEFF${text}`, false), "utf-16", "utf-16 "],
    "UTF-16 without a mark": [utf16(text, true), "utf-16le", "utf-16le"],
    "UTF-16 of the other order without a mark": [utf16(text, false), "utf-16be", "utf-16be"],
  };
  for (const [what, [bytes, encoding, proposed]] of Object.entries(saved)) {
    await t.step(what, async () => {
      assertEquals((await readTable(bytes, { encoding })).rows, rows);
      await assertRejects(() => readTable(bytes), ParseError, `pass --encoding ${proposed}`);
    });
  }
  await t.step("the line that is not UTF-8", async () => {
    assertEquals((await assertRejects(() => readTable(latin1(text)), ParseError)).line, 2);
  });
  await t.step("bytes that are not of the encoding", async () => {
    await assertRejects(() => readTable(latin1(text), { encoding: "utf-8" }), ParseError, "it is not valid utf-8");
  });
  await t.step("no such encoding", async () => {
    const open = () => openTable(latin1(text), { encoding: "klingon" });
    await assertRejects(open, RangeError, 'Cannot use the encoding "klingon"');
  });
});

Deno.test("openTable() says that JSON holds no record, as of a search without a match", async () => {
  for (const text of ["[]\n", '{"reports": [], "total_count": 0}\n', "\uFEFF[\n]\n"]) {
    await assertRejects(() => openTable(new TextEncoder().encode(text)), ParseError, "it holds no record");
  }
});

Deno.test("readTable() notes that an answer in JSON is one page of several", async () => {
  const page = (ids: readonly string[], total: number) =>
    `${JSON.stringify({ reports: ids.map((accession) => ({ accession })), total_count: total })}\n`;
  const entriesOf = async (text: string) => (await readTable(encode(text), { name: "m.json" })).entries;
  const [entry, ...others] = await entriesOf(page(["a", "b"], 7));
  assertEquals([entry.code, entry.count, others], ["fewer-than-promised", 5, []]);
  assertStringIncludes(entry.text, "m.json holds 2 of 7 records");
  assertEquals((await entriesOf(page(["a", "b"], 7) + page(["c"], 7)))[0].count, 4);
  assertEquals(await entriesOf(page(["a", "b"], 3) + page(["c"], 3)), []);
  assertEquals(await entriesOf(page(["a", "b"], 2)), []);
});

Deno.test("readTable() names columns of JSON as their keys, and values within objects by their way", async (t) => {
  const cases: Record<string, [text: string, columns: string[], row: string[]]> = {
    "keys as a search writes them": [
      '{"Registry Accession":"x1","Collection Date":"2013"}\n',
      ["Registry Accession", "Collection Date"],
      ["x1", "2013"],
    ],
    "keys that are one alias": ['{"x y":1,"x_y":2,"X_Y":3}\n', ["x y", "x_y", "X_Y"], ["1", "2", "3"]],
    "keys in camel case": ['{"sourceDatabase":"GenBank"}\n', ["sourceDatabase"], ["GenBank"]],
    "values within objects": [
      '{"isolate":{"collectionDate":"2013","Lab Host":"Vero"},"Country":null}\n',
      ["isolate_collection_date", "isolate_lab_host", "Country"],
      ["2013", "Vero", ""],
    ],
    "a key in other scripts": ['{"国家":"秘鲁","Größe (bp)":7}\n', ["国家", "Größe (bp)"], ["秘鲁", "7"]],
    "an empty key": ['{"a":1,"":2}\n', ["a", "column_2"], ["1", "2"]],
  };
  for (const [what, [text, columns, row]] of Object.entries(cases)) {
    await t.step(what, async () => {
      const table = await readTable(encode(text), { name: "m.jsonl" });
      assertEquals([table.columns, table.rows], [columns, [row]]);
      assertEquals(table.entries.map(({ code }) => code), what === "an empty key" ? ["row-names"] : []);
    });
  }
  const twice = () => readTable(encode('{"x":{"y":1},"x_y":2}\n'));
  await assertRejects(twice, ParseError, "it has two values of x_y; rename a key of them");
});

Deno.test("readTable() keeps numbers of JSON that a float has not, and refuses a key that an object has twice", async () => {
  const { rows } = await readTable(encode('{"a":1e400,"b":[-1E-400,"x"],"c":1.5e3}\n'), { name: "m.jsonl" });
  assertEquals(rows, [["1e400", "-1E-400;x", "1500"]]);
  for (const text of ['{"a":1,"a":2}\n', '[{"x":{"a":"\\"a\\":}","\\u0061":3}}]\n']) {
    await assertRejects(() => readTable(encode(text)), ParseError, "an object has two values of a; rename a key");
  }
  const alike = await readTable(encode('{"a":"\\"a\\":{","b":{"a":2},"c":[{"a":1},{"a":2}]}\n'), { name: "m.jsonl" });
  assertEquals(alike.columns, ["a", "b_a", "c"]);
});

Deno.test("readTable() reads lists of JSON of which an item has a semicolon as JSON, as those of Parquet", async () => {
  const records = [
    {
      id: "a",
      Authors: ["Li; Wang", "X"],
      kinds: ["p", 2],
      host: [{ name: "n", value: "u;v" }, { name: "n", value: 1 }],
    },
    { id: "b", Authors: ["Y", null], kinds: [], host: [{ name: "n", value: "x;y" }] },
    { id: "c", Authors: null, taxa: [{ name: "t; u", rank: 1 }, { rank: 2 }] },
  ];
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join("");
  const { columns, rows, types } = await readTable(encode(text), { name: "m.jsonl" });
  assertEquals(columns, ["id", "Authors", "kinds", "host_n", "taxa"]);
  assertEquals(rows, [
    ["a", '["Li; Wang","X"]', "p;2", '["u;v","1"]', ""],
    ["b", '["Y"]', "", "x;y", ""],
    ["c", "", "", "", '["t; u",{"rank":2}]'],
  ]);
  assertEquals(types.map(({ type }) => type), ["string", "string", "string", "string", "string"]);
});

Deno.test("readTable() reads lists of JSON as JSON of which an item is a list, or looks like one", async () => {
  const text = '{"a":[[1,2]],"b":["[1,2]"],"c":["x","[y"]}\n{"a":[3],"b":["z"],"c":["w"]}\n';
  const { rows, types } = await readTable(encode(text), { name: "m.jsonl" });
  assertEquals(rows, [["[[1,2]]", '["[1,2]"]', '["x","[y"]'], ["[3]", '["z"]', '["w"]']]);
  assertEquals(types.map(({ type }) => type), ["string", "string", "string"]);
});
