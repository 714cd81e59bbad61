import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { existsSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { makeSample } from "../../../src/sample/mod.ts";
import { openLake } from "../../../src/tables/mod.ts";
import { cliCommand, runCli } from "../../_cli.ts";
import { runInProcess } from "../../_program.ts";
import { inFolder } from "../../_files.ts";

/** Waits, at most 20 seconds, until something is so. */
async function until(isSo: () => boolean): Promise<void> {
  const limit = performance.now() + 20_000;
  while (!isSo()) {
    assert(performance.now() < limit, "it never came to be");
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

const namesIn = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();

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
    const again = await runCli(["lake", "sample", "-o", "lake"], { cwd: folder });
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
    const env = { SEQREG_CACHE: `${folder}/cache`, SEQREG_OFFLINE: "" };
    const run = (...args: string[]) => runCli(args, { cwd: folder, env });
    const archive = "A/registryv1_full_dataset_metadata.csv.gz";
    const got = await run("dataset", "full_dataset_metadata", "-o", "A", "--registry", "set");
    assertEquals([got.code, got.stdout], [0, `${archive}\n`], got.stderr);
    const typesOf = async (...args: string[]) => {
      const { code, stderr } = await run("lake", archive, "-o", "L", "--ledger", "ledger.json", ...args);
      assertEquals(code, 0, stderr);
      const { inferred, columns } = JSON.parse(
        await Deno.readTextFile(`${folder}/L/full_dataset_metadata/manifest.json`),
      );
      const types = columns.filter(({ name }: { name: string }) => ["Sequence Length", "Host Age"].includes(name))
        .map(({ dtype }: { dtype: string }) => dtype);
      const { warnings } = JSON.parse(await Deno.readTextFile(`${folder}/ledger.json`));
      const said = warnings.filter((warning: string) => warning.includes("types were inferred from all values"));
      assertEquals(stderr.includes("types were inferred from all values"), said.length === 1);
      return [...types, inferred, said.length];
    };
    await t.step("by the file beside the archive", async () => {
      assertEquals(await typesOf(), ["Int64", "Int64", false, 0]);
      const { stdout } = await run("sql", "L", 'SELECT "Sequence Length" FROM lake ORDER BY 1 DESC LIMIT 1', "--quiet");
      await using lake = await openLake(`${folder}/L`);
      const [{ most }] = (await lake.sql('SELECT max("Sequence Length"::BIGINT)::VARCHAR AS most FROM lake'))
        .toRecords();
      assertEquals(stdout.trimEnd().split("\n").at(-1)?.trim(), most);
    });
    await Deno.remove(`${folder}/A/definitions.json`);
    await t.step("by the values", async () => assertEquals(await typesOf(), ["Int64", "String", true, 1]));
    await t.step(
      "by a registry",
      async () => assertEquals(await typesOf("--registry", "set"), ["Int64", "Int64", false, 0]),
    );
    await t.step("as text", async () => assertEquals(await typesOf("--text"), ["String", "String", false, 0]));
    await t.step("as text and by a file", async () => {
      const { code, stderr } = await run("lake", archive, "-o", "L", "--text", "--definitions", "d.json");
      assertEquals([code, stderr.includes("--text and --definitions cannot be combined")], [2, true]);
    });
  });
});

Deno.test("lake verify prints a verdict for each file, and ends with 1 when one is damaged", async () => {
  await inFolder(async (folder) => {
    await Deno.writeFile(`${folder}/a.csv.gz`, gzipSync("Registry Accession,N\nx,1\ny,2\n"));
    assertEquals((await runCli(["lake", "a.csv.gz", "-o", "lake"], { cwd: folder })).code, 0);
    const whole = await runCli(["lake", "verify", "lake"], { cwd: folder });
    assertEquals([whole.code, whole.stdout], [0, "a/manifest.json: OK\na/part-00000.parquet: OK\n"], whole.stderr);
    const part = `${folder}/lake/a/part-00000.parquet`;
    const bytes = await Deno.readFile(part);
    bytes[bytes.length >> 1] ^= 4;
    await Deno.writeFile(part, bytes);
    const { code, stdout, stderr } = await runCli(["lake", "verify", "lake"], { cwd: folder });
    assertEquals([code, stdout], [1, "a/manifest.json: OK\na/part-00000.parquet: FAILED\n"]);
    assertStringIncludes(stderr, "build the lake again: seqreg lake a.csv.gz -o lake");
    const query = await runCli(["sql", "lake", "SELECT * FROM lake"], { cwd: folder });
    assertEquals([query.code, query.stdout], [1, ""]);
    assertStringIncludes(query.stderr, "part-00000.parquet: it is damaged");
  });
});

Deno.test("lake ends with 4 when rows could not be read, and types by --definitions", async () => {
  await inFolder(async (folder) => {
    await Deno.writeFile(`${folder}/a.csv.gz`, gzipSync("Registry Accession,N,Day\nx,1,2013\ny,z,2014\nragged\n"));
    const type = (name: string, type: string) => ({ name, alias: "", type, description: "", unit: "", example: "" });
    await Deno.writeTextFile(`${folder}/d.json`, JSON.stringify([type("N", "integer"), type("Day", "date")]));
    const args = ["lake", "a.csv.gz", "-o", "lake", "--definitions", "d.json", "--dates", "columns"];
    const { code, stdout, stderr } = await runCli(args, { cwd: folder });
    assertEquals([code, stdout], [4, "lake/a/part-00000.parquet\n"], stderr);
    assertStringIncludes(stderr, "incomplete: 1 row could not be read");
    assertStringIncludes(stderr, "1 values do not fit their declared types (N)");
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
    for (let count = 0; count < 100; count++) await file.write(block);
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
