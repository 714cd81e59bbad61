import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { existsSync } from "node:fs";
import { basename, relative } from "node:path";
import { gzipSync } from "node:zlib";
import type { Ledger } from "../../../../src/core/contract/ledger.ts";
import { makeSample } from "../../../../src/embedded/sample/mod.ts";
import { openLake } from "../../../../src/core/tables/mod.ts";
import { cliCommand, runCli } from "../../../_cli.ts";
import { runInFolder, runInProcess } from "../../../_program.ts";
import { inFolder, namesIn } from "../../../_files.ts";
import { fileOf } from "../../../core/tables/_lake_files.ts";

/** Waits, at most 20 seconds, until something is so. */
async function until(isSo: () => boolean): Promise<void> {
  const limit = performance.now() + 20_000;
  while (!isSo()) {
    assert(performance.now() < limit, "it never came to be");
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

Deno.test("lake prints the Parquet files of every archive in a folder, once built, again the same", async () => {
  await inFolder(async (folder) => {
    await makeSample(`${folder}/sample`, { records: 300, seed: 1 });
    const first = await runCli(["lake", "sample", "-o", "lake", "--ledger", "ledger.json"], { cwd: folder });
    assertEquals(first.code, 0, first.stderr);
    const files = first.stdout.trimEnd().split("\n");
    assertEquals(files.length, 8);
    for (const file of files) assert((await Deno.stat(`${folder}/${file}`)).isFile);
    // Several tables have the field whose values do not fit: it is named once.
    const [, fields] = /declared types \((.*?)\)/.exec(first.stderr) ?? [];
    assertEquals(fields?.split(", "), [...new Set(fields?.split(", "))]);
    const ledger = JSON.parse(await Deno.readTextFile(`${folder}/ledger.json`));
    assertEquals([ledger.operation, ledger.complete], ["lake", true]);
    const again = await runInFolder(folder, ["lake", "./sample", "-o", "./lake"]);
    assertEquals([again.code, again.stdout], [0, first.stdout]);
    assertStringIncludes(again.stderr, "unchanged since the last build");
    await using lake = await openLake(`${folder}/lake`);
    const [{ n, type }] =
      (await lake.sql(`SELECT count(*) AS n, any_value(typeof("Sequence Length")) AS type FROM lake`))
        .toRecords();
    assertEquals([n, type], [300, "BIGINT"]);
  });
});

Deno.test("a dataset becomes a lake typed by the registry's definitions, or by its values, which is reported", async (t) => {
  await inFolder(async (folder) => {
    await makeSample(`${folder}/set`, { records: 40, seed: 1 });
    const env = { SEQREG_CACHE: `${folder}/cache` };
    const run = (...args: string[]) => runInFolder(folder, args, { env });
    const archive = "./A/registryv1_full_dataset_metadata.csv.gz";
    const got = await run("dataset", "full_dataset_metadata", "-o", "./A", "--registry", "./set");
    assertEquals([got.code, got.stdout], [0, `${archive.slice(2)}\n`], got.stderr);
    const typesOf = async (...args: string[]) => {
      const { code, stderr } = await run("lake", archive, "-o", "./L", "--ledger", "./ledger.json", ...args);
      assertEquals(code, 0, stderr);
      const { inferred, columns } = JSON.parse(
        await Deno.readTextFile(fileOf(`${folder}/L`, "full_dataset_metadata", "manifest")),
      );
      const types = columns.filter(({ name }: { name: string }) => ["Sequence Length", "Host Age"].includes(name))
        .map(({ dtype }: { dtype: string }) => dtype);
      const { warnings } = JSON.parse(await Deno.readTextFile(`${folder}/ledger.json`));
      const said = warnings.filter((warning: string) =>
        warning.includes("types were inferred from names and all values")
      );
      assertEquals(stderr.includes("types were inferred from names and all values"), said.length === 1);
      return [...types, inferred, said.length];
    };
    await t.step("by the file beside the archive", async () => {
      assertEquals(await typesOf(), ["Int64", "Int64", false, 0]);
      const { stdout } = await run(
        "sql",
        "./L",
        'SELECT "Sequence Length" FROM lake ORDER BY 1 DESC LIMIT 1',
        "--quiet",
      );
      await using lake = await openLake(`${folder}/L`);
      const [{ most }] = (await lake.sql('SELECT max("Sequence Length"::BIGINT)::VARCHAR AS most FROM lake'))
        .toRecords();
      assertEquals(stdout.trimEnd().split("\n").at(-1)?.trim(), most);
    });
    await Deno.remove(`${folder}/A/definitions.json`);
    await t.step("by the values", async () => assertEquals(await typesOf(), ["Int64", "Int64", true, 1]));
    await t.step(
      "by a registry",
      async () => assertEquals(await typesOf("--registry", "./set"), ["Int64", "Int64", false, 0]),
    );
    await t.step("as text", async () => assertEquals(await typesOf("--text"), ["String", "String", false, 0]));
    await t.step("as text and by a file", async () => {
      const { code, stderr } = await run("lake", archive, "-o", "./L", "--text", "--definitions", "./d.json");
      assertEquals([code, stderr.includes("--text and --definitions cannot be combined")], [2, true]);
    });
  });
});

Deno.test("lake verify prints a verdict for each file, and ends with 1 when one is damaged", async () => {
  await inFolder(async (folder) => {
    await Deno.writeFile(`${folder}/a.csv.gz`, gzipSync("Registry Accession,N\nx,1\ny,2\n"));
    assertEquals((await runInFolder(folder, ["lake", "./a.csv.gz", "-o", "./lake"])).code, 0);
    const whole = await runInFolder(folder, ["lake", "verify", "./lake"]);
    const [part, manifest] = (["parquet", "manifest"] as const).map((kind) => fileOf(`${folder}/lake`, "a", kind));
    const names = [manifest, part].map((path) => relative(`${folder}/lake`, path));
    assertEquals([whole.code, whole.stdout], [0, `${names[0]}: OK\n${names[1]}: OK\n`], whole.stderr);
    const bytes = await Deno.readFile(part);
    bytes[bytes.length >> 1] ^= 4;
    await Deno.writeFile(part, bytes);
    const { code, stdout, stderr } = await runInFolder(folder, ["lake", "verify", "./lake"]);
    assertEquals([code, stdout], [1, `${names[0]}: OK\n${names[1]}: FAILED\n`]);
    assertStringIncludes(stderr, "build the lake again: seqreg lake a.csv.gz -o lake");
    const query = await runInFolder(folder, ["sql", "./lake", "SELECT * FROM lake"]);
    assertEquals([query.code, query.stdout], [1, ""]);
    assertStringIncludes(query.stderr, `${basename(part)}: it is damaged`);
  });
});

Deno.test("lake ends with 4 when rows could not be read, and types by --definitions", async () => {
  await inFolder(async (folder) => {
    await Deno.writeFile(`${folder}/a.csv.gz`, gzipSync("Registry Accession,N,Day\nx,1,2013\ny,z,2014\nragged\n"));
    const type = (name: string, type: string) => ({ name, alias: "", type, description: "", unit: "", example: "" });
    await Deno.writeTextFile(`${folder}/d.json`, JSON.stringify([type("N", "integer"), type("Day", "date")]));
    const args = ["lake", "./a.csv.gz", "-o", "./lake", "--definitions", "./d.json", "--dates", "columns"];
    const { code, stdout, stderr } = await runInFolder(folder, args);
    assertEquals([code, stdout], [4, `${relative(folder, fileOf(`${folder}/lake`, "a", "parquet"))}\n`], stderr);
    assertStringIncludes(
      stderr,
      "incomplete: 1 row of a could not be read: line 4 (the row has 1 cell, the header has 3)",
    );
    assertStringIncludes(stderr, '1 value does not fit its declared type (N: "z")');
    await using lake = await openLake(`${folder}/lake`);
    assertEquals((await lake.scan().collect()).columns, [
      "Registry Accession",
      "N",
      "Day",
      "Day earliest",
      "Day latest",
      "Day precision",
    ]);
  });
});

Deno.test("lake refuses wrong usage before any work, and damaged archives without leaving anything", async (t) => {
  await inFolder(async (folder) => {
    await Deno.mkdir(`${folder}/empty`);
    const whole = gzipSync("Registry Accession,N\nx,1\n".repeat(1));
    await Deno.writeFile(`${folder}/cut.csv.gz`, whole.subarray(0, whole.length - 9));
    await Deno.writeTextFile(`${folder}/page.csv.gz`, "<!doctype html><p>no</p>");
    const cases: Record<string, [args: string[], code: number, says: string]> = {
      "no operand": [["-o", "lake"], 2, "Too few arguments"],
      "no folder": [["cut.csv.gz"], 2, "-o"],
      "a wrong form of dates": [["cut.csv.gz", "-o", "lake", "--dates", "column"], 2, "did you mean columns?"],
      "no such file": [["none.csv.gz", "-o", "lake"], 1, "does not exist"],
      "a folder without archives": [["empty", "-o", "lake"], 1, "none of the eight archives"],
      "a truncated archive": [["cut.csv.gz", "-o", "lake"], 1, "cut.csv.gz"],
      "a web page": [["page.csv.gz", "-o", "lake"], 1, "an HTML page"],
      "a folder that is a file": [["cut.csv.gz", "-o", "page.csv.gz"], 1, "Cannot make the folder"],
    };
    for (const [name, [args, code, says]] of Object.entries(cases)) {
      await t.step(name, async () => {
        const places = args.map((arg) => /^(lake|empty|\w+\.csv\.gz)$/.test(arg) ? `${folder}/${arg}` : arg);
        const result = await runInProcess(["lake", ...places]);
        assertEquals(result.code, code, result.stderr);
        assertStringIncludes(result.stderr, says);
        assertEquals(result.stdout, "");
        assertEquals(result.stderr.trimEnd().split("\n").length, 1);
      });
    }
    assertEquals(namesIn(folder).filter((name) => name !== "lake"), ["cut.csv.gz", "empty", "page.csv.gz"]);
    assertEquals(namesIn(`${folder}/lake`), []);
  });
});

Deno.test("an interrupted lake ends with 130 and leaves nothing", async () => {
  await inFolder(async (folder) => {
    const row = `vj000000000001,${"x,".repeat(30)}${"y".repeat(200)}\n`;
    const header = `Registry Accession,${Array.from({ length: 30 }, (_, n) => `f${n}`).join(",")},g\n`;
    await Deno.writeTextFile(`${folder}/a.csv`, header);
    const file = await Deno.open(`${folder}/a.csv`, { append: true });
    const block = new TextEncoder().encode(row.repeat(10_000));
    for (let count = 0; count < 40; count++) await file.write(block);
    file.close();
    const child = cliCommand(["lake", "a.csv", "-o", "lake"], { cwd: folder }).spawn();
    const output = child.output();
    await until(() => existsSync(`${folder}/lake`) && namesIn(`${folder}/lake`).length > 0);
    const stopped = performance.now();
    child.kill("SIGINT");
    const { code } = await output;
    assertEquals(code, 130);
    assert(performance.now() - stopped < 20_000, "a stop is waited for without end");
    assertEquals(namesIn(`${folder}/lake`), []);
  });
});

Deno.test("lake files prints the parts of the current version, table by table", async () => {
  await inFolder(async (folder) => {
    for (const name of ["a", "b"]) {
      await Deno.writeFile(`${folder}/${name}.csv.gz`, gzipSync("Registry Accession,N\nx,1\ny,?\nz,many\n"));
    }
    assertEquals((await runInFolder(folder, ["lake", "./b.csv.gz", "./a.csv.gz", "-o", "./lake"])).code, 0);
    const { code, stdout, stderr } = await runInFolder(folder, ["lake", "files", "./lake"]);
    const parts = ["a", "b"].map((table) => relative(folder, fileOf(`${folder}/lake`, table, "parquet")));
    assertEquals([code, stdout], [0, `${parts[0]}\n${parts[1]}\n`], stderr);
    assertStringIncludes(stderr, "lake files: 2 files of 2 tables, 6 rows");
    await Deno.remove(`${folder}/${parts[0]}`);
    const lost = await runInFolder(folder, ["lake", "files", "./lake"]);
    assertEquals([lost.code, lost.stdout], [1, ""]);
    assertStringIncludes(lost.stderr, parts[0]);
  });
});

Deno.test("lake names duplicate, empty and malformed accessions, and counts words that became null", async () => {
  await inFolder(async (folder) => {
    const rows = [
      "vj000000000001,2016-01-06,1",
      "vj000000000001,25-Mar-2016,?",
      ",08/04/2016,not collected",
      "x1,later,5",
      "vj00000000001,2016,7",
    ];
    await Deno.writeTextFile(`${folder}/a.csv`, `Registry Accession,Collection Date,N\n${rows.join("\n")}\n`);
    const define = (name: string, type: string) => ({ name, type });
    await Deno.writeTextFile(
      `${folder}/d.json`,
      JSON.stringify([define("N", "integer"), define("N", "string"), define("Collection Date", "string")]),
    );
    const args = [
      "lake",
      "./a.csv",
      "-o",
      "./lake",
      "--dates",
      "columns",
      "--definitions",
      "./d.json",
      "--ledger",
      "./l.json",
    ];
    const { code, stderr } = await runInFolder(folder, args);
    assertEquals(code, 0, stderr);
    const ledger: Ledger = JSON.parse(await Deno.readTextFile(`${folder}/l.json`));
    assertEquals([ledger.received, ledger.unique, ledger.duplicate], [5, 4, 1]);
    assertEquals(ledger.entries.map(({ code, count, ids }) => [code, count, ids]), [
      ["definition-repeated", 1, ["N"]],
      ["dates-not-columns", 1, ["Collection Date"]],
      ["duplicates", 1, ["vj000000000001"]],
      ["accession-empty", 1, undefined],
      ["accession-invalid", 2, ["x1", "vj00000000001"]],
      ["values-missing", 2, ["N"]],
    ]);
    for (const { text } of ledger.entries) assertStringIncludes(stderr, text);
    // A table says of itself what its build said.
    await using lake = await openLake(`${folder}/lake`);
    const codes = (await lake.table()).ledger.entries.map(({ code }) => code);
    assertEquals(codes.filter((code) => /^(duplicates|accession)/.test(code)), [
      "duplicates",
      "accession-empty",
      "accession-invalid",
    ]);
  });
});

Deno.test("lake of one's own data has no warnings about archives that pack made", async () => {
  await inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/t.csv`, "strain,Collection Date,Country\nA,2016-01-06,Brazil\nB,2015,Haiti\n");
    await Deno.writeTextFile(`${folder}/s.fasta`, ">A\nACGTACGTAA\n>B\nACGTTTTTTT\n");
    const packed = await runInFolder(folder, ["pack", "--metadata", "./t.csv", "--fasta", "./s.fasta", "-o", "./set"]);
    assertEquals(packed.code, 0, packed.stderr);
    const { code, stderr } = await runInFolder(folder, ["lake", "./set", "-o", "./lake"]);
    assertEquals([code, stderr.includes("warning")], [0, false], stderr);
  });
});

Deno.test("the next run of an output removes what a killed one left of it, and says so", async () => {
  await inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/a.csv`, "Registry Accession,N\nvj000000000001,1\n");
    const leftovers = ["lake/.a.elsewhere.4711.0a1b2c3d.part/parts", "genomes/.out.csv.4711.0a1b2c3d.part"];
    await Deno.mkdir(`${folder}/${leftovers[0]}`, { recursive: true });
    await Deno.mkdir(`${folder}/genomes`);
    await Deno.writeTextFile(`${folder}/${leftovers[1]}`, "cut");
    const built = await runInFolder(folder, ["lake", "./a.csv", "-o", "./lake"]);
    assertEquals(built.code, 0, built.stderr);
    assertStringIncludes(built.stderr, "removed lake/.a.elsewhere.4711.0a1b2c3d.part, which a killed process left");
    const asked = await runInFolder(folder, [
      "sql",
      "./lake",
      "FROM lake",
      "--format",
      "csv",
      "-o",
      "./genomes/out.csv",
    ]);
    assertEquals(asked.code, 0, asked.stderr);
    assertStringIncludes(asked.stderr, "removed genomes/.out.csv.4711.0a1b2c3d.part, which a killed process left");
    assertEquals([namesIn(`${folder}/lake`), namesIn(`${folder}/genomes`)], [["_lake", "a"], ["out.csv"]]);
  });
});
