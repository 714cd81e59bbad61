/** Results in a folder: all of its files, or none. */
import { resolve } from "node:path";
import { RegistryError } from "@seqreg/core/errors";
import type { ScratchSql } from "@seqreg/core/engine/local/scratch_sql";
import { tsvRow } from "@seqreg/core/io/csv/csv_text";
import { createStagingFolder, diskError, isDiskFault } from "@seqreg/core/io/files";

/** Bytes of a file that are in memory at once. */
const CHUNK_BYTES = 1 << 20;

/** Lines of a file, some at a time, each without its end. */
export type Lines = AsyncIterable<readonly string[]>;

/**
 * Writes a folder of files under a temporary name, then renames it. A folder of an earlier result is replaced; one
 * that holds anything else is left as it is.
 *
 * @param names All files that such a folder can have.
 * @throws {RegistryError} With code `disk`, if the folder holds other files or cannot be written.
 */
export async function writeResultFolder(
  target: string,
  names: readonly string[],
  write: (
    writeLines: (name: string, lines: Lines | AsyncIterable<Uint8Array>) => Promise<void>,
    pathOf: (name: string) => string,
  ) => Promise<void>,
): Promise<void> {
  const path = resolve(target);
  try {
    for (const name of await namesIn(path)) {
      if (names.includes(name)) continue;
      throw new RegistryError("disk", `Cannot write to ${target}: it holds ${name}; name an empty or a new folder`);
    }
    await Deno.mkdir(resolve(path, ".."), { recursive: true });
    await using staging = await createStagingFolder(path);
    const pathOf = (name: string) => `${staging.path}/${name}`;
    await write((name, lines) => writeLines(pathOf(name), lines), pathOf);
    await staging.replace();
  } catch (cause) {
    throw isDiskFault(cause) ? diskError(cause, { action: `write ${target}` }) : cause;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) return [];
    throw cause;
  }
}

async function writeLines(path: string, lines: Lines | AsyncIterable<Uint8Array>): Promise<void> {
  using file = await Deno.open(path, { write: true, createNew: true });
  const encoder = new TextEncoder();
  for await (const some of lines) {
    const bytes = some instanceof Uint8Array ? some : encoder.encode(some.map((line) => `${line}\n`).join(""));
    for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
  }
}

/**
 * Yields a header and the rows of queries, one query after the other, whose columns are cells of TSV, as the database
 * writes them.
 */
export async function* bytesOfLines(
  sql: ScratchSql,
  { header, queries }: { readonly header: string; readonly queries: readonly string[] },
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield new TextEncoder().encode(`${header}\n`);
  const buffer = new Uint8Array(CHUNK_BYTES);
  for (const query of queries) {
    const path = await sql.copyLines(query);
    try {
      using file = await Deno.open(path);
      for (let read = await file.read(buffer); read !== null; read = await file.read(buffer)) {
        yield buffer.subarray(0, read);
      }
    } finally {
      await Deno.remove(path);
    }
  }
}

/** Rows in memory as lines. */
export async function* linesOf(header: readonly string[], rows: Iterable<readonly string[]>): Lines {
  yield await Promise.resolve([tsvRow(header)]);
  yield Array.from(rows, tsvRow);
}
