/** Results in a folder: all of its files, or none. */
import { TOOLKIT } from "@seqreg/core/contract/version";
import type { ScratchSql } from "@seqreg/core/engine/local/scratch_sql";
import { tsvRow } from "@seqreg/core/io/csv/csv_text";
import { writeResultFolder } from "@seqreg/core/io/files/whole_folder";

/** Bytes of a file that are in memory at once. */
const CHUNK_BYTES = 1 << 20;

/** Lines of a file, some at a time, each without its end. */
export type Lines = AsyncIterable<readonly string[]>;

/**
 * Writes a folder of files under a temporary name, then renames it. A folder of an earlier result is replaced; one
 * that holds anything else, or what is read, is left as it is.
 *
 * @throws {RegistryError} With code `disk`, if the folder holds other files or cannot be written.
 */
export async function writeLinesFolder(
  target: string,
  result: { readonly operation: string; readonly reads: readonly (string | undefined)[] },
  write: (
    writeLines: (name: string, lines: Lines | AsyncIterable<Uint8Array>) => Promise<void>,
    pathOf: (name: string) => string,
  ) => Promise<void>,
): Promise<void> {
  await writeResultFolder(target, { ...result, about: { toolkit: TOOLKIT } }, (path) => {
    const pathOf = (name: string) => `${path}/${name}`;
    return write((name, lines) => writeLines(pathOf(name), lines), pathOf);
  });
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

export async function* linesOf(header: readonly string[], rows: Iterable<readonly string[]>): Lines {
  yield await Promise.resolve([tsvRow(header)]);
  yield Array.from(rows, tsvRow);
}
