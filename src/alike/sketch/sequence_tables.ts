/** Sequences of lakes, archives and tables, as FASTA. */
import { RegistryError } from "@seqreg/core/errors";
import { type ByteSource, openBytes } from "@seqreg/core/io/bytes";
import { pathOfUrl } from "@seqreg/core/io/bytes/path_of_url";
import { isObjectAddress } from "@seqreg/core/io/objects/object_address";
import { createScratchFolder } from "@seqreg/core/io/files/scratch_folder";

/** Names of files that may hold a table; their first byte decides. */
const TABLE_NAME = /\.(csv|tsv|parquet)(\.(gz|zst))?$/i;
const [FASTA_MARK, COMMENT_MARK] = [62, 59];

/**
 * Returns the source as it is, or the FASTA of its sequences if it is the path of a lake, of a folder of archives, or
 * of a table: an archive of sequences is a table of accessions and sequences.
 */
export async function asFasta(source: ByteSource, signal?: AbortSignal): Promise<ByteSource> {
  if (source instanceof URL && source.protocol === "file:") return await asFasta(pathOfUrl(source), signal);
  if (typeof source !== "string") return source;
  if (isObjectAddress(source)) return fastaOfTables(source, signal);
  const info = await Deno.stat(source).catch(() => undefined);
  const isTable = info?.isDirectory === true || TABLE_NAME.test(source) && !await isFasta(source, signal);
  return isTable ? fastaOfTables(source, signal) : source;
}

async function isFasta(path: string, signal?: AbortSignal): Promise<boolean> {
  for await (const chunk of openBytes(path, { signal })) {
    if (chunk.length > 0) return chunk[0] === FASTA_MARK || chunk[0] === COMMENT_MARK;
  }
  return true;
}

/** Yields the sequences of the table that has most of them, in its order. */
async function* fastaOfTables(path: string, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const { openSide } = await import("@seqreg/again/open_side");
  const { ScratchSql, sqlName } = await import("@seqreg/core/engine/local/scratch_sql");
  using folder = await createScratchFolder("alike");
  const options = { signal };
  const side = await openSide(path, { folder: `${folder.path}/source`, types: "text", ...options });
  const tables = side.tables.filter(({ sequence, idField }) => sequence !== undefined && idField !== undefined);
  const [table] = tables.sort((a, b) => (b.rows ?? 0) - (a.rows ?? 0) || (a.name < b.name ? -1 : 1));
  if (table === undefined) {
    throw new RegistryError(
      "disk",
      `Cannot read sequences of ${path}: no table in it has accessions and sequences; name an archive of sequences, a ` +
        "lake that was built with one, or a FASTA file",
    );
  }
  await using sql = await ScratchSql.open({ files: table.files, folder: folder.path, ...options });
  const [id, bases] = [sqlName(table.idField!), sqlName(table.sequence!)];
  const rows = `SELECT ${id}::VARCHAR, ${bases}::VARCHAR FROM ${await sql.parquet(table.files)}`;
  const encoder = new TextEncoder();
  for await (const batch of sql.stream(rows)) {
    const [ids, sequences] = [batch.column(0), batch.column(1)];
    for (let row = 0; row < batch.rows; row++) {
      if (sequences[row] === null) continue;
      yield encoder.encode(`>${String(ids[row]).replace(/\s+/g, "_")}\n${sequences[row]}\n`);
    }
  }
}
