/** One table of people's tables, read by every command that takes one: equal columns, types, values and notes. */
import { assertEquals } from "@std/assert";
import pl from "nodejs-polars";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { openLake } from "../../src/core/tables/mod.ts";
import { runInProcess } from "../_program.ts";
import { withFolder } from "../core/datasets/_archive.ts";
import { makeWorkbook } from "../core/io/workbook/_workbook.ts";

/** A table as it is saved, and what it is. */
interface Case {
  readonly file: string;
  readonly bytes: string | Uint8Array;
  /** Columns and their types; the first holds the ids. */
  readonly columns: Readonly<Record<string, string>>;
  readonly rows: string;
  /** Codes of what is noted about its form and its values. */
  readonly notes?: readonly string[];
  /** Codes that are not. */
  readonly lacks?: readonly string[];
  readonly args?: readonly string[];
}

const SAMPLES = { strain: "string", date: "date", host: "string" };
const ROWS = "A,2013-05,bat\nB,2014,pig\n";
const LENGTHS = { strain: "string", length: "integer" };
const encode = (text: string) => new TextEncoder().encode(text);
const separated = (by: string) => `strain,date,host\n${ROWS}`.replaceAll(",", by);
const samples = (file: string, bytes: string | Uint8Array, notes: readonly string[] = []): Case => ({
  file,
  bytes,
  columns: SAMPLES,
  rows: ROWS,
  notes,
});
const lengths = (bytes: string, notes: readonly string[] = []): Case => ({
  file: "m.csv",
  bytes,
  columns: LENGTHS,
  rows: "A,10\nB,20\n",
  notes,
});

const CASES: Readonly<Record<string, Case>> = {
  "CSV": samples("m.csv", separated(",")),
  "gzip": samples("m.csv.gz", gzipSync(separated(","))),
  "Zstandard": samples("m.tsv.zst", zstdCompressSync(separated("\t"))),
  "TSV": samples("m.tsv", separated("\t")),
  "semicolons": samples("m.csv", separated(";"), ["separator-unusual"]),
  "vertical bars": samples("m.txt", separated("|"), ["separator-unusual"]),
  "Excel's hint": samples("m.csv", `sep=;\r\n${separated(";")}`, ["separator-unusual", "titles-skipped"]),
  "BioSample's template": {
    file: "m.tsv",
    bytes: "# This is a submission template, for use by the portal\n# GREEN: mandatory, BLUE: one of them\n" +
      "*sample_name\t*organism\tcollection_date\nA\tZika virus\t2013-05\nB\tZika virus\t2014\n",
    columns: { "*sample_name": "string", "*organism": "string", collection_date: "date" },
    rows: "A,Zika virus,2013-05\nB,Zika virus,2014\n",
    notes: ["titles-skipped"],
  },
  "quotes in a TSV": {
    file: "m.tsv",
    bytes: 'strain\tplace\tnote\nA\t"Lima, Peru"\t5" disk\nB\t"a ""K"""\t"open\n',
    columns: { strain: "string", place: "string", note: "string" },
    rows: 'A,"Lima, Peru","5"" disk"\nB,"a ""K""","""open"\n',
  },
  "pandas' index": lengths(",strain,length\n0,A,10\n1,B,20\n", ["row-names"]),
  "R's names of rows": {
    file: "m.csv",
    bytes: '"length","host"\n"A",10,"bat"\n"B",20,"pig"\n',
    columns: { row_name: "string", length: "integer", host: "string" },
    rows: "A,10,bat\nB,20,pig\n",
    notes: ["row-names"],
  },
  "rows and columns without a value": lengths("strain,length,\nA,10,\n,,\nB,20,\n,,\n"),
  "separators at the end of rows": lengths("strain,length\nA,10,\nB,20, ,\n"),
  "separators at the end of some rows, by tabs": { ...lengths("strain\tlength\nA\t10\t\nB\t20\n"), file: "m.tsv" },
  "lines of white space": lengths("strain,length\n        \nA,10\n  , \n, \nB,20\n\t\n"),
  "lines of white space in a TSV": { ...lengths("strain\tlength\n        \nA\t10\n \t \nB\t20\n"), file: "m.tsv" },
  "a second header of joined files": lengths("strain,length\nA,10\nstrain,length\nB,20\n", ["header-repeated"]),
  "a second header below a byte order mark": lengths(
    "\uFEFFstrain,length\r\nA,10\r\n\uFEFFstrain,length\r\nB,20\r\n",
    ["header-repeated"],
  ),
  "a second header in a TSV": {
    ...lengths("strain\tlength\nA\t10\n\uFEFFstrain\tlength\nB\t20\nstrain\tlength\n", ["header-repeated"]),
    file: "m.tsv",
  },
  "lone carriage returns": lengths("strain,length\rA,10\rB,20\r"),
  "Windows-1252": {
    file: "m.csv",
    bytes: Uint8Array.from("strain,place\nA,Orléans\n", (letter) => letter.charCodeAt(0)),
    columns: { strain: "string", place: "string" },
    rows: "A,Orléans\n",
    args: ["--encoding", "windows-1252"],
  },
  "JSON Lines": {
    file: "m.jsonl",
    bytes: '{"strain":"A","host":{"taxId":9606},"length":10}\n{"strain":"B","length":20}\n',
    columns: { strain: "string", host_tax_id: "integer", length: "integer" },
    rows: "A,9606,10\nB,,20\n",
  },
  "an array of JSON": {
    ...lengths('[\n  {"strain": "A", "length": 10},\n  {"strain": "B", "length": 20}\n]\n'),
    file: "m.json",
  },
  "reports of NCBI Datasets": {
    ...lengths('{"reports": [{"strain":"A","length":10},{"strain":"B","length":20}], "total_count": 2}\n'),
    file: "m.jsonl",
  },
  "attributes of BioSamples": {
    file: "m.jsonl",
    bytes: '{"strain":"A","attributes":[{"name":"host","value":"bat"},{"name":"collection_date"}]}\n' +
      '{"strain":"B","attributes":[{"name":"collection_date","value":"2014"},{"name":"host","value":"pig"}]}\n',
    columns: { strain: "string", attributes_host: "string", attributes_collection_date: "date" },
    rows: "A,bat,\nB,pig,2014\n",
  },
  "numbers of JSON that other programs round": {
    file: "m.jsonl",
    bytes: '{"strain":"A","run":9007199254740993,"ratio":0.41940499999999997}\n' +
      '{"strain":"B","run":9223372036854775808,"ratio":0.5}\n',
    columns: { strain: "string", run: "string", ratio: "float" },
    rows: "A,9007199254740993,0.419405\nB,9223372036854775808,0.5\n",
  },
  "values of JSON that are never there": {
    file: "m.json",
    bytes: '[{"strain":"A","host":null,"place":null,"attributes":[{"name":"x","value":null}]},\n' +
      '{"strain":"B","host":null,"place":{"country":"Peru"}}]\n',
    columns: { strain: "string", host: "string", attributes_x: "string", place_country: "string" },
    rows: "A,,,\nB,,,Peru\n",
  },
  "numbers without a header": {
    file: "m.tabular",
    bytes: "1.5\t0.5\t-1\n2.5\t0.7\t-2\n3.5\t0.9\t-3\n",
    columns: { "1.5": "float", "0.5": "float", "-1": "integer" },
    rows: "2.5,0.7,-2\n3.5,0.9,-3\n",
    notes: ["header-doubtful"],
  },
  "dates and accessions without a header": {
    file: "m.csv",
    bytes: "MK000001.1,2020-01,Peru\nMK000002.1,2020-02-03,Chile\n",
    columns: { "MK000001.1": "string", "2020-01": "date", Peru: "string" },
    rows: "MK000002.1,2020-02-03,Chile\n",
    notes: ["header-doubtful"],
  },
  "months and samples as names of columns": {
    file: "m.csv",
    bytes: "gene,2018-01,2019-01,SRR000001\nA,10,12,3\nB,11,9,4\n",
    columns: { gene: "string", "2018-01": "integer", "2019-01": "integer", SRR000001: "integer" },
    rows: "A,10,12,3\nB,11,9,4\n",
    lacks: ["header-doubtful"],
  },
  "columns between blanks": {
    file: "m.txt",
    bytes: "strain  length host\nA      10 bat\nB      20 pig\n",
    columns: { "strain  length host": "string" },
    rows: "A      10 bat\nB      20 pig\n",
    notes: ["separator-doubtful"],
  },
  "names of several words": {
    file: "m.txt",
    bytes: "virus name\nZika virus\nDengue virus\n",
    columns: { "virus name": "string" },
    rows: "Zika virus\nDengue virus\n",
    lacks: ["separator-doubtful"],
  },
  "two texts of one number": {
    file: "m.csv",
    bytes: "strain,box\nA,11320.1\nB,11320.100\n",
    columns: { strain: "string", box: "string" },
    rows: "A,11320.1\nB,11320.100\n",
  },
  "codes, versions and long numbers": {
    file: "m.csv",
    bytes: "strain,well,version,run\nA,71E2,1.9,20240000000000003\nB,72E2,1.10,20240000000000004\n",
    columns: { strain: "string", well: "string", version: "string", run: "string" },
    rows: "A,71E2,1.9,20240000000000003\nB,72E2,1.10,20240000000000004\n",
  },
  "numbers of 17 digits": {
    file: "m.csv",
    bytes: "strain,ratio\nA,0.41940499999999997\nB,0.5\n",
    columns: { strain: "string", ratio: "float" },
    rows: "A,0.419405\nB,0.5\n",
  },
  "ages, some missing": {
    file: "m.csv",
    bytes: "strain,host_age\nA,12\nB,NA\n",
    columns: { strain: "string", host_age: "integer" },
    rows: "A,12\nB,\n",
  },
  "one odd length": {
    file: "odd.csv",
    bytes: 'strain,length\nA,900\nB,"1,200"\nC,29903 bp\n',
    columns: LENGTHS,
    rows: "A,900\nB,\nC,29903\n",
    notes: ["values-invalid"],
  },
  "lengths with separators between thousands": {
    file: "m.csv",
    bytes: 'strain,length\nA,"29,903"\nB,"29,882"\n',
    columns: { strain: "string", length: "string" },
    rows: 'A,"29,903"\nB,"29,882"\n',
    notes: ["values-invalid"],
  },
  "decimal commas, and points between thousands": {
    file: "m.csv",
    bytes: "strain;depth;reads;n\nA;1.299,99;29.903;1\nB;12,5;1.200;2\n",
    columns: { strain: "string", depth: "string", reads: "string", n: "integer" },
    rows: 'A,"1.299,99",29.903,1\nB,"12,5",1.200,2\n',
    notes: ["values-invalid", "separator-unusual"],
  },
  "decimal points between semicolons": {
    file: "m.csv",
    bytes: "strain;ratio\nA;1.25\nB;2.5\n",
    columns: { strain: "string", ratio: "float" },
    rows: "A,1.25\nB,2.5\n",
    notes: ["separator-unusual"],
  },
  "days with years of two digits": {
    file: "m.csv",
    bytes: "strain,date\nA,31-Jan-20\nB,05-Feb-21\nC,0\n",
    columns: { strain: "string", date: "string" },
    rows: "A,31-Jan-20\nB,05-Feb-21\nC,0\n",
    notes: ["values-invalid"],
  },
  "days in several styles": {
    file: "m.csv",
    bytes: "strain,date\nA,2020/01/31\nB,20200131\nC,31 January 2020\nD,2020-01-31 00:00:00 UTC\nE,XXXX-XX-XX\n",
    columns: { strain: "string", date: "date" },
    rows: "A,2020/01/31\nB,20200131\nC,31 January 2020\nD,2020-01-31 00:00:00 UTC\nE,XXXX-XX-XX\n",
  },
  "a row that is too long": { ...lengths("strain,length\nA,10\nB,20,x\n", ["unreadable"]), rows: "A,10\n" },
};

for (const [what, one] of Object.entries(CASES)) {
  Deno.test(`every command reads ${what} alike`, async () => await withFolder((folder) => check(folder, one)));
}

Deno.test("every command reads a workbook alike, and the sheet that is asked for", async () => {
  const text = (cell: string) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`;
  const rows = (lines: string) =>
    lines.trim().split("\n").map((line) => `<row>${line.split(",").map(text).join("")}</row>`).join("");
  const bytes = await makeWorkbook([
    { name: "notes", rows: rows("strain,note\nA,x\n") },
    { name: "samples", rows: rows(separated(",")) },
  ]);
  await withFolder((folder) => check(folder, { ...samples("m.xlsx", bytes), args: ["--sheet", "samples"] }));
});

Deno.test("every command reads Parquet alike, with the types that it declares", async () => {
  await withFolder(async (folder) => {
    pl.DataFrame([
      pl.Series("strain", ["A", "B"], pl.String),
      pl.Series("code", ["007", "8"], pl.String),
      pl.Series("ct", [12.5, null], pl.Float64),
      pl.Series("n", [1, 2], pl.Int64),
    ]).writeParquet(`${folder}/in.parquet`);
    const bytes = await Deno.readFile(`${folder}/in.parquet`);
    const columns = { strain: "string", code: "string", ct: "float", n: "integer" };
    await check(folder, { file: "m.parquet", bytes, columns, rows: "A,007,12.5,1\nB,8,,2\n" });
  });
});

Deno.test("every command finds types of the text columns of Parquet as of a CSV", async () => {
  await withFolder(async (folder) => {
    const texts = { strain: ["A", "B"], date: ["2013-05", "2014"], host: ["bat", "pig"] };
    const series = Object.entries(texts).map(([name, values]) => pl.Series(name, values, pl.String));
    pl.DataFrame(series).writeParquet(`${folder}/in.parquet`);
    await check(folder, samples("m.parquet", await Deno.readFile(`${folder}/in.parquet`)));
    // A type that the file declares is kept, whatever the column is called.
    pl.DataFrame([
      pl.Series("strain", ["A", "B"], pl.String),
      pl.Series("length", ["10", "20"], pl.String),
      pl.Series("release_date", [2013, 2014], pl.Int64),
    ]).writeParquet(`${folder}/in.parquet`);
    const bytes = await Deno.readFile(`${folder}/in.parquet`);
    const columns = { strain: "string", length: "integer", release_date: "integer" };
    await check(folder, { file: "m.parquet", bytes, columns, rows: "A,10,2013\nB,20,2014\n" });
  });
});

Deno.test("a sheet or an encoding that a table does not have is wrong usage for every command", async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/m.csv`;
    await Deno.writeTextFile(path, separated(","));
    await Deno.writeTextFile(`${folder}/m.fasta`, ">A\nACGT\n");
    const commands = [
      ["lake", path, "-o", `${folder}/lake`],
      ["sql", path, "SELECT 1"],
      ["chart", "schemaCard", path, "--format", "csv"],
      ["pack", "--fasta", `${folder}/m.fasta`, "--metadata", path, "-o", `${folder}/set`],
    ];
    for (const command of commands) {
      for (const wrong of [["--sheet", "2"], ["--encoding", "klingon"]]) {
        const { code, stderr } = await runInProcess([...command, ...wrong]);
        assertEquals([code, stderr.trim().split("\n").length], [2, 1], `${command[0]}: ${stderr}`);
      }
    }
  });
});

/** Reads one table by each command. */
async function check(
  folder: string,
  { file, bytes, columns, rows, notes = [], lacks = [], args = [] }: Case,
): Promise<void> {
  const path = `${folder}/${file}`;
  await Deno.writeFile(path, typeof bytes === "string" ? encode(bytes) : bytes);
  const ids = rows.trim().split("\n").map((row) => row.split(",")[0]);
  await Deno.writeTextFile(`${folder}/m.fasta`, ids.map((id) => `>${id}\nACGT\n`).join(""));
  const code = notes.includes("unreadable") ? 4 : 0;
  const run = async (...command: string[]) => {
    const ended = await runInProcess([...command, ...args]);
    assertEquals(ended.code, code, `${command[0]}: ${ended.stderr}`);
    return ended.stdout;
  };
  const checkNotes = async (ledger: string) => {
    const { entries } = JSON.parse(await Deno.readTextFile(ledger));
    const codes: string[] = entries.map(({ code }: { code: string }) => code);
    assertEquals(notes.filter((note) => !codes.includes(note)), [], `${ledger}: ${codes}`);
    assertEquals(lacks.filter((note) => codes.includes(note)), [], `${ledger}: ${codes}`);
  };

  await run("lake", path, "-o", `${folder}/lake`, "--ledger", `${folder}/lake.json`);
  await checkNotes(`${folder}/lake.json`);
  await using lake = await openLake(`${folder}/lake`);
  const table = await lake.table();
  assertEquals(Object.fromEntries(table.columns.map(({ name, type }) => [name, type])), columns);

  if (file === "odd.csv") {
    const { warnings } = JSON.parse(await Deno.readTextFile(`${folder}/lake.json`));
    assertEquals(warnings.filter((text: string) => text.includes('(length: "1,200")')).length, 1, String(warnings));
  }

  const query = ["SELECT * FROM lake", "--format", "csv", "--ledger", `${folder}/sql.json`];
  assertEquals(await run("sql", path, ...query), `${Object.keys(columns).join(",")}\n${rows}`);
  await checkNotes(`${folder}/sql.json`);

  await run("chart", "schemaCard", path, "--format", "csv");

  const set = ["--metadata", path, "-o", `${folder}/set`, "--ledger", `${folder}/pack.json`];
  await run("pack", "--fasta", `${folder}/m.fasta`, ...set);
  await checkNotes(`${folder}/pack.json`);
  const definitions: { name: string; type: string; description: string }[] = JSON.parse(
    await Deno.readTextFile(`${folder}/set/definitions.json`),
  );
  const typeOf = (column: string) =>
    definitions.find(({ name, description }) => {
      const quoted = JSON.stringify(column);
      return name === column || description.endsWith(`column ${quoted}`) || description.startsWith(`Column ${quoted} `);
    })?.type;
  assertEquals(Object.fromEntries(Object.keys(columns).map((column) => [column, typeOf(column)])), columns);
}
