/**
 * A sequence archive to Parquet: bases go from the CSV to a temporary file as they come, are counted on the way, and
 * stream from there to their pages. So a sequence of 300 MB is never a JavaScript text and never a column in memory.
 */
import { join } from "node:path";
import type { Problem } from "../../../contract/ledger.ts";
import { mapAhead } from "../../../io/tasks/map_ahead.ts";
import { float64Of } from "../../types/arrow_file.ts";
import { gatherSequences, type SequenceFacts, type SequencePart, spoolPath } from "./_gather_sequences.ts";
import { IdCounter } from "./_id_counter.ts";
import type { SeenIds } from "./_part_encoder.ts";
import { PartFiles } from "./_part_files.ts";
import type { FileMetadata, ParquetChunk, ParquetField } from "../../../parquet/write/columns.ts";
import { numberChunk, TextBytes } from "../../../parquet/write/text_bytes.ts";
import { checkRows } from "../rows/check_rows.ts";
import type { LakeColumn, LakeFile } from "./lake_manifest.ts";

/** How a sequence archive is converted. */
export interface SequencePartsOptions {
  readonly folder: string;
  readonly name: string;
  /** Names of the two columns. */
  readonly names: readonly string[];
  /** Keys and values in the footer of each file. */
  readonly metadata?: FileMetadata;
  readonly signal?: AbortSignal;
}

export interface SequenceParts {
  readonly files: readonly LakeFile[];
  readonly rows: number;
  readonly columns: readonly LakeColumn[];
  readonly idField: string;
  readonly unique: number;
  readonly unparsed: number;
  readonly problems: readonly Problem[];
}

/** Parts that are written while the next is gathered. */
const AHEAD = 1;
/** Temporary files: those of the parts that are written, and that of the part that is gathered. */
const SPOOL_FILES = AHEAD + 1;

/** Whether a header is that of a sequence archive: an identifier and its bases. */
export function isSequenceHeader(header: readonly string[], idField: string): boolean {
  return header.length === 2 && header[0] === idField && /^sequence$/i.test(header[1]);
}

/** Converts decompressed CSV of identifiers and sequences: rows are checked, gathered in parts, and written. */
export async function convertSequences(
  chunks: AsyncIterable<Uint8Array>,
  { folder, name, names, metadata, signal }: SequencePartsOptions,
): Promise<SequenceParts> {
  const [idField] = names;
  const fields = sequenceFields(names);
  await using checked = await checkRows(chunks, { name, signal });
  const parts = gatherSequences(checked, folder, SPOOL_FILES);
  using tableFiles = new PartFiles({ folder, ending: "parquet", fields, metadata });
  let writing: Promise<unknown> = Promise.resolve();
  const written = mapAhead(parts, { ahead: AHEAD }, (part) => {
    const turn = writing.then(() => writePart(part, tableFiles, signal));
    writing = turn.catch(() => {});
    return turn;
  });
  const ids = new IdCounter();
  for await (const seen of written) ids.add(seen);
  const files = await tableFiles.finish();
  for (let index = 0; index < SPOOL_FILES; index++) {
    await Deno.remove(spoolPath(folder, index, SPOOL_FILES)).catch(() => {});
  }
  const rows = files.reduce((sum, { rows }) => sum + rows, 0);
  return {
    files,
    rows,
    columns: fields.map(({ name, type }): LakeColumn => ({ name, field: name, ...TYPES[type] })),
    idField,
    unique: await ids.count(files.map(({ name }) => join(folder, name)), idField, rows),
    unparsed: checked.unparsed,
    problems: checked.problems,
  };
}

const TYPES = {
  utf8: { type: "string", dtype: "String" },
  int64: { type: "integer", dtype: "Int64" },
  float64: { type: "float", dtype: "Float64" },
} as const;

/** The columns of a table of sequences: those that are counted, and the bases last. */
export function sequenceFields(
  [id, sequence]: readonly string[],
): (ParquetField & { readonly type: keyof typeof TYPES })[] {
  return [
    { name: id, type: "utf8" },
    { name: "length", type: "int64" },
    { name: "gc", type: "float64", optional: true },
    { name: "ambiguous", type: "int64" },
    { name: sequence, type: "utf8" },
  ];
}

/** Writes a part as a row group. */
async function writePart(
  { facts, path, pages }: SequencePart,
  tableFiles: PartFiles,
  signal: AbortSignal | undefined,
): Promise<SeenIds> {
  signal?.throwIfAborted();
  using bases = await Deno.open(path);
  const basesPages = pages.map(({ values, start, length }) => ({ values, bytes: { file: bases, start, length } }));
  const rows = facts.ids.length;
  const chunks = [...layOutFacts(facts), { pages: basesPages }];
  await tableFiles.write(rows, (file) => file.writeGroup(rows, chunks, signal));
  return seeIds(facts.ids);
}

/** What there is to see of the identifiers of a part. */
function seeIds(ids: readonly Uint8Array[]): SeenIds {
  const text = (id: Uint8Array | undefined) => id === undefined ? "" : decoder.decode(id);
  return {
    rows: ids.length,
    nulls: 0,
    ascend: ids.every((id, row) => row === 0 || compareBytes(id, ids[row - 1]) > 0),
    first: text(ids[0]),
    last: text(ids.at(-1)),
  };
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Lays out all columns of a part but the bases. */
export function layOutFacts({ ids, lengths, gc, ambiguous }: SequenceFacts): ParquetChunk[] {
  const rows = ids.length;
  const plain = (row: number) => lengths[row] - ambiguous[row];
  const share = float64Of(rows, (row) => plain(row) === 0 ? null : gc[row] / plain(row));
  const known = share.values.filter((_, row) => plain(row) !== 0);
  const texts = new TextBytes();
  ids.forEach((id) => texts.addBytes(id));
  return [
    { pages: [{ values: rows, bytes: texts.bytes }], range: idRange(ids) },
    numberChunk(lengths),
    { pages: [{ values: rows, bytes: bytesOf(known) }], valid: share.valid, nulls: rows - known.length },
    numberChunk(ambiguous),
  ];
}

/** Least and greatest identifier, by their bytes. */
function idRange(ids: readonly Uint8Array[]): ParquetChunk["range"] {
  if (ids.length === 0) return undefined;
  let [least, greatest] = [ids[0], ids[0]];
  for (const id of ids) {
    if (compareBytes(id, least) < 0) least = id;
    if (compareBytes(id, greatest) > 0) greatest = id;
  }
  return { least, greatest };
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let at = 0; at < Math.min(a.length, b.length); at++) if (a[at] !== b[at]) return a[at] - b[at];
  return a.length - b.length;
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
