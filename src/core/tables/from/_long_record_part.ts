/**
 * A batch with a very long record as a Parquet file of its own: its bases stream from where the reader has them to
 * their page, while a frame, and polars' writer, would copy them several times.
 */
import type { FastaBatch } from "../../fasta/text/fasta_batch.ts";
import type { TextColumn } from "../../fasta/text/text_column.ts";
import type { ParquetChunk, ParquetField } from "../../parquet/write/columns.ts";
import { ParquetOutput } from "../../parquet/write/parquet_file.ts";
import { numberChunk, TextBytes } from "../../parquet/write/text_bytes.ts";
import { float64Of } from "../types/arrow_file.ts";
import { computedNames } from "../types/computed_names.ts";
import { validBases, validTexts } from "../types/valid_text.ts";

/** Minimum bytes of bases of a batch that is written so. */
export const LONG_BATCH_BYTES = 32 << 20;

/** How a batch is written. */
export interface LongPartOptions {
  readonly path: string;
  /** Whether all bytes are ASCII. */
  readonly isClean: boolean;
  readonly signal: AbortSignal | undefined;
}

/** Writes a batch as a Parquet file with the columns that its frame would have. */
export async function writeLongPart(
  batch: FastaBatch & { readonly sequences: TextColumn },
  { path, isClean, signal }: LongPartOptions,
): Promise<void> {
  const { rows } = batch;
  const names = computedNames(batch.fields);
  const fields: ParquetField[] = [
    ...batch.fields.map((name) => ({ name, type: "utf8" as const })),
    { name: names.length, type: "int64" },
    { name: names.gc, type: "float64", optional: true },
    { name: names.ambiguous, type: "int64" },
    { name: names.sequence, type: "utf8" },
  ];
  using file = new ParquetOutput(path, fields);
  await file.writeGroup(rows, [
    ...batch.columns.map((column) => textChunk(isClean ? column : validTexts(column))),
    numberChunk([...batch.length]),
    shareChunk(rows, (row) => batch.gc(row)),
    numberChunk([...batch.ambiguous]),
    basesChunk(isClean ? batch.sequences : validBases(batch.sequences)),
  ], signal);
  file.finish();
}

function textChunk({ offsets, data }: TextColumn): ParquetChunk {
  const texts = new TextBytes();
  const rows = offsets.length - 1;
  for (let row = 0; row < rows; row++) texts.addBytes(data.subarray(offsets[row], offsets[row + 1]));
  return { pages: [{ values: rows, bytes: texts.bytes }] };
}

function shareChunk(rows: number, at: (row: number) => number | null): ParquetChunk {
  const { values, valid } = float64Of(rows, at);
  const known = values.filter((_, row) => at(row) !== null);
  const bytes = new Uint8Array(known.buffer, known.byteOffset, known.byteLength);
  return { pages: [{ values: rows, bytes }], valid, nulls: rows - known.length };
}

/** One page a sequence: its length in four bytes, and the bases where they are. */
function basesChunk({ offsets, data }: TextColumn): ParquetChunk {
  const pages = Array.from({ length: offsets.length - 1 }, (_, row) => {
    const bases = data.subarray(offsets[row], offsets[row + 1]);
    const before = new Uint8Array(4);
    new DataView(before.buffer).setUint32(0, bases.length, true);
    return { values: 1, bytes: [before, bases] };
  });
  return { pages };
}
