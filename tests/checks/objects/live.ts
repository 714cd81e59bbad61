/**
 * A live table of a lake on moto, a server that we did not write, answers as that of the lake in a folder:
 * `PYTHON=… deno test -A tests/checks/objects/live.ts`.
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { findHttpfs } from "../../../src/core/engine/local/find_httpfs.ts";
import { duckdbVersion } from "../../../src/core/engine/local/lake_sql.ts";
import { LiveTable } from "../../../src/jupyter/live/live_table.ts";
import { renewSource } from "../../../src/jupyter/live/live_source.ts";
import { ChangedFileError, ParquetRows } from "../../../src/jupyter/live/parquet_rows.ts";
import { live } from "../../../src/jupyter/notebook/live/live.ts";
import { readyLiveSource } from "../../../src/jupyter/notebook/live/live_source.ts";
import { makeSample } from "../../../src/embedded/sample/mod.ts";
import { buildLake, openLake } from "../../../src/core/tables/mod.ts";
import { inFolder } from "../../_files.ts";
import { testNeeding } from "../../_needs.ts";
import { needsModules } from "../../_python.ts";
import { BUCKET, startMoto } from "./_moto.ts";

const LAKE = `s3://${BUCKET}/live`;
const NEEDS = {
  ...needsModules("moto"),
  "DuckDB's extension httpfs": await findHttpfs(await duckdbVersion()) !== undefined,
};

testNeeding(NEEDS, "a live table of a lake on moto: equal answers, that lake alone, built anew", async (t) => {
  await using moto = await startMoto();
  const before = Object.keys(moto.env).map((name) => [name, Deno.env.get(name)] as const);
  for (const [name, value] of Object.entries(moto.env)) Deno.env.set(name, value);
  try {
    await inFolder(async (folder) => {
      await makeSample(`${folder}/archives`, { records: 1500 });
      await buildLake(`${folder}/archives`, `${folder}/lake`);
      await buildLake(`${folder}/archives`, LAKE);
      await using here = await openLake(`${folder}/lake`);
      await using there = await openLake(LAKE);
      const { source } = await readyLiveSource(there);
      const own = (await readyLiveSource(here)).source;
      await using remote = await LiveTable.open(source);
      await using local = await LiveTable.open(own);
      await t.step("rows, orders, counts and distributions are equal", async () => {
        const country = local.columns.findIndex(({ name }) => name === "Country");
        for (const sort of [null, { column: country, descending: true }]) {
          for (const filters of [[], [{ column: country, kind: "holds", text: "en" } as const]]) {
            for (const offset of [0, 30]) {
              const question = { offset, limit: 20, columns: [0, country, 5], sort, filters };
              assertEquals(await remote.rows(question), await local.rows(question));
            }
            assertEquals(await remote.countOf(filters), await local.countOf(filters));
            assertEquals(await remote.distribution(country, filters), await local.distribution(country, filters));
          }
        }
      });
      await t.step("live() shows it, with a query", async () => {
        const view = await live(there, { query: "country:kenya" });
        assert((await view.frame()).height > 0);
        assertEquals(
          (await view.frame()).height,
          (await (await live(here, { query: "country:kenya" })).frame()).height,
        );
      });
      await t.step("the table's objects, and nothing else of the store or of the machine", async () => {
        await using rows = await ParquetRows.open(source);
        await moto.store.put({ bucket: BUCKET, key: "live/foreign.csv" }, new TextEncoder().encode("a\n1\n"));
        for (
          const sql of [
            `FROM read_csv('${LAKE}/foreign.csv')`,
            `FROM read_text('${LAKE}/lake.json')`,
            `FROM read_text('${moto.options.endpoint}/${BUCKET}/live/foreign.csv')`,
            "FROM read_text('/etc/hostname')",
            `COPY t TO '${LAKE}/stolen.csv'`,
            "SET enable_external_access = true",
          ]
        ) {
          const error = await assertRejects(() => rows.query(sql), Error, "", sql);
          assert(!error.message.includes(moto.options.key.secretAccessKey), error.message);
        }
      });
      await t.step("a lake that is built anew is said, and opened anew", async () => {
        await makeSample(`${folder}/archives2`, { records: 400, seed: 2 });
        await buildLake(`${folder}/archives2`, LAKE);
        const question = { op: "rows", offset: 900, limit: 5, columns: [3], sort: null, filters: [] } as const;
        await assertRejects(() => remote.answer(question), ChangedFileError, "open it anew");
        await assertRejects(() => LiveTable.open(source), ChangedFileError);
        await using renewed = await LiveTable.open(await renewSource(source));
        assertEquals(renewed.count, 400);
      });
    });
  } finally {
    for (const [name, value] of before) value === undefined ? Deno.env.delete(name) : Deno.env.set(name, value);
  }
});
