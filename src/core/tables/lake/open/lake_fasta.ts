/** A table of sequences of a lake as plain FASTA, some bases at a time. */
import { writePlainFasta } from "../../../fasta/write/write_fasta.ts";
import { writeNamed } from "../../../io/files/named_format.ts";
import { releaseFrames } from "../../types/release_frames.ts";
import type { Lake } from "./open_lake.ts";
import { membersOf } from "../../../engine/frames/frame_members.ts";

/** Bases that are read at once, but for a longer sequence. */
const BATCH_LETTERS = 64 * 1024 * 1024;

/** How a table is written. */
export interface LakeFastaOptions {
  readonly table: string;
  /** Bases of a line; 0 for one line a sequence; 70 by default. */
  readonly wrap?: number;
  /** Ends the writing with the signal's reason; nothing is left behind. */
  readonly signal?: AbortSignal;
}

/** Writes the sequences of a table, in its order. @throws {TypeError} If it has none; before any I/O. */
export async function writeLakeFasta(lake: Lake, path: string, options: LakeFastaOptions): Promise<void> {
  const { table, wrap, signal } = options;
  const manifest = lake.tables.get(table);
  const [id, bases] = [manifest?.idField, manifest?.columns.at(-1)?.name];
  if (manifest?.kind !== "sequence" || typeof id !== "string" || bases === undefined) {
    const others = [...lake.tables.values()].filter(({ kind }) => kind === "sequence").map(({ table }) => table);
    throw new TypeError(
      `Cannot write ${table} as FASTA: it has no sequences; ` +
        (others.length > 0 ? `the lake has those of ${others.join(", ")}` : "take an archive of sequences"),
    );
  }
  const records = async function* () {
    const lengths = (await lake.scan(table).select(lake.column("length", table)).collect()).getColumn("length");
    for (const { start, rows } of batchesOf(lengths.toArray())) {
      signal?.throwIfAborted();
      const batch = lake.scan(table).select(lake.column(id, table), lake.column(bases, table)).slice(start, rows);
      const frame = membersOf(await batch.collect());
      const [headers, sequences] = [frame.getColumn(id).toArray(), frame.getColumn(bases).toArray()];
      for (const [row, header] of headers.entries()) yield { header: String(header), sequence: String(sequences[row]) };
      await releaseFrames();
    }
  };
  await writeNamed(path, "fasta", writePlainFasta(records(), { wrap }), { signal });
}

/** Rows that are read together: as many as hold few bases. */
function* batchesOf(lengths: Iterable<unknown>): Generator<{ readonly start: number; readonly rows: number }> {
  let [start, rows, bases] = [0, 0, 0];
  for (const length of lengths) {
    if (rows > 0 && bases + Number(length) > BATCH_LETTERS) {
      yield { start, rows };
      [start, rows, bases] = [start + rows, 0, 0];
    }
    rows++;
    bases += Number(length);
  }
  if (rows > 0) yield { start, rows };
}
