/** A metadata archive to Parquet, part by part: rows checked here, encoded in a thread of its own. */
import { ParseError } from "../../../errors.ts";
import type { Problem } from "../../../contract/ledger.ts";
import type { FieldDefinition } from "../../../contract/metadata.ts";
import { feedParts, keepProblems } from "./_feed_parts.ts";
import { IdCounter } from "./_id_counter.ts";
import { OddCells } from "./_odd_cells.ts";
import { type PartField, partField } from "./_part_columns.ts";
import type { PartSinkResult } from "./_part_sink.ts";
import { releaseFrames } from "../../types/release_frames.ts";
import { RowChecker } from "./_row_checker.ts";
import { TableParts } from "./_table_parts.ts";
import type { MissingValues } from "../../types/missing_values.ts";
import type { DateColumns } from "../../types/table.ts";
import type { LakeColumn, LakeFile } from "./lake_manifest.ts";

/** How a metadata archive is converted. */
export interface MetadataPartsOptions {
  readonly folder: string;
  readonly name: string;
  /** Names of the columns in the lake, in the order of the archive's. */
  readonly names: readonly string[];
  /** Definitions by those names. */
  readonly definitions: ReadonlyMap<string, FieldDefinition>;
  readonly dates: DateColumns;
  readonly idField: string;
  /** Most bytes of a part, and so of a row; see {@linkcode TableParts}. */
  readonly maxPartBytes?: number;
  readonly signal?: AbortSignal;
}

/** What came of it. */
export interface MetadataParts extends PartSinkResult {
  readonly columns: readonly LakeColumn[];
  readonly idField: string | null;
  readonly unique: number;
  readonly unparsed: number;
  readonly problems: readonly Problem[];
  readonly misfits: Readonly<Record<string, number>>;
  /** Words for missing values, by field. */
  readonly missingValues: MissingValues;
  /** Files of texts that are not written as their type is. */
  readonly raw: readonly LakeFile[];
  /** Fields of integers that hold numbers beyond 64 bits: where there are any, nothing was written. */
  readonly wide: readonly string[];
}

/**
 * Cells in one part: few enough that little memory is needed and a stop comes soon, for wide tables and narrow ones.
 */
const PART_CELLS = 4_000_000;
/** Bytes of CSV in one part, if its cells are long. */
const PART_BYTES = 24 * 1024 * 1024;
/** Parts after which memory that nobody holds is asked back: left alone, tens of megabytes of it are there. */
const RELEASE_PARTS = 4;

/** Converts inflated CSV. The folder is the caller's to remove when this throws. */
export async function convertMetadata(
  chunks: AsyncIterable<Uint8Array>,
  options: MetadataPartsOptions,
): Promise<MetadataParts> {
  const { folder, name, definitions, dates, idField, maxPartBytes, signal } = options;
  const { problems, onProblem } = keepProblems();
  const definitionOf = (name: string) => name === idField ? undefined : definitions.get(name);
  let names = options.names;
  let fields: PartField[] = [];
  let odd = new OddCells([], definitionOf);
  const ids = new IdCounter();
  const parts = new TableParts({
    folder,
    ...signal && { signal },
    schema: () => ({ columns: fields.map(({ part }) => part), idColumn: names.indexOf(idField) }),
    takeRaw: () => odd.takePart(),
    onIds: (seen) => ids.add(seen),
    ...maxPartBytes !== undefined && { maxBytes: maxPartBytes },
  });
  const checker = new RowChecker({
    onHeader(header) {
      // A header that was too long to be looked at before has the names that it has.
      if (names.length !== header.length) names = header;
      fields = names.map((name) => partField(name, { definition: definitionOf(name), dates, taken: names }));
      odd = new OddCells(names, definitionOf);
      return odd.kinds;
    },
    onRows(bytes, rows) {
      if (odd.wide.length > 0) return;
      if (bytes.length > parts.room) {
        throw new ParseError(
          `Cannot read ${name}: the row on this line, or one before it, is too long; expected rows of up to about ` +
            `${parts.bytes + parts.room} bytes; leave it out of the archive`,
          { line: checker.line },
        );
      }
      parts.write(bytes, rows);
    },
    onOddCell: (column, row, text) => odd.settle(column, row, text),
    onProblem,
  }, name);
  const written = await feedParts(chunks, {
    checker,
    parts,
    signal,
    async afterChunk() {
      if (odd.wide.length > 0 || parts.bytes < PART_BYTES && parts.rows * names.length < PART_CELLS) return;
      await parts.close();
      if (parts.count % RELEASE_PARTS === 0) await releaseFrames();
    },
  });
  const hasIds = names.includes(idField);
  return {
    ...written,
    unique: hasIds ? await ids.count(folder, idField, written.rows) : written.rows,
    columns: fields.flatMap(({ columns }) => columns),
    idField: hasIds ? idField : null,
    unparsed: checker.unparsed,
    problems,
    misfits: odd.misfits,
    missingValues: odd.missingValues,
    raw: parts.raw,
    wide: odd.wide,
  };
}
