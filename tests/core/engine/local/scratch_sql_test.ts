import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { RegistryError } from "../../../../src/core/errors.ts";
import { ScratchSql, withMemory } from "../../../../src/core/engine/local/scratch_sql.ts";
import { printIn } from "../../../_time_zone.ts";
import { inFolder } from "../../../_files.ts";

async function withScratch(
  work: (sql: ScratchSql, folder: string) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  await inFolder(async (folder) => {
    await using sql = await ScratchSql.open({ files: [], folder, ...signal && { signal } });
    await work(sql, folder);
  });
}

Deno.test("ScratchSql.stream() yields all rows while other statements run", async () => {
  await withScratch(async (sql) => {
    let rows = 0;
    for await (const batch of sql.stream("SELECT * FROM range(10000)")) {
      rows += batch.rows;
      await sql.all("SELECT 1");
    }
    assertEquals(rows, 10_000);
  });
});

Deno.test("ScratchSql that was closed asks to be made again", async () => {
  await withScratch(async (sql) => {
    await sql[Symbol.asyncDispose]();
    await assertRejects(() => sql.all("SELECT 1"), TypeError, "it was closed");
    await assertRejects(() => Array.fromAsync(sql.stream("SELECT 1")), TypeError, "it was closed");
  });
});

Deno.test("ScratchSql reads nothing outside its files and its folder", async () => {
  await withScratch(async (sql) => {
    await assertRejects(() => sql.all("SELECT * FROM read_csv('/etc/passwd')"), Error, "Permission Error");
    await assertRejects(() => sql.run("SET enable_external_access = true"), Error);
  });
});

Deno.test("ScratchSql ends a statement with the signal's reason", async () => {
  const stop = new AbortController();
  await withScratch(async (sql) => {
    const running = sql.all("SELECT sum(hash(a.range + b.range)) FROM range(1000000) a, range(1000000) b");
    stop.abort(new Error("stopped"));
    await assertRejects(() => running, Error, "stopped");
  }, stop.signal);
});

Deno.test("ScratchSql that runs out of memory states what to do, and leaves no files", async () => {
  await inFolder(async (folder) => {
    {
      await using sql = await ScratchSql.open({ files: [], folder, memoryMb: 30 });
      // Rows to sort are put on the disk; the list of one group cannot be.
      await sql.run("CREATE TABLE numbers AS SELECT hash(range) AS n FROM range(2000000)");
      const gather = "SELECT list(n) FROM numbers";
      for (const run of [() => sql.all(gather), () => Array.fromAsync(sql.stream(gather)), () => sql.run(gather)]) {
        const { code, message } = await assertRejects(run, RegistryError);
        assertEquals(code, "disk");
        assertMatch(
          message,
          /^Cannot read the tables: Out of Memory Error: [^:;]*; use fewer columns or records, or shorter values$/,
        );
      }
      assertEquals(await sql.all("SELECT count(*)::INTEGER FROM numbers"), [[2_000_000]]);
    }
    assertEquals(Array.from(Deno.readDirSync(folder)), []);
  });
});

Deno.test("ScratchSql.partition() keeps the rows of each value apart, without those that have none", async () => {
  await withScratch(async (sql) => {
    const rows = "SELECT range AS n, CASE WHEN range < 30 THEN range % 11 END AS part FROM range(40)";
    const parts = await sql.partition(rows, "part");
    const found = await Promise.all(parts.map((part) => sql.all(`SELECT n FROM ${part} ORDER BY n`)));
    const expected = Array.from({ length: 11 }, (_, part) => [part, part + 11, part + 22].filter((n) => n < 30));
    assertEquals(found.map((rows) => rows.map(([n]) => Number(n))), expected);
    assertEquals(await sql.partition("SELECT 1 AS n, 0 AS part WHERE false", "part"), []);
  });
});

Deno.test("ScratchSql.copyParquet() keeps the order of the rows", async () => {
  await withScratch(async (sql) => {
    const path = await sql.copyParquet("SELECT range AS n FROM range(5000) ORDER BY n DESC");
    const rows = await sql.all(`SELECT n FROM ${await sql.parquet([path])}`);
    assertEquals(rows.map(([n]) => Number(n)), Array.from({ length: 5000 }, (_, at) => 4999 - at));
  });
});

Deno.test("times with a zone are those of UTC on every machine, also of lake.sql()", async () => {
  const from = (file: string) =>
    JSON.stringify(new URL(`../../../../src/core/engine/local/${file}`, import.meta.url).href);
  const printed = await printIn(
    "Asia/Tokyo",
    `import { ScratchSql, withMemory } from ${from("scratch_sql.ts")};
     import { LakeSql } from ${from("lake_sql.ts")};
     const folder = await Deno.makeTempDir();
     await using scratch = await ScratchSql.open({ files: [], folder });
     await using lake = await LakeSql.open({ location: folder, tables: [] });
     const query = "SELECT t::VARCHAR AS v, t::DATE::VARCHAR AS d FROM (SELECT TIMESTAMPTZ '2019-12-31 20:00:00+00' AS t)";
     const rows = [await scratch.all(query)];
     for await (const batch of scratch.stream(query)) rows.push([[batch.column(0)[0], batch.column(1)[0]]]);
     const { v, d } = (await lake.query(query, [])).toRecords()[0];
     console.log(JSON.stringify([...rows, [[v, d]]]));
     await Deno.remove(folder, { recursive: true });`,
  );
  const row = ["2019-12-31 20:00:00+00", "2019-12-31"];
  assertEquals(JSON.parse(printed), [[row], [row], [row]]);
});

Deno.test("withMemory() does work again with more memory, and other errors end it", async () => {
  await inFolder(async (folder) => {
    const tried: number[] = [];
    const gather = (values: number) =>
      withMemory(20, async (memoryMb) => {
        tried.push(memoryMb);
        await using sql = await ScratchSql.open({ files: [], folder, memoryMb });
        return (await sql.all(`SELECT len(list(hash(range))) FROM range(${values})`))[0][0];
      });
    assertEquals([Number(await gather(4_000_000)), tried.length > 1], [4_000_000, true]);
    tried.length = 0;
    const { code } = await assertRejects(() => gather(100_000_000), RegistryError);
    assertEquals([code, tried], ["disk", [20, 60, 180]]);
    tried.length = 0;
    await assertRejects(() => gather(NaN), RegistryError);
    assertEquals(tried, [20]);
  });
});

Deno.test("ScratchSql.append() and words() take whole numbers of 64 bits as they are", async () => {
  await withScratch(async (sql) => {
    await sql.run("CREATE TABLE numbers (a BIGINT, b UBIGINT)");
    const [a, b] = [[-1n, 7n, 2n ** 40n], [2n ** 64n - 1n, 0n, 5n]];
    await sql.append("numbers", [a, b]);
    await sql.append("numbers", [[], []]);
    const many = Array.from({ length: 5000 }, (_, row) => BigInt(row));
    await sql.append("numbers", [many, many]);
    assertEquals((await sql.all("SELECT count(*), sum(b) FROM numbers WHERE rowid >= 3")).flat().map(Number), [
      5000,
      4999 * 2500,
    ]);
    for await (const batch of sql.stream("SELECT a, b FROM numbers WHERE rowid < 3")) {
      const words = [0, 1].map((index) => new BigUint64Array(batch.words(index).slice().buffer));
      assertEquals(words.map((column) => [...column]), [a.map((value) => BigInt.asUintN(64, value)), b]);
    }
  });
});
