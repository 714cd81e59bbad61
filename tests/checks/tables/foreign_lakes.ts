/**
 * Folders of a lake's tables as pyarrow, pandas, polars for Python and DuckDB read them without options: equal rows,
 * types and values, here and in an object store, after a build, after a second one, and after one that was killed. Run
 * by `deno task checks foreign-lakes`. `PYTHON` names a Python with them.
 */
import { assert, assertEquals } from "@std/assert";
import { dirname } from "node:path";
import { type Lake, openLake } from "../../../src/core/tables/mod.ts";
import { cliCommand } from "../../_cli.ts";
import { testNeeding } from "../../_needs.ts";
import { needsModules, PYTHON } from "../../_python.ts";
import { inFolder, namesIn, writeGzip } from "../../core/tables/_lake_files.ts";
import { kill } from "../_kill.ts";
import { BUCKET, startMoto } from "../objects/_moto.ts";
import { buildOddLake as build, oddMetadata as metadata } from "./_odd_lake.ts";

const READ_FOLDERS = new URL("./_read_folders.py", import.meta.url).pathname;
const NEEDS = needsModules("pyarrow", "pandas", "polars", "duckdb", "moto");

type Moto = Awaited<ReturnType<typeof startMoto>>;

/** Kills builds of another version of the lake at different moments. */
async function killBuilds(folder: string, target: string, env: Readonly<Record<string, string>> = {}): Promise<number> {
  await writeGzip(`${folder}/metadata.csv.gz`, metadata(100_000));
  let killed = 0;
  for (const [turn, afterMs] of [300, 400, 600, 900].entries()) {
    const args = ["lake", `${folder}/metadata.csv.gz`, "-o", target, "--quiet", ...turn % 2 === 0 ? ["--text"] : []];
    const child = cliCommand(args, { env }).spawn();
    const timer = setTimeout(() => kill(child), afterMs);
    const { signal, code, stderr } = await child.output();
    clearTimeout(timer);
    if (code !== 0 && signal === null) throw new Error(new TextDecoder().decode(stderr));
    if (signal === "SIGKILL") killed++;
  }
  return killed;
}

/** Compares what every reader has of every table's folder with what this process has. Returns the readings. */
async function compare(
  lake: Lake,
  folderOf: (table: string) => string,
  env: Readonly<Record<string, string>> = {},
): Promise<number> {
  return await inFolder(async (expected) => {
    const tables = [...lake.tables.values()];
    const args = [READ_FOLDERS];
    for (const { table } of tables) {
      args.push(folderOf(table), await (await lake.table({ table })).toParquet(`${expected}/${table}.parquet`));
    }
    const { success, stdout, stderr } = await new Deno.Command(PYTHON, { args, env }).output();
    assert(success, new TextDecoder().decode(stderr));
    const lines = new TextDecoder().decode(stdout).trim().split("\n");
    for (const line of lines) {
      const [reader, folder, types, differing] = JSON.parse(line);
      const { columns } = tables.find(({ table }) => folderOf(table) === folder)!;
      assertEquals(types, Object.fromEntries(columns.map(({ name, dtype }) => [name, dtype])), `${reader}: ${folder}`);
      assertEquals(differing, [], `${reader}: ${folder}`);
    }
    return lines.length;
  });
}

testNeeding(NEEDS, "the folders of a lake's tables are tables to every reader", async (t) => {
  await inFolder(async (folder) => {
    const path = `${folder}/lake`;
    for (const records of [24_000, 20_000]) {
      await t.step(`built of ${records} records`, async () => {
        await build(folder, path, records);
        assert(namesIn(`${path}/metadata`).length > 1, "several parts");
        await using lake = await openLake(path);
        assertEquals(await compare(lake, (table) => `${path}/${table}`), 12);
      });
    }
    await t.step("after killed builds", async () => {
      assert(await killBuilds(folder, path) > 0);
      await using lake = await openLake(path);
      assertEquals(await compare(lake, (table) => `${path}/${table}`), 12);
    });
  });
});

testNeeding(NEEDS, "the prefixes of a lake's tables in an object store are tables to every reader", async (t) => {
  await using moto = await startMoto();
  await inFolder(async (folder) => {
    const address = `s3://${BUCKET}/foreign`;
    const open = () => openLake(address, { store: moto.options });
    const version = (lake: Lake) => (table: string) => dirname(lake.files(table)[0]).replace("s3://", "");
    const check = async () => {
      await using lake = await open();
      // The prefix of the table, and that of its current version.
      assertEquals(await compare(lake, (table) => `${BUCKET}/foreign/${table}`, moto.env), 4);
      assertEquals(await compare(lake, version(lake), moto.env), 4);
    };
    for (const records of [24_000, 20_000]) {
      await t.step(`built of ${records} records`, async () => {
        await build(folder, address, records, moto.options);
        await check();
      });
    }
    await t.step("after killed builds", async () => {
      assert(await killBuilds(folder, address, moto.env) > 0);
      // A kill while the version is changed may leave two below the table's prefix; that of the version holds one.
      await using lake = await open();
      assertEquals(await compare(lake, version(lake), moto.env), 4);
    });
  });
});
