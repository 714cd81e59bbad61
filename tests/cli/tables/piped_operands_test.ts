/** Tables through standard input and pipes are read as files are. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { gzipSync } from "node:zlib";
import { schemaOf } from "../../../src/again/schema/schema.ts";
import { putPipesAside } from "../../../src/cli/tables/piped_operands.ts";
import { buildLake } from "../../../src/core/tables/lake/objects/build_any_lake.ts";
import { runCli } from "../../_cli.ts";
import { withFolder } from "../../core/datasets/_archive.ts";

const TABLE = "accession\tCountry\tdate\nx1\tPeru\t2013\nx2\tMali\t2014-05-01\n";

/** A FIFO in a folder, into which bytes are written when it is opened. */
async function fifoOf(folder: string, bytes: string | Uint8Array, name = "pipe"): Promise<string> {
  const path = `${folder}/${name}`;
  assert((await new Deno.Command("mkfifo", { args: [path] }).output()).success);
  const script = 'cat > "$0"';
  const writer = new Deno.Command("sh", { args: ["-c", script, path], stdin: "piped" }).spawn();
  const input = writer.stdin.getWriter();
  await input.write(typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes);
  await input.close();
  return path;
}

Deno.test("commands read a table through standard input as they read its file", async () => {
  await withFolder(async (cwd) => {
    await Deno.writeTextFile(`${cwd}/stdin`, TABLE);
    const query = "SELECT * FROM lake";
    for (const args of [["sql", "stdin", query], ["schema", "stdin"], ["diff", "stdin", "stdin"]]) {
      const expected = await runCli(args, { cwd });
      const piped = await runCli(args.with(1, "-"), { cwd, stdin: TABLE });
      assertEquals(piped.code, expected.code, piped.stderr);
      assertEquals(piped.stderr, expected.stderr);
      assertEquals(piped.stdout, expected.stdout.replace("stdin →", "- →"));
    }
    const device = await runCli(["sql", "/dev/stdin", query, "--format", "csv"], { cwd, stdin: gzipSync(TABLE) });
    assertEquals(device.stdout, "accession,Country,date\nx1,Peru,2013\nx2,Mali,2014-05-01\n");
    for (const args of [["lake", "-", "-o", "lake"], ["curate", "-", "-o", "kept"]]) {
      assertEquals((await runCli(args, { cwd, stdin: TABLE })).code, 0);
    }
    const chart = await runCli(["chart", "recordsInTime", "-", "-o", "c.svg"], { cwd, stdin: TABLE });
    assertEquals(chart.code, 0, chart.stderr);
    const twice = await runCli(["diff", "-", "/dev/stdin"], { cwd, stdin: TABLE });
    assertEquals([twice.code, twice.stderr], [2, "seqreg: Cannot read standard input twice: use - once\n"]);
  });
});

Deno.test("buildLake() and schemaOf() read a pipe once, whole", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/file.tsv`, TABLE);
    const of = async (path: string) =>
      (await schemaOf(path)).tables[0].fields.map(({ name, type, values }) => [name, type, values?.filled]);
    const expected = await of(`${folder}/file.tsv`);
    assertEquals(expected.map(([name]) => name), ["accession", "Country", "date"]);
    assertEquals(await of(await fifoOf(folder, TABLE)), expected);
    assertEquals(await of(await fifoOf(folder, gzipSync(TABLE), "gzip")), expected);
    const [{ manifest }] = await buildLake(await fifoOf(folder, TABLE, "lake"), `${folder}/out`);
    assertEquals([manifest.table, manifest.rows, manifest.source.bytes], ["lake", 2, TABLE.length]);
  });
});

Deno.test("putPipesAside() leaves files alone and removes what it put aside", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/file.tsv`;
    await Deno.writeTextFile(file, TABLE);
    const { signal } = new AbortController();
    const host = { signal, stdin: () => ReadableStream.from([new TextEncoder().encode("standard")]) };
    let aside: string[];
    {
      const given = ["name", file, "-", await fifoOf(folder, "piped"), `${folder}/absent`];
      using read = await putPipesAside(given, [1, Infinity], host);
      const { operands } = read;
      assertEquals([operands[0], operands[1], operands[4]], ["name", file, `${folder}/absent`]);
      aside = [operands[2], operands[3]];
      assertEquals(await Promise.all(aside.map((path) => Deno.readTextFile(path))), ["standard", "piped"]);
      assertStringIncludes(aside[1], "/pipe");
    }
    for (const path of aside) await assertRejects(() => Deno.stat(path), Deno.errors.NotFound);
  });
});
