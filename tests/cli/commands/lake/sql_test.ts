import { assertEquals, assertStringIncludes } from "@std/assert";
import pl from "nodejs-polars";
import { gzipSync } from "node:zlib";
import { buildLake } from "../../../../src/core/tables/mod.ts";
import { runInFolder } from "../../../_program.ts";
import { withFolder } from "../../../core/datasets/_archive.ts";

const CSV = "Registry Accession,Country\nvj000000000001,Kenya\nvj000000000002,a\tb\nvj000000000003,\n";

Deno.test("sql asks a lake: a table for people, CSV as it is, Parquet in a file, with a ledger", async () => {
  await withFolder(async (folder) => {
    await Deno.writeFile(`${folder}/a.csv.gz`, gzipSync(CSV));
    await buildLake(`${folder}/a.csv.gz`, `${folder}/lake`);
    const cases: Readonly<Record<string, [args: string[], stdout: string]>> = {
      "a table": [
        ["SELECT count(*) AS n FROM lake WHERE Country = ?", "--param", "Kenya", "--ledger", "./ledger.json"],
        "n\n-\n1\n",
      ],
      "CSV": [["SELECT * FROM a", "--format", "csv", "--quiet"], CSV],
      "Parquet": [["SELECT * FROM a", "--format", "parquet", "-o", "./out.parquet", "-q"], ""],
    };
    const run = ([query, ...args]: string[]) => runInFolder(folder, ["sql", "./lake", query, ...args]);
    const results = await Promise.all(Object.values(cases).map(([args]) => run(args)));
    for (const [index, [name, [, stdout]]] of Object.entries(cases).entries()) {
      const { code, stdout: said, stderr } = results[index];
      assertEquals([code, said], [0, stdout], `${name}: ${stderr}`);
    }
    assertEquals(pl.readParquet(`${folder}/out.parquet`).height, 3);
    const { operation, received, request } = JSON.parse(await Deno.readTextFile(`${folder}/ledger.json`));
    assertEquals([operation, received, request.params, request.tables[0].archive], ["sql", 1, ["Kenya"], "a.csv.gz"]);
    assertEquals([...Deno.readDirSync(`${folder}/lake`)].map(({ name }) => name).sort(), ["_lake", "a"]);
  });
});

Deno.test("sql writes every number whole, and the format that the name of its output promises", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/t.csv`, "a\n1\n");
    const query = "SELECT i FROM range(12000) t(i)";
    const { stdout } = await runInFolder(folder, ["sql", "./t.csv", query]);
    const numbers = stdout.trim().split("\n").slice(2).map(Number);
    assertEquals(numbers, Array.from({ length: 12_000 }, (_, number) => number));
    await runInFolder(folder, ["sql", "./t.csv", query, "-o", "./n.csv"]);
    assertEquals((await Deno.readTextFile(`${folder}/n.csv`)).slice(0, 6), "i\n0\n1\n");
    await runInFolder(folder, ["sql", "./t.csv", query, "-o", "./n.parquet"]);
    assertEquals((await Deno.readTextFile(`${folder}/n.parquet`)).slice(0, 4), "PAR1");
  });
});

Deno.test("sql reads and does nothing else, and says what is wrong", async () => {
  await withFolder(async (folder) => {
    await Deno.writeFile(`${folder}/a.csv.gz`, gzipSync(CSV));
    await buildLake(`${folder}/a.csv.gz`, `${folder}/lake`);
    const cases: readonly [args: string[], code: number, says: string][] = [
      [["./lake", `COPY lake TO '${folder}/stolen.csv'`], 2, "a lake is only read"],
      [["./lake", "SELECT 1", "--format", "parquet"], 2, "use --output FILE"],
      [["./lake", "SELECT 1", "--spill", "./out"], 2, "Option --spill needs --engine"],
      [["./lake", "SELECT 1", "-o", "./a.xlsx"], 2, "Cannot write .xlsx to "],
      [["./lake", "SELECT 1", "--param", "x"], 2, "it has 0 parameters (?, $1 or $name), and 1 value came for them"],
      [["./lake", "SELECT $1, $1, ?"], 2, "Cannot run the SQL"],
    ];
    const results = await Promise.all(cases.map(([args]) => runInFolder(folder, ["sql", ...args])));
    for (const [index, [, code, says]] of cases.entries()) {
      assertEquals([results[index].code, results[index].stdout], [code, ""], results[index].stderr);
      assertStringIncludes(results[index].stderr, says);
      assertEquals(results[index].stderr.trim().split("\n").length, 1);
    }
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), ["a.csv.gz", "lake"]);
  });
});

Deno.test("sql has columns that differ in case alone by stated names, says so, and is complete", async () => {
  await withFolder(async (folder) => {
    await Deno.writeFile(`${folder}/a.csv.gz`, gzipSync("id,Country,country\na,Kenya,x\nb,Peru,y\n"));
    await buildLake(`${folder}/a.csv.gz`, `${folder}/lake`);
    const query = "SELECT Country, country_2 FROM lake WHERE country_2 = 'y'";
    const { code, stdout, stderr } = await runInFolder(folder, ["sql", "./lake", query, "--format", "csv"]);
    assertEquals([code, stdout], [0, "Country,country_2\nPeru,y\n"]);
    assertStringIncludes(stderr, "differ in case alone: country, which SQL calls country_2");
  });
});
