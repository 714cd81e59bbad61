/** What analyses ask an engine that is not this process, recorded: each query's plan, and its statement for Spark. */
import { Buffer } from "node:buffer";
import pl from "nodejs-polars";
import type { LazyDataFrame } from "nodejs-polars";
import type { Engine, EngineLake } from "../../../../src/core/engine/engine.ts";
import { planOf, serializedPlan } from "../../../../src/core/engine/plan/read_plan.ts";
import { unsupported } from "../../../../src/core/engine/plan/unsupported.ts";
import { sqlTable } from "../../../../src/spark/engine/lake_views.ts";
import { columnsOf, inTypes, scansOf } from "../../../../src/spark/engine/plan_types.ts";
import { compileQuery } from "../../../../src/spark/sql/query_sql.ts";
import { sparkDialect } from "../../../../src/spark/sql/spark_dialect.ts";
import { startSha256 } from "../../../../src/core/io/digest/sha256.ts";

export interface RecordedQuery {
  /** The plan as polars writes it, where the folder of the lake is `/lake`. */
  readonly plan: string;
  /** Its statement for Spark. */
  readonly sql: string;
  /** Columns and rows of each frame that travels with it. */
  readonly frames: readonly string[];
}

/** An engine that records what it is asked; polars answers in this process. */
export class RecordingEngine implements Engine {
  readonly name = "recording";
  readonly isLocal = false;
  #queries: Promise<RecordedQuery>[] = [];

  /** The queries since it was last asked for them, in their order. */
  async take(): Promise<RecordedQuery[]> {
    const queries = await Promise.all(this.#queries);
    this.#queries = [];
    return queries;
  }

  async open(lake: EngineLake): ReturnType<Engine["open"]> {
    const tables = new Map<string, EngineLake["tables"][number]>();
    for (const table of lake.tables) {
      for (const paths of scansOf(await planOf(table.scan()))) tables.set(paths, table);
    }
    const compile = async (query: LazyDataFrame) =>
      compileQuery(await planOf(query), {
        dialect: sparkDialect,
        tableOf(paths) {
          const table = tables.get(JSON.stringify(paths));
          if (table === undefined) throw unsupported("a scan of other files");
          return sqlTable(table);
        },
        columnsOf: (arrow) => columnsOf(pl.readIPCStream(Buffer.from(arrow))),
      });
    return {
      collect: async (query) => {
        const compiling = compile(query);
        // Names of parts hold a digest of their bytes, which no query is about.
        const plan = serializedPlan(query).replaceAll(lake.location, "/lake").replaceAll(/(part-\d+)-[0-9a-f]+/g, "$1");
        const recording = compiling.then(({ sql, frames }) => ({
          plan,
          sql,
          frames: frames.map(({ name, arrow }) => {
            const frame = pl.readIPCStream(Buffer.from(arrow));
            return `${name}: ${frame.columns.join(", ")}; ${frame.height} rows`;
          }),
        }));
        recording.catch(() => {});
        this.#queries.push(recording);
        return inTypes(pl, query.collectSync(), (await compiling).columns);
      },
      sql: () => Promise.reject(new TypeError("not asked")),
      facts: () => Promise.resolve({ engine: "recording", version: "", settings: {} }),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }
}

/** A plan without the bytes of frames and lists, which tell nothing to a reader. */
export function planWithoutBytes(json: string): unknown {
  return JSON.parse(
    json,
    (_, value) => Array.isArray(value) && value.length > 50 && typeof value[0] === "number" ? "bytes" : value,
  );
}

/**
 * Queries as the text that is committed. Those that differ only in names are one entry: the SQL of the first in lines,
 * and a digest of all their plans and statements. Of an entry that another call has too only the digest is written;
 * `written` has the calls by digest.
 */
export function writeQueries(call: string, queries: readonly RecordedQuery[], written: Map<string, string>): string {
  const forms = Map.groupBy(queries, ({ sql }) => withoutNames(sql));
  const entries = [...forms.values()].map((alike, at) => {
    const [{ sql, frames }] = alike;
    const digest = digestOf(alike.flatMap(({ plan, sql }) => [JSON.stringify(planWithoutBytes(plan)), sql]));
    const others = alike.length === 1 ? "" : ` and ${alike.length - 1} more for other columns`;
    const head = `-- ${call}: ${at + 1}${others}, ${digest}`;
    const same = written.get(digest);
    if (same !== undefined) return [`${head}, as ${same}`, ""];
    written.set(digest, `${call}: ${at + 1}`);
    return [head, ...frames.map((frame) => `-- ${frame}`), inLines(sql), ""];
  });
  return entries.map((lines) => lines.join("\n")).join("\n");
}

function digestOf(texts: readonly string[]): string {
  const hash = startSha256();
  for (const text of texts) hash.update(new TextEncoder().encode(text));
  return hash.digest().slice(0, 16);
}

/**
 * SQL with line breaks, a line for each column and each clause. Long lists of columns that only pass are left out, and
 * so are inputs of a union, and lines, that differ from those before only in names.
 */
function inLines(sql: string): string {
  const inputs = foldAlike(sql.replace(PASSED, "(columns), ").split(" UNION ALL "), "inputs of a union");
  const lines = inputs.join("\n").replace(/( AS "(?:[^"]|"")*",) /g, "$1\n")
    .replace(/ (FROM \(|WHERE |GROUP BY |ORDER BY |(?:INNER|LEFT) JOIN )/g, "\n$1").split("\n");
  return foldAlike(lines, "lines").join("\n");
}

/** Pieces of SQL; of more than three in a row that differ only in names, the first and how many follow. */
function foldAlike(pieces: readonly string[], unit: string): string[] {
  const folded: string[] = [];
  for (let at = 0; at < pieces.length;) {
    const form = withoutNames(pieces[at]);
    const next = pieces.findIndex((piece, index) => index > at && withoutNames(piece) !== form);
    const end = next < 0 ? pieces.length : next;
    const kept = end - at > 3 ? 1 : end - at;
    folded.push(...pieces.slice(at, at + kept));
    if (end > at + kept) folded.push(`-- and ${end - at - kept} more ${unit} for other columns`);
    at = end;
  }
  return folded;
}

/** SQL whose names of columns, texts and aliases of tables are all the same. */
function withoutNames(sql: string): string {
  return sql.replace(/"(?:[^"]|"")*"|'[^']*'/g, '""').replace(/\bt[0-9]+\b/g, "t");
}

const NAME = `"(?:[^"]|"")*"`;
/** Ten columns and more in a row, each as itself. */
const PASSED = new RegExp(`(?:${NAME}, ){10,}|(?:(${NAME}) AS \\1, ){10,}`, "g");
