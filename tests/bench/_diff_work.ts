/** One comparison, or its peer, in a process of its own: prints its time, greatest memory and counts as JSON. */
import { DuckDBInstance } from "@duckdb/node-api";
import { diffLakes, schemaOf } from "../../src/again/mod.ts";
import { findLakeTables } from "../../src/core/tables/lake/open/find_lake_tables.ts";

const [work, ...args] = Deno.args;
const KEY = '"Registry Accession"';

/** Added, removed, and the changed values of each field that has some. */
type Counts = Readonly<Record<string, number>>;

const WORK: Readonly<Record<string, () => Promise<Counts>>> = {
  async diff() {
    await using diff = await diffLakes(args[0], args[1]);
    const { added, removed } = diff.counts;
    const fields = diff.tables.flatMap(({ fields }) => Object.entries(fields))
      .map(([field, hows]) => [field, Object.values(hows).reduce((sum, count) => sum + count, 0)]);
    return { added, removed, ...Object.fromEntries(fields) };
  },
  /** The full outer join of DuckDB with a comparison of each field. */
  async join() {
    const duckdb = await (await DuckDBInstance.create(":memory:", { threads: "2" })).connect();
    const [before, after] = await Promise.all(args.map(async (lake) => {
      const [{ files }] = await findLakeTables(lake);
      return `read_parquet([${files.map((file) => `'${file}'`).join(", ")}])`;
    }));
    const described = await duckdb.runAndReadAll(`DESCRIBE SELECT * EXCLUDE (${KEY}) FROM ${before}`);
    const names = described.getRows().map(([name]) => String(name));
    const both = `o.${KEY} IS NOT NULL AND n.${KEY} IS NOT NULL`;
    const counts = names.map((name) => `count(*) FILTER (${both} AND o."${name}" IS DISTINCT FROM n."${name}")`);
    const reader = await duckdb.runAndReadAll(
      `SELECT count(*) FILTER (o.${KEY} IS NULL), count(*) FILTER (n.${KEY} IS NULL), ${counts.join(", ")} ` +
        `FROM ${before} o FULL JOIN ${after} n ON o.${KEY} = n.${KEY}`,
    );
    const [added, removed, ...fields] = reader.getRows()[0].map(Number);
    const changed = names.map((name, index) => [name, fields[index]] as const).filter(([, count]) => count > 0);
    return { added, removed, ...Object.fromEntries(changed) };
  },
  async schema() {
    const { tables: [{ fields, rows }] } = await schemaOf(args[0]);
    return { fields: fields.length, rows: rows ?? 0 };
  },
};

const started = performance.now();
const counts = await WORK[work]();
const ms = performance.now() - started;
const peak = /VmHWM:\s+([0-9]+)/.exec(Deno.readTextFileSync("/proc/self/status"))?.[1];
console.log(JSON.stringify({ ms, peakMb: Number(peak ?? 0) / 1e3, counts }));
