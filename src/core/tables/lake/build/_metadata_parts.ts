/** A metadata archive to Parquet: rows checked here, encoded in a thread of its own. */
import { join } from "node:path";
import type { Problem } from "../../../contract/ledger.ts";
import type { FieldDefinition, FieldType } from "../../../contract/metadata.ts";
import { encodeParts } from "./_encode_parts.ts";
import { gatherParts } from "./_gather_parts.ts";
import { IdCounter } from "./_id_counter.ts";
import { CellNormalizer } from "./_normalize_cells.ts";
import { releaseFrames } from "../../types/release_frames.ts";
import { checkRows } from "../rows/check_rows.ts";
import type { MissingValues } from "../../types/missing_values.ts";
import type { DateColumns, TableColumn } from "../../types/table.ts";
import type { FileMetadata } from "../../../parquet/write/columns.ts";
import { PartFiles } from "./_part_files.ts";
import { parquetFields, type PartColumn } from "./_part_encoder.ts";
import { RAW_COLUMNS } from "./_raw_texts.ts";
import { readPages } from "../../../parquet/write/file_checks.ts";
import type { TableFolders } from "./lake_layout.ts";
import type { LakeColumn, LakeFile } from "./lake_manifest.ts";
import { checkDateNames, dateColumnNames } from "../../types/columns.ts";

/** How a metadata archive is converted. */
export interface MetadataPartsOptions extends TableFolders {
  readonly name: string;
  /** Names of the columns in the lake, in the order of the archive's. */
  readonly names: readonly string[];
  /** Definitions by those names. */
  readonly definitions: ReadonlyMap<string, FieldDefinition>;
  readonly dates: DateColumns;
  readonly idField: string;
  /** Most bytes of a part, and so of a row; see {@linkcode gatherParts}. */
  readonly maxPartBytes?: number;
  /** Keys and values in the footer of each file. */
  readonly metadata?: FileMetadata;
  /** Bytes of CSV from which a part is written; fewer need less memory, for the encoder too. */
  readonly partBytes?: number;
  readonly signal?: AbortSignal;
}

export interface MetadataParts {
  readonly files: readonly LakeFile[];
  readonly rows: number;
  readonly columns: readonly LakeColumn[];
  readonly idField: string | null;
  readonly unique: number;
  readonly unparsed: number;
  readonly problems: readonly Problem[];
  readonly misfits: Readonly<Record<string, number>>;
  /** Some of them, by field. */
  readonly misfitTexts: Readonly<Record<string, readonly string[]>>;
  readonly missingValues: MissingValues;
  /** Files of texts that are not written as their type is. */
  readonly raw: readonly LakeFile[];
  /** Fields of integers that hold numbers beyond 64 bits: where there are any, the files are not whole. */
  readonly wide: readonly string[];
}

/** Parts after which unused memory is released: left alone, tens of megabytes of it stay. */
const RELEASE_PARTS = 4;

/** Converts decompressed CSV: rows are checked, their cells normalized, gathered in parts, encoded, and written. */
export async function convertMetadata(
  chunks: AsyncIterable<Uint8Array>,
  options: MetadataPartsOptions,
): Promise<MetadataParts> {
  const { folder, about, name, definitions, dates, idField, maxPartBytes: maxBytes, partBytes, signal } = options;
  await using checked = await checkRows(chunks, { name, signal });
  // A header that was too long to be looked at before has the names that it has.
  const names = options.names.length === checked.header.length ? options.names : checked.header;
  const definitionOf = (name: string) => name === idField ? undefined : definitions.get(name);
  const fields = names.map((name) => partField(name, { definition: definitionOf(name), dates, taken: names }));
  const columns = fields.map(({ part }) => part);
  const schema = { columns, idColumn: names.indexOf(idField), ...options.metadata && { metadata: options.metadata } };
  const cells = new CellNormalizer(names, definitionOf);
  checked.setKinds(cells.kinds);
  const spare: ArrayBuffer[] = [];
  const parts = gatherParts(cells.rows(checked), {
    name,
    columns: names.length,
    maxBytes,
    partBytes,
    spare,
  });
  const ids = new IdCounter();
  const { metadata } = options;
  using tableFiles = new PartFiles({
    folder,
    ending: "parquet",
    fields: parquetFields(columns),
    metadata,
  });
  using textFiles = new PartFiles({ folder: about, ending: "raw", fields: RAW_COLUMNS });
  let count = 0;
  for await (const { parquet, groups, checks, rows, ids: seen, raw } of encodeParts(parts, schema, spare)) {
    signal?.throwIfAborted();
    seen.forEach((one) => ids.add(one));
    const pages = readPages(checks.pages);
    await tableFiles.write(rows, (file) => file.append({ bytes: parquet, groups, pages }));
    if (raw.count > 0) await textFiles.write(raw.count, (file) => raw.writeTo(file));
    if (++count % RELEASE_PARTS === 0) await releaseFrames();
  }
  const [files, raw] = [await tableFiles.finish(), await textFiles.finish()];
  const rows = files.reduce((sum, { rows }) => sum + rows, 0);
  const hasIds = schema.idColumn !== -1;
  return {
    files,
    rows,
    unique: hasIds ? await ids.count(files.map(({ name }) => join(folder, name)), idField, rows) : rows,
    columns: fields.flatMap(({ columns }) => columns),
    idField: hasIds ? idField : null,
    unparsed: checked.unparsed,
    problems: checked.problems,
    misfits: cells.misfits,
    misfitTexts: cells.misfitTexts,
    missingValues: cells.missingValues,
    raw,
    wide: cells.wide,
  };
}

/** A field: a column of the CSV and what is made of it. */
interface PartField {
  /** The columns for users. */
  readonly columns: readonly TableColumn[];
  /** The same for the encoder. */
  readonly part: PartColumn;
}

/** How the columns of a field are made. */
interface PartFieldOptions {
  /** Its definition; text without. */
  readonly definition: FieldDefinition | undefined;
  /** Whether a date has its three columns. */
  readonly dates: DateColumns;
  readonly taken: readonly string[];
}

const TYPES = {
  integer: { dtype: "Int64", part: "integer" },
  float: { dtype: "Float64", part: "float" },
  boolean: { dtype: "Bool", part: "boolean" },
  list: { dtype: "List(String)", part: "list" },
  date: { dtype: "String", part: "text" },
  string: { dtype: "String", part: "text" },
} as const satisfies Record<FieldType, { dtype: TableColumn["dtype"]; part: PartColumn["type"] }>;

/** Describes one field. @throws {RangeError} If the name of a date column is that of a field. */
function partField(field: string, { definition, dates, taken }: PartFieldOptions): PartField {
  const type = definition?.type ?? "string";
  const { dtype, part } = TYPES[type];
  const column: TableColumn = { name: field, field, type, dtype };
  if (type !== "date" || dates === "text") return { columns: [column], part: { type: part, names: [field] } };
  checkDateNames(field, taken);
  const names = dateColumnNames(field);
  const made = names.map((name, index): TableColumn => ({
    name,
    field,
    type,
    dtype: index === 2 ? "String" : "Date",
  }));
  return { columns: [column, ...made], part: { type: "dates", names: [field, ...names] } };
}
