/**
 * Results that are too large to come through the connection: Spark writes them as Parquet into a folder or an object
 * store that this machine shares with it, and they are read from there. They are removed in the end, unless they stay
 * as the result.
 */
import { Buffer } from "node:buffer";
import type { DataFrame } from "nodejs-polars";
import { messageOf } from "@seqreg/core/errors";
import type { StoreAccess } from "@seqreg/core/io/objects";
import { loadPolars, membersOf } from "@seqreg/core/engine/frames";
import type { SparkClient, SparkWritten } from "../connect/client.ts";
import { sparkFrame } from "../connect/frame.ts";
import type { SparkQueryOptions, SparkStatementOptions } from "../connect/options.ts";
import { SparkError } from "../connect/spark_error.ts";
import { newPlace, removePlace, type SpillPart } from "./_spill_place.ts";

/** Bytes of Parquet that are read back, by default. */
const MAX_SPILL_BYTES = 1024 ** 3;

export interface FetchOptions extends SparkQueryOptions {
  /** Folder or URL that Spark can write to; without it, a result beyond the limits is an error. */
  readonly spill?: string;
  /** Bytes of Parquet that are read back; 1 GiB by default. */
  readonly maxSpillBytes?: number;
  /** The way into the object store of the lake, if it is in one; else that of the environment is used. */
  readonly access?: StoreAccess;
  /** Takes a sentence when what was written cannot be removed. */
  readonly onWarning?: (text: string) => void;
}

/**
 * Runs a statement and returns its rows: through the connection within the limits, else from Parquet that Spark wrote.
 *
 * @throws {SparkError} If the engine refuses or fails, or the result can be read neither way. With reason `too-large`
 * and a `location` the result is there, whole.
 */
export async function fetchResult(
  client: SparkClient,
  sql: string,
  { spill, maxSpillBytes = MAX_SPILL_BYTES, access, onWarning, ...options }: FetchOptions,
): Promise<DataFrame> {
  try {
    return await sparkFrame((await client.collect(sql, options)).batches);
  } catch (thrown) {
    if (spill === undefined || !(thrown instanceof SparkError && thrown.reason === "too-large")) throw thrown;
  }
  const { maxRows: _, maxBytes: __, ...statement } = options;
  const place = await newPlace(spill, access);
  let written: Required<SparkWritten> | undefined;
  let isKept = false;
  try {
    const { location, rows } = await client.spill(sql, place.address, statement);
    written = { location, rows: rows ?? await countRows(client, sql, statement) };
    const parts = await place.parts(location, options.signal);
    if ("why" in parts) throw keptError(client.endpoint, written, `which cannot be read from here: ${parts.why}`);
    const bytes = parts.reduce((sum, { bytes }) => sum + bytes, 0);
    if (bytes > maxSpillBytes) {
      const most = maxSpillBytes.toLocaleString("en");
      const why = `which is ${bytes.toLocaleString("en")} bytes and more than maxSpillBytes: ${most}`;
      throw keptError(client.endpoint, written, why);
    }
    return await readParts(client.endpoint, written, { parts, signal: options.signal });
  } catch (thrown) {
    // The result is there, and the error names it.
    isKept = thrown instanceof SparkError && thrown.location !== undefined;
    throw thrown;
  } finally {
    if (!isKept) await removePlace(place, { isWhole: written !== undefined, onWarning });
  }
}

/** Counts the rows of a statement by a run of its own. */
async function countRows(client: SparkClient, sql: string, options: SparkStatementOptions): Promise<number> {
  const count = `SELECT count(*) AS n FROM (\n${sql.replace(/[;\s]+$/, "")}\n)`;
  const [row] = (await sparkFrame((await client.collect(count, options)).batches)).toRecords();
  return Number(row.n);
}

/** Reads the files, and counts their rows against those that Spark counted while it wrote. */
async function readParts(
  endpoint: string,
  { location, rows }: Required<SparkWritten>,
  { parts, signal }: { readonly parts: readonly SpillPart[]; readonly signal?: AbortSignal },
): Promise<DataFrame> {
  const pl = await loadPolars();
  const frames: DataFrame[] = [];
  for (const part of parts) {
    signal?.throwIfAborted();
    try {
      frames.push(membersOf(pl.readParquet(Buffer.from(await part.read(signal)))));
    } catch (cause) {
      signal?.throwIfAborted();
      const why = messageOf(cause).split("\n", 1)[0].slice(0, 300);
      throw unreadable(endpoint, location, `${part.location} cannot be read: ${why}`);
    }
  }
  const found = frames.reduce((sum, { height }) => sum + height, 0);
  if (found !== rows) {
    const why = `of ${rows.toLocaleString("en")} rows that Spark wrote ${found.toLocaleString("en")} are in it`;
    throw unreadable(endpoint, location, why);
  }
  // Without rows Spark may write no file: then the columns are not known here.
  if (frames.length === 0) throw unreadable(endpoint, location, "it has no files");
  return frames.slice(1).reduce((whole, frame) => membersOf(whole).vstack(frame), frames[0]);
}

function unreadable(endpoint: string, location: string, why: string): SparkError {
  return new SparkError(
    "unreadable",
    endpoint,
    `Cannot read the result that ${endpoint} wrote to ${location}: ${why}; ` +
      "the option spill must name a folder, or an address s3://…, that this machine and all executors share",
  );
}

/** The error of a result that stays where Spark wrote it. */
function keptError(endpoint: string, { location, rows }: Required<SparkWritten>, why: string): SparkError {
  const pattern = JSON.stringify(`${location.replace(/^s3[an]:/, "s3:")}/*.parquet`);
  return new SparkError(
    "too-large",
    endpoint,
    `Cannot fetch the result from ${endpoint}: its ${rows.toLocaleString("en")} rows are as Parquet in ${location}, ` +
      `${why}; read it there with pl.scanParquet(${pattern}), or in Spark with FROM parquet.\`${location}\`, ` +
      "and remove it when it is no longer needed",
    { location, rows },
  );
}
