/** A lake on moto, a server that we did not write, gives what the lake in a folder gives: `PYTHON=… deno test -A`. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { createHash } from "node:crypto";
import { findHttpfs } from "../../../src/core/engine/local/find_httpfs.ts";
import { duckdbVersion } from "../../../src/core/engine/local/lake_sql.ts";
import { makeSample } from "../../../src/embedded/sample/mod.ts";
import { buildLake, type Lake, ObjectStoreError, openLake, verifyLake } from "../../../src/core/tables/mod.ts";
import type { Analysis } from "../../../src/analysis/mod.ts";
import { LAKE_RECIPES, RECIPES } from "../../analysis/_recipes.ts";
import { cliCommand } from "../../_cli.ts";
import { inFolder } from "../../_files.ts";
import { testNeeding } from "../../_needs.ts";
import { needsModules } from "../../_python.ts";
import { exactRows } from "../../core/tables/_frames.ts";
import { BUCKET, startMoto } from "./_moto.ts";

const LAKE = `s3://${BUCKET}/registry/2026`;
const NEEDS = {
  ...needsModules("moto"),
  "DuckDB's extension httpfs": await findHttpfs(await duckdbVersion()) !== undefined,
};

const digest = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("hex");
/** Digests of numbers, notes and chart of every analysis. */
async function digestsOf(lake: Lake): Promise<string[]> {
  const lines: string[] = [];
  const add = (name: string, { frame, notes, chart }: Analysis) =>
    void lines.push(`${name} ${digest([exactRows(frame), notes, chart?.svg])}`);
  for (const [name, analyse] of Object.entries(RECIPES)) add(name, await analyse(lake, "2026-01-31"));
  for (const [name, analyse] of Object.entries(LAKE_RECIPES)) add(name, await analyse(lake, "2026-01-31"));
  return lines;
}

const QUERIES = [
  "SELECT count(*) AS n, count(DISTINCT Country) AS c FROM lake",
  `SELECT Family, count(*) AS n, sum("Sequence Length") AS l FROM lake GROUP BY ALL ORDER BY ALL`,
  "DESCRIBE lake",
  "SUMMARIZE SELECT Country FROM lake",
  "SHOW TABLES",
  "WITH x AS (FROM lake) SELECT count(*) AS n FROM x WHERE Country = ?",
  "PIVOT (SELECT Country, 1 AS one FROM lake) ON Country IN ('Kenya', 'Peru') USING count(*)",
];

testNeeding(
  NEEDS,
  "a lake on moto: equal digests by polars and DuckDB, faults are loud, keys are not seen",
  async (t) => {
    await using moto = await startMoto();
    await inFolder(async (folder) => {
      await makeSample(`${folder}/archives`, { records: 2000 });
      const built = await buildLake(`${folder}/archives`, `${folder}/lake`);
      const uploaded = await buildLake(`${folder}/archives`, LAKE, { store: moto.options });
      assertEquals(
        uploaded.map(({ manifest: { built: _, checksum: __, ...rest } }) => rest),
        built.map(({ manifest: { built: _, checksum: __, ...rest } }) => rest),
      );
      const again = await buildLake(`${folder}/archives`, LAKE, { store: moto.options });
      assert(again.every(({ reused }) => reused));
      await using here = await openLake(`${folder}/lake`);
      await using there = await openLake(LAKE, { store: moto.options });
      await t.step(
        `${Object.keys(RECIPES).length + Object.keys(LAKE_RECIPES).length} analyses have equal digests`,
        async () => {
          const [one, other] = [await digestsOf(here), await digestsOf(there)];
          assertEquals(other, one);
          assertEquals(new Set(one).size, Object.keys(RECIPES).length + Object.keys(LAKE_RECIPES).length);
        },
      );
      await t.step("joins are equal", async () => {
        const [one, other] = [await here.join(), await there.join()];
        assertEquals(other.ledger, one.ledger);
        assertEquals(digest(exactRows(await other.scan().collect())), digest(exactRows(await one.scan().collect())));
      });
      for (const query of QUERIES) {
        await t.step(`SQL: ${query}`, async () => {
          const values = query.includes("?") ? ["Kenya"] : [];
          const [one, other] = [await here.sql(query, values), await there.sql(query, values)];
          assertEquals(exactRows(other), exactRows(one));
        });
      }
      const foreign = new TextEncoder().encode("a\n1\n");
      await moto.store.put({ bucket: BUCKET, key: "registry/2026/foreign.csv" }, foreign);
      const refused = [
        `SELECT * FROM read_csv('${LAKE}/foreign.csv')`,
        `SELECT * FROM read_text('${LAKE}/lake.json')`,
        `SELECT * FROM glob('${LAKE}/**')`,
        `SELECT * FROM '${LAKE}/foreign.csv'`,
        `SELECT * FROM read_text('${moto.options.endpoint}/${BUCKET}/registry/2026/foreign.csv')`,
        "SELECT * FROM read_text('/etc/hostname')",
        "SELECT * FROM duckdb_secrets()",
        "SELECT secret_string FROM system.main.duckdb_secrets(redact = true)",
        "SELECT * FROM query('FROM duckdb_' || 'secrets()')",
        "SELECT * FROM query(?)",
        "SELECT (SELECT count(*) FROM duckdb_secrets() WHERE secret_string LIKE '%AKID%')",
        "SUMMARIZE FROM duckdb_secrets()",
        "EXPLAIN ANALYZE FROM duckdb_secrets()",
        "SELECT * FROM which_secret('s3://lakes/x', 's3')",
        "SELECT * FROM enable_logging('HTTP')",
        "SELECT * FROM duckdb_logs",
        "SELECT * FROM duckdb_logs_parsed('HTTP')",
        `COPY lake TO '${LAKE}/stolen.csv'`,
        "DROP SECRET lake",
      ];
      for (const text of refused) {
        await t.step(`refused: ${text}`, async () => {
          const values = text.includes("?") ? ["FROM duckdb_secrets()"] : [];
          const error = await assertRejects(() => there.sql(text, values), TypeError, "Cannot run the SQL");
          for (const part of Object.values(moto.options.key)) assert(!error.message.includes(part), error.message);
        });
      }
      await t.step("no setting, view or function shows the key", async () => {
        const { accessKeyId, secretAccessKey } = moto.options.key;
        for (const name of ["duckdb_settings", "duckdb_views", "duckdb_variables", "duckdb_databases"]) {
          const text = JSON.stringify(exactRows(await there.sql(`SELECT * FROM ${name}()`)));
          assert(!text.includes(accessKeyId) && !text.includes(secretAccessKey), name);
        }
      });
      await t.step("the command line: lake, sql, lake verify, doctor; the example of the documentation", async () => {
        const run = async (...args: string[]) => {
          const { code, stdout, stderr } = await cliCommand(args, { env: moto.env, run: true }).output();
          const text = new TextDecoder().decode(stderr);
          for (const part of Object.values(moto.options.key)) assert(!text.includes(part), text);
          return { code, stdout: new TextDecoder().decode(stdout), text };
        };
        const sql = await run("sql", LAKE, "SELECT count(*) AS n FROM lake", "--format", "csv");
        assertEquals([sql.code, sql.stdout], [0, "n\n2000\n"], sql.text);
        const lake = await run("lake", `${folder}/archives`, "-o", LAKE);
        assert(lake.code === 0 && lake.stdout.startsWith("s3://") && lake.text.includes("unchanged"), lake.text);
        const verify = await run("lake", "verify", LAKE);
        assertEquals([verify.code, verify.stdout.includes("FAILED")], [0, false], verify.text);
        const doctor = await run("doctor");
        assert(/^httpfs +\//m.test(doctor.stdout) && doctor.stdout.includes("key of the environment"), doctor.stdout);
        const page = await Deno.readTextFile(new URL("../../../docs/object_stores.md", import.meta.url));
        await Deno.writeTextFile(`${folder}/example.ts`, /```ts\n(.*?)```/s.exec(page)![1]);
        const example = await run("run", `--allow-net=${new URL(moto.options.endpoint).host}`, `${folder}/example.ts`);
        assertEquals([example.code, example.stdout.split("\n")[0]], [0, "2000 records, complete: true"], example.text);
      });
      const part = uploaded[0].files[0];
      const key = part.slice(`s3://${BUCKET}/`.length);
      const whole = (await moto.store.readWhole({ bucket: BUCKET, key }, { maxBytes: 1e9 }))!.bytes.slice();
      const flipped = whole.slice();
      flipped[whole.length >> 1] ^= 4;
      const faults = {
        "a flipped bit": () => moto.store.put({ bucket: BUCKET, key }, flipped),
        "a lost object": () => moto.store.remove({ bucket: BUCKET, key }),
      };
      for (const [name, make] of Object.entries(faults)) {
        await t.step(`${name} is loud`, async () => {
          await make();
          const query = `SELECT count(*) FROM ${uploaded[0].manifest.table}`;
          await assertRejects(() => there.sql(query), ObjectStoreError, part);
          await assertRejects(() => there.table({ table: uploaded[0].manifest.table }), ObjectStoreError, part);
          await assertRejects(() => openLake(LAKE, { store: moto.options }), ObjectStoreError, part);
          const bad = (await verifyLake(LAKE, { store: moto.options })).filter(({ ok }) => !ok);
          assertEquals(bad.length, 1);
        });
      }
      await t.step("a key of the environment is found by polars, and is in no plan and no setting", async () => {
        await moto.store.put({ bucket: BUCKET, key }, whole);
        for (const [name, value] of Object.entries(moto.env)) Deno.env.set(name, value);
        try {
          await using lake = await openLake(LAKE);
          const query = lake.scan().select(lake.column("Country")).limit(5);
          assertEquals((await lake.collect(query)).height, 5);
          assertEquals((await lake.sql("SELECT count(*) AS n FROM lake")).toRecords(), [{ n: 2000 }]);
          const settings = JSON.stringify(exactRows(await lake.sql("SELECT * FROM duckdb_settings()")));
          for (const part of Object.values(moto.options.key)) assert(!settings.includes(part), "DuckDB's settings");
          const plan = query.serialize("json").toString();
          for (const part of Object.values(moto.options.key)) assert(!plan.includes(part));
        } finally {
          for (const name of Object.keys(moto.env)) Deno.env.delete(name);
        }
      });
    });
  },
);
