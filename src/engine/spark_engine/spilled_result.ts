/**
 * Results that are too large to come through the connection: Spark writes them as Parquet into a folder that this
 * machine shares with it, and they are read from there. The folder is removed in the end, unless it is the result.
 */
import { Buffer } from "node:buffer";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { DataFrame } from "nodejs-polars";
import { messageOf } from "../../errors.ts";
import { loadPolars } from "../frames/frame_columns.ts";
import type { SparkClient, SparkWritten } from "../spark/client.ts";
import { sparkFrame } from "../spark/frame.ts";
import type { SparkQueryOptions, SparkStatementOptions } from "../spark/options.ts";
import { SparkError } from "../spark/spark_error.ts";

/** Bytes of Parquet that are read back, by default. */
const MAX_SPILL_BYTES = 1024 ** 3;

/** Checks in sequence that must find nothing: tasks of a write that was stopped may make their folder once more. */
const QUIET_CHECKS = 3;
const CHECK_MS = 100;
/** Milliseconds after which the removal of a folder that comes again and again is given up. */
const REMOVE_MS = 3000;

/** How a result is fetched. */
export interface FetchOptions extends SparkQueryOptions {
  /** Folder or URL that Spark can write to; without it, a result beyond the limits is an error. */
  readonly spill?: string;
  /** Bytes of Parquet that are read back; 1 GiB by default. */
  readonly maxSpillBytes?: number;
  /** Takes a sentence when a folder cannot be removed. */
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
  { spill, maxSpillBytes = MAX_SPILL_BYTES, onWarning, ...options }: FetchOptions,
): Promise<DataFrame> {
  try {
    return await sparkFrame((await client.collect(sql, options)).batches);
  } catch (thrown) {
    if (spill === undefined || !(thrown instanceof SparkError && thrown.reason === "too-large")) throw thrown;
  }
  const { maxRows: _, maxBytes: __, ...statement } = options;
  const place = newPlace(spill);
  let written: Required<SparkWritten> | undefined;
  try {
    const { location, rows } = await client.spill(sql, place.address, statement);
    written = { location, rows: rows ?? await countRows(client, sql, statement) };
    const parts = place.folder === undefined ? undefined : await findParts(written.location);
    if (parts === undefined || parts.bytes > maxSpillBytes) {
      throw keptError(client.endpoint, written, parts && { ...parts, maxSpillBytes });
    }
    return await readParts(client.endpoint, written, { paths: parts.paths, signal: options.signal });
  } catch (thrown) {
    // The result is there, and the error names it.
    if (thrown instanceof SparkError && thrown.location !== undefined) place.isKept = true;
    throw thrown;
  } finally {
    if (!place.isKept) await remove(place, { isWhole: written !== undefined, onWarning });
  }
}

/** Counts the rows of a statement by a run of its own. */
async function countRows(client: SparkClient, sql: string, options: SparkStatementOptions): Promise<number> {
  const count = `SELECT count(*) AS n FROM (\n${sql.replace(/[;\s]+$/, "")}\n)`;
  const [row] = (await sparkFrame((await client.collect(count, options)).batches)).toRecords();
  return Number(row.n);
}

/** Where one result is written. */
interface Place {
  /** For Spark. */
  readonly address: string;
  /** The folder, if it is a path of this machine. */
  readonly folder?: string;
  /** Whether the result stays there. */
  isKept?: boolean;
}

function newPlace(spill: string): Place {
  const name = `result-${crypto.randomUUID()}`;
  if (/^file:/i.test(spill)) return here(join(fileURLToPath(spill), name));
  // A scheme has two characters or more: C: is a drive. Spark reaches S3 by the scheme s3a.
  return /^[a-z][a-z0-9+.-]+:/i.test(spill)
    ? { address: `${spill.replace(/^s3n?:/i, "s3a:").replace(/\/+$/, "")}/${name}` }
    : here(join(resolve(spill), name));
}

function here(folder: string): Place {
  return { address: folder, folder };
}

interface Parts {
  /** Files in the order of the rows. */
  readonly paths: readonly string[];
  readonly bytes: number;
}

/** The files of a written result, in the order of its rows; `undefined` if the folder is not on this machine. */
async function findParts(location: string): Promise<Parts | undefined> {
  const parts: { readonly path: string; readonly index: number }[] = [];
  let bytes = 0;
  try {
    for await (const { name } of Deno.readDir(location)) {
      const [, index] = /^part-(\d+)[^/]*\.parquet$/.exec(name) ?? [];
      if (index === undefined) continue;
      const path = join(location, name);
      parts.push({ path, index: Number(index) });
      bytes += (await Deno.stat(path)).size;
    }
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound || isForbidden(thrown)) return undefined;
    throw thrown;
  }
  parts.sort((a, b) => a.index - b.index || (a.path < b.path ? -1 : 1));
  return { paths: parts.map(({ path }) => path), bytes };
}

/** Reads the files, and counts their rows against those that Spark counted while it wrote. */
async function readParts(
  endpoint: string,
  { location, rows }: Required<SparkWritten>,
  { paths, signal }: { readonly paths: readonly string[]; readonly signal?: AbortSignal },
): Promise<DataFrame> {
  const pl = await loadPolars();
  const frames: DataFrame[] = [];
  for (const path of paths) {
    signal?.throwIfAborted();
    try {
      frames.push(pl.readParquet(Buffer.from(await Deno.readFile(path, signal && { signal }))));
    } catch (cause) {
      signal?.throwIfAborted();
      const why = messageOf(cause).split("\n", 1)[0].slice(0, 300);
      throw unreadable(endpoint, location, `polars cannot read ${path}: ${why}`);
    }
  }
  const found = frames.reduce((sum, { height }) => sum + height, 0);
  if (found !== rows) {
    const why = `of ${rows.toLocaleString("en")} rows that Spark wrote ${found.toLocaleString("en")} are in it`;
    throw unreadable(endpoint, location, why);
  }
  // Without rows Spark may write no file: then the columns are not known here.
  if (frames.length === 0) throw unreadable(endpoint, location, "it has no files");
  return frames.slice(1).reduce((whole, frame) => whole.vstack(frame), frames[0]);
}

function unreadable(endpoint: string, location: string, why: string): SparkError {
  return new SparkError(
    "unreadable",
    endpoint,
    `Cannot read the result that ${endpoint} wrote to ${location}: ${why}; ` +
      "the option spill must name a folder that this machine and all executors share",
  );
}

/** The error of a result that stays where Spark wrote it. */
function keptError(
  endpoint: string,
  { location, rows }: Required<SparkWritten>,
  parts: Parts & { readonly maxSpillBytes: number } | undefined,
): SparkError {
  const why = parts === undefined
    ? "which cannot be read from here"
    : `which is ${parts.bytes.toLocaleString("en")} bytes and more than ` +
      `maxSpillBytes: ${parts.maxSpillBytes.toLocaleString("en")}`;
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

/** Removes what was written. Tasks of a write that was stopped may make files for a while: until there are no more. */
async function remove(
  { address, folder }: Place,
  { isWhole, onWarning }: { readonly isWhole: boolean; readonly onWarning?: (text: string) => void },
): Promise<void> {
  if (folder === undefined) {
    return onWarning?.(`A part of a result may be left in ${address}, which cannot be removed from here.`);
  }
  const begun = performance.now();
  let fault: unknown;
  for (let quiet = isWhole ? QUIET_CHECKS - 1 : 0; quiet < QUIET_CHECKS;) {
    try {
      await Deno.remove(folder, { recursive: true });
      if (isWhole) return;
      quiet = 0;
    } catch (thrown) {
      if (thrown instanceof Deno.errors.NotFound) quiet++;
      else fault = thrown;
    }
    if (isForbidden(fault) || performance.now() - begun > REMOVE_MS) {
      return onWarning?.(`Cannot remove ${folder}: ${messageOf(fault ?? "files are still written to it")}; remove it.`);
    }
    if (quiet < QUIET_CHECKS) await new Promise((resolve) => setTimeout(resolve, CHECK_MS));
  }
}

/** Whether this process may not touch a file. */
function isForbidden(thrown: unknown): boolean {
  return thrown instanceof Deno.errors.PermissionDenied || thrown instanceof Deno.errors.NotCapable;
}
