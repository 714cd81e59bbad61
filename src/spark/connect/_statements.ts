/** What a session does: settings, views, statements with and without rows. */
import { countArrowRows } from "./_arrow_stream.ts";
import { execute } from "./_execute.ts";
import type { ArrowBatch } from "./_messages.ts";
import { type ExecutedPlan, type Statement, type ViewFiles, viewPlan, writePlan, WRITTEN_ROWS } from "./_relations.ts";
import type { Session } from "./_session.ts";
import type { SparkBatch } from "./frame.ts";
import type { SparkQueryOptions, SparkStatementOptions } from "./options.ts";

/** Rows that come to the client at most, by default. */
const MAX_ROWS = 100_000;

/** Bytes of Arrow that come to the client at most, by default. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Sets settings of a session. */
export async function configure(
  session: Session,
  settings: readonly [string, string][],
  signal?: AbortSignal,
): Promise<void> {
  if (settings.length === 0) return;
  const pairs = settings.map(([key, value]) => ({ key, value }));
  const operation = { opType: { case: "set", value: { pairs } } };
  await session.call("config", { operation }, { task: "set the session's settings", signal });
}

/** Makes a temporary view of Parquet files. */
export async function createView(
  session: Session,
  name: string,
  files: ViewFiles,
  signal?: AbortSignal,
): Promise<void> {
  await run(session, { task: `create the view ${name}`, plan: viewPlan(name, files), signal });
}

/**
 * Has the engine write the result of a statement as Parquet.
 *
 * @returns The rows that it counted while it wrote; `undefined` where it did not report them: a server waits for them
 * for 100 ms alone (Spark's `Observation.getOrEmpty`).
 */
export async function write(
  session: Session,
  statement: Statement,
  location: string,
  { signal, onProgress }: SparkStatementOptions,
): Promise<number | undefined> {
  const plan = writePlan(statement, location);
  const task = "write the result";
  let rows: number | undefined;
  for await (const { observedMetrics } of execute(session, { task, plan, signal, onProgress })) {
    for (const { name, values: [count] } of observedMetrics) {
      if (name === WRITTEN_ROWS && count?.literalType.case === "long") rows = Number(count.literalType.value);
    }
  }
  return rows;
}

export interface RunStatement extends Pick<SparkStatementOptions, "signal" | "onProgress"> {
  /** What it is for, in messages. */
  readonly task: string;
  readonly plan: ExecutedPlan;
}

export async function run(session: Session, { task, plan, signal, onProgress }: RunStatement): Promise<void> {
  // A command's answers say no more than that it is done.
  for await (const _ of execute(session, { task, plan, signal, onProgress }));
}

/** Runs a plan and yields its batches, checked and within the limits. */
export async function* batchesOf(
  session: Session,
  plan: ExecutedPlan,
  { signal, onProgress, maxRows = MAX_ROWS, maxBytes = MAX_BYTES }: SparkQueryOptions,
): AsyncGenerator<SparkBatch, void, void> {
  const task = "run the query";
  let rows = 0;
  let bytes = 0;
  let hasBatch = false;
  for await (const { responseType } of execute(session, { task, plan, signal, onProgress })) {
    if (responseType.case !== "arrowBatch") continue;
    const batch = checkBatch(session, responseType.value, rows);
    rows += batch.rows;
    bytes += batch.arrow.length;
    if (rows > maxRows || bytes > maxBytes) {
      throw session.error(task, "too-large", `its result exceeds ${limitsText(maxRows, maxBytes)}`);
    }
    hasBatch = true;
    yield batch;
  }
  if (!hasBatch) throw session.invalid(task, "a result without a batch");
}

/** The limits in words; an infinite one is left out. */
function limitsText(maxRows: number, maxBytes: number): string {
  const limits = [[maxRows, "rows"], [maxBytes, "bytes"]] as const;
  return limits.filter(([limit]) => Number.isFinite(limit))
    .map(([limit, unit]) => `${limit.toLocaleString("en")} ${unit}`).join(" or ");
}

/** Checks that a batch holds the rows that it states, and follows the ones before it. */
function checkBatch(session: Session, { data, rowCount, startOffset }: ArrowBatch, before: number): SparkBatch {
  let why: string;
  try {
    const rows = countArrowRows(data);
    if (BigInt(rows) !== rowCount) why = `a batch states ${rowCount} rows and holds ${rows}`;
    else if (startOffset === undefined || startOffset === BigInt(before)) return { rows, arrow: data };
    else why = `a batch begins at row ${startOffset} instead of ${before}`;
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    why = `a batch is not Arrow: ${cause.message}`;
  }
  throw session.invalid("run the query", why);
}
