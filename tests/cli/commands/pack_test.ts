import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { gzipSync } from "node:zlib";
import { datasetFileNames } from "../../../src/core/contract/datasets.ts";
import { cliCommand, runCli } from "../../_cli.ts";
import { runInFolder, runInProcess } from "../../_program.ts";
import { makeWorkbook, row } from "../../core/io/workbook/_workbook.ts";
import { makeFolder, namesIn, readArchive, readRecords, sha256sumCheck } from "../../embedded/sample/_archives.ts";

const LISTED = datasetFileNames().map((name) => `${name}\n`).join("");

/** A folder with a FASTA and a table that fit. */
async function makeInput(): Promise<AsyncDisposable & { readonly path: string }> {
  const folder = await makeFolder();
  await Deno.writeTextFile(`${folder.path}/s.fasta`, ">a\nAC\nGT\n>b\nGGTT\n");
  await Deno.writeTextFile(`${folder.path}/m.csv`, 'strain,date,note\na,2013-12-XX,"one, two"\nb,?, NA \n');
  return folder;
}

Deno.test("pack lists the sixteen files it wrote, which sha256sum accepts", async () => {
  await using folder = await makeInput();
  const args = ["pack", "--fasta", "./s.fasta", "--metadata", "./m.csv", "-o", "./set"];
  const { code, stdout, stderr } = await runCli(args, { cwd: folder.path });
  assertEquals([code, stdout], [0, LISTED]);
  assertStringIncludes(stderr, 'pack: complete, 2 records joined by "strain" received, 2 asked for');
  const [, renamed, ...others] = stderr.trim().split("\n");
  assertEquals(renamed, "seqreg: columns named as public fields: strain is Isolate, date is Collection Date");
  assertEquals(others, []);
  const set = `${folder.path}/set`;
  const check = await sha256sumCheck(set);
  if (check !== undefined) assertEquals([check.code, check.stdout.match(/: OK$/gm)?.length], [0, 8]);
  const records = await readRecords(set, "full_dataset_metadata");
  assertEquals(records.map((record) => [record["Isolate"], record["Collection Date"], record["note"]]), [
    ["a", "2013-12-XX", "one, two"],
    ["b", "?", " NA "],
  ]);
  assertEquals((await readArchive(set, "full_dataset_sequence")).slice(1), [
    ["vj000000000001", "ACGT"],
    ["vj000000000002", "GGTT"],
  ]);
  const quiet = await runInFolder(folder.path, [...args, "--quiet"]);
  assertEquals([quiet.code, quiet.stderr], [0, ""]);
});

Deno.test("pack reads one of its files from standard input, gzip or not", async () => {
  await using folder = await makeInput();
  const fasta = new Uint8Array(gzipSync(">b\nACGT\n>a\nA\n"));
  const one = await runInFolder(folder.path, ["pack", "--fasta", "-", "--metadata", "./m.csv", "-o", "./one"], {
    stdin: fasta,
  });
  assertEquals([one.code, one.stdout], [0, LISTED]);
  assertEquals((await readArchive(`${folder.path}/one`, "full_dataset_sequence"))[1], ["vj000000000001", "ACGT"]);
  const two = await runInFolder(
    folder.path,
    ["pack", "--fasta", "./s.fasta", "--metadata", "-", "-o", "./two"],
    { stdin: "strain\tcountry\na\tPeru\nb\tCuba\n" },
  );
  assertEquals([two.code, two.stdout], [0, LISTED]);
  const records = await readRecords(`${folder.path}/two`, "full_dataset_metadata");
  assertEquals(records.map((record) => record["Country"]), ["Peru", "Cuba"]);
});

Deno.test("pack reads the sheet of a workbook that --sheet names, by name or number", async () => {
  await using folder = await makeInput();
  const sheet = (country: string) => row(1, "strain", "country") + row(2, "a", country) + row(3, "b", country);
  const book = await makeWorkbook([{ name: "old", rows: sheet("Peru") }, { name: "new", rows: sheet("Cuba") }]);
  await Deno.writeFile(`${folder.path}/m.xlsx`, book);
  const args = ["pack", "--fasta", "./s.fasta", "--metadata", "./m.xlsx", "-o", "./set"];
  const first = await runInFolder(folder.path, args);
  assertEquals(first.code, 0);
  assertStringIncludes(first.stderr, 'm.xlsx has 2 sheets with data: "old" was read, and not 2 "new"');
  for (const sheet of ["new", "2"]) {
    const { code, stderr } = await runInFolder(folder.path, [...args, "--sheet", sheet, "-q"]);
    assertEquals([code, stderr], [0, ""]);
    const records = await readRecords(`${folder.path}/set`, "full_dataset_metadata");
    assertEquals(records.map((record) => record["Country"]), ["Cuba", "Cuba"]);
  }
  const absent = await runInFolder(folder.path, [...args, "--sheet", "newer"]);
  assertEquals(absent.code, 2);
  assertStringIncludes(absent.stderr, 'there is no such sheet, did you mean "new"; the sheets are 1 "old", 2 "new"');
});

Deno.test("pack names what it leaves out, and ends with 4", async () => {
  await using folder = await makeInput();
  await Deno.writeTextFile(`${folder.path}/m.csv`, "strain,date\na,2013\nlost,2014\n");
  const input = ["--fasta", "./s.fasta", "--metadata", "./m.csv"];
  const args = ["pack", ...input, "-o", "./set", "--ledger", "./ledger.json", "--quiet"];
  const { code, stdout, stderr } = await runInFolder(folder.path, args);
  assertEquals([code, stdout], [4, LISTED]);
  assertStringIncludes(stderr, "1 row without a sequence left out: lost");
  assertStringIncludes(stderr, "1 sequence without a row left out: b");
  const ledger = JSON.parse(await Deno.readTextFile(`${folder.path}/ledger.json`));
  assertEquals([ledger.operation, ledger.complete, ledger.asked, ledger.received], ["pack", false, 2, 1]);
  assertEquals([ledger.missing, ledger.reasons.length], [["lost", "b"], 2]);
  assertEquals(ledger.bytes, 17 + 29);
});

Deno.test("pack refuses wrong usage, and writes nothing", async (t) => {
  await using folder = await makeInput();
  const rest = ["--fasta", "s.fasta", "--metadata", "m.csv"];
  const wrong: Record<string, [args: string[], says: string]> = {
    "no FASTA": [["--metadata", "m.csv", "-o", "x"], "without --fasta FILE"],
    "no table": [["--fasta", "s.fasta", "-o", "x"], "without --metadata FILE"],
    "no folder": [rest, "-o DIR"],
    "standard output": [[...rest, "-o", "-"], "-o DIR"],
    "both from standard input": [["--fasta", "-", "--metadata", "-", "-o", "x"], "standard input twice"],
    "an empty column name": [[...rest, "-o", "x", "--id-column="], "--id-column"],
    "a column that is absent": [[...rest, "-o", "x", "--id-column", "strian"], 'did you mean "strain"'],
    "an unknown option": [[...rest, "-o", "x", "--id_column", "a"], "did you mean --id-column"],
  };
  for (const [what, [args, says]] of Object.entries(wrong)) {
    await t.step(what, async () => {
      const { code, stdout, stderr } = await runInProcess([
        "pack",
        ...args.map((arg) => /^(x|s\.fasta|m\.csv)$/.test(arg) ? `${folder.path}/${arg}` : arg),
      ]);
      assertEquals([code, stdout], [2, ""]);
      assertStringIncludes(stderr, says);
      assertEquals(stderr.trim().split("\n").length, 1);
      assertEquals(await namesIn(folder.path), ["m.csv", "s.fasta"]);
    });
  }
});

Deno.test("pack refuses input it cannot read, in one line, and writes nothing", async (t) => {
  const whole = new Uint8Array(gzipSync(">a\nACGT\n>b\nGGTT\n"));
  const bad: Record<string, [code: number, says: string, fasta: string | Uint8Array | undefined, table?: string]> = {
    "text before the first record": [1, "line 1", "header\n>a\nACGT\n"],
    "a truncated gzip": [1, "s.fasta", whole.subarray(0, 25)],
    "no such FASTA": [1, "does not exist", undefined],
    "ids that do not match": [3, "none of its ids is in any column", ">x\nA\n"],
    "an empty FASTA": [3, "the FASTA has no records", ""],
  };
  for (const [what, [code, says, fasta, table]] of Object.entries(bad)) {
    await t.step(what, async () => {
      await using folder = await makeInput();
      if (fasta === undefined) await Deno.remove(`${folder.path}/s.fasta`);
      else {await Deno.writeFile(
          `${folder.path}/s.fasta`,
          fasta instanceof Uint8Array ? fasta : new TextEncoder().encode(fasta),
        );}
      if (table !== undefined) await Deno.writeTextFile(`${folder.path}/m.csv`, table);
      const before = await namesIn(folder.path);
      const args = ["pack", "--fasta", "./s.fasta", "--metadata", "./m.csv", "-o", "./new/set"];
      const run = await runInFolder(folder.path, args);
      assertEquals([run.code, run.stdout], [code, ""], run.stderr);
      assertStringIncludes(run.stderr, says);
      assertEquals(run.stderr.trim().split("\n").length, 1, run.stderr);
      assertEquals(await namesIn(folder.path), before);
    });
  }
});

Deno.test("pack leaves nothing when it is interrupted", async () => {
  await using folder = await makeInput();
  const child = cliCommand(["pack", "--fasta", "-", "--metadata", "m.csv", "-o", "set"], {
    cwd: folder.path,
    env: { TMPDIR: folder.path },
  }, true).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(">a\nACGT\n"));
  for (let turn = 0; (await namesIn(folder.path)).length === 2; turn++) {
    assert(turn < 1000, "the command put nothing aside in ten seconds");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  child.kill("SIGINT");
  // Standard input stays open: the interrupt alone must end the wait for more.
  const { code, stdout } = await child.output();
  await writer.close().catch(() => {});
  assertEquals([code, new TextDecoder().decode(stdout)], [130, ""]);
  assertEquals(await namesIn(folder.path), ["m.csv", "s.fasta"]);
});

Deno.test("pack names ambiguous dates and keeps them; --dates decides", async () => {
  await using folder = await makeInput();
  await Deno.writeTextFile(`${folder.path}/m.csv`, "strain,date\na,08/04/2016\nb,2016-01-06\n");
  const args = ["pack", "--fasta", `${folder.path}/s.fasta`, "--metadata", `${folder.path}/m.csv`];
  const pack = (...more: string[]) => runInProcess([...args, "-o", `${folder.path}/set`, ...more]);
  const dates = async () =>
    (await readRecords(`${folder.path}/set`, "full_dataset_metadata")).map((record) => record["Collection Date"]);
  const kept = await pack();
  assertEquals(kept.code, 0);
  assertStringIncludes(kept.stderr, 'warning: 1 of 2 values of "Collection Date" is of unknown order of day and month');
  assertEquals(await dates(), ["08/04/2016", "2016-01-06"]);
  const decided = await pack("--dates", "month-first");
  assertEquals(decided.code, 0);
  assertStringIncludes(decided.stderr, '"08/04/2016" became 2016-08-04');
  assertEquals(await dates(), ["2016-08-04", "2016-01-06"]);
  const wrong = await pack("--dates", "day");
  assertEquals(wrong.code, 2);
  assertStringIncludes(wrong.stderr, "expected one of day-first, month-first");
});

Deno.test("pack says how ids were joined; --id-part and --id-without-version force a form", async () => {
  await using folder = await makeFolder();
  await Deno.writeTextFile(`${folder.path}/s.fasta`, ">gb|A.1|x\nAC\n>gb|B.1|y\nGT\n");
  await Deno.writeTextFile(`${folder.path}/m.csv`, "id,note\nA.1,x\nB.1,y\n");
  const args = ["pack", "--fasta", `${folder.path}/s.fasta`, "--metadata", `${folder.path}/m.csv`];
  const pack = (...more: string[]) => runInProcess([...args, "-o", `${folder.path}/set`, ...more]);
  const found = await pack("--ledger", `${folder.path}/ledger.json`);
  const says = 'joined by the second piece of the header: "gb|A.1|x" with "A.1" in "id"';
  assertEquals(found.code, 0);
  assertStringIncludes(found.stderr, `warning: sequences and rows ${says}`);
  assertStringIncludes(JSON.parse(await Deno.readTextFile(`${folder.path}/ledger.json`)).warnings[0], says);
  const forced = await pack("--id-part", "3");
  assertStringIncludes(forced.stderr, 'joined by the third piece of the header: "gb|A.1|x" with "x" in "note"');
  const both = await pack("--id-part", "2", "--id-without-version");
  assertStringIncludes(both.stderr, "joined by the second piece of the header without its version");
  assertEquals([forced.code, both.code, (await pack("--id-part", "0")).code], [0, 0, 2]);
});

Deno.test("search of a packed folder says when a range meets texts", async () => {
  await using folder = await makeInput();
  await Deno.writeTextFile(`${folder.path}/m.csv`, "strain,load,length\na,9,2\nb,12 copies,two\n");
  await runInFolder(folder.path, ["pack", "--fasta", "./s.fasta", "--metadata", "./m.csv", "-o", "./set"]);
  const search = async (query: string, ...args: string[]) =>
    (await runInProcess(["search", query, "--registry", `${folder.path}/set`, ...args], {
      env: { SEQREG_CACHE: `${folder.path}/cache` },
    })).stderr;
  const age = 'warning: the range of "load" compares texts, character by character, not numbers, since the field ' +
    'is of type string: 2 records have a value, such as "12 copies"; ';
  for (const args of [[], ["--all"], ["--count"]]) {
    assertStringIncludes(await search("load:[1 TO 20]", ...args), age);
  }
  assertStringIncludes(
    await search("sequence_length:>1"),
    'warning: 1 record is in no range of "Sequence Length", since its value is no number: "two"; ',
  );
  assertEquals((await search("load:9")).includes("warning"), false);
});
