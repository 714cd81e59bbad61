/** Footers and page headers of the files that the toolkit writes. */
import { constants } from "node:zlib";
import { joinBytes } from "../../io/bytes/join_bytes.ts";
import {
  type ColumnChunk,
  CompressionCodec,
  ConvertedType,
  Encoding,
  FieldRepetitionType,
  FileMetaData,
  MAGIC,
  PageHeader,
  PageType,
  type RowGroup,
  type SchemaElement,
  Type,
} from "../metadata.ts";
import { encodeThrift } from "../thrift.ts";
import type { FileMetadata, ParquetChunk, ParquetField } from "./columns.ts";

/** Pages are compressed with a checksum of their content, which every reader compares. */
export const ZSTD_OPTIONS = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

const TYPES = {
  boolean: Type.BOOLEAN,
  date: Type.INT32,
  int64: Type.INT64,
  float64: Type.DOUBLE,
  utf8: Type.BYTE_ARRAY,
  list: Type.BYTE_ARRAY,
} as const;

const encoder = new TextEncoder();

/** Names within a list. */
const LIST_PATH = ["list", "element"] as const;

/** Encodes the bytes after the last row group: the footer, its length and the magic bytes. */
export function fileEnd(
  fields: readonly ParquetField[],
  row_groups: readonly RowGroup[],
  num_rows: number,
  metadata: FileMetadata = {},
): Uint8Array {
  const root: SchemaElement = { name: "schema", num_children: fields.length };
  const footer = encodeThrift(FileMetaData, {
    version: 1,
    schema: [root, ...fields.flatMap(schemaElements)],
    num_rows,
    row_groups,
    ...Object.keys(metadata).length > 0 && {
      key_value_metadata: Object.entries(metadata).map(([key, value]) => ({ key, value: encoder.encode(value) })),
    },
    created_by: "seqreg",
    // The order of every column is that of its type: without it statistics are undefined.
    column_orders: fields.map(() => ({ TYPE_ORDER: {} })),
  });
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, footer.length, true);
  return joinBytes([footer, length, MAGIC]);
}

function schemaElements({ name, type, optional }: ParquetField): SchemaElement[] {
  const { OPTIONAL, REPEATED, REQUIRED } = FieldRepetitionType;
  if (type === "list") {
    return [
      {
        repetition_type: OPTIONAL,
        name,
        num_children: 1,
        converted_type: ConvertedType.LIST,
        logicalType: { LIST: {} },
      },
      { repetition_type: REPEATED, name: LIST_PATH[0], num_children: 1 },
      ...schemaElements({ name: LIST_PATH[1], type: "utf8", optional: true }),
    ];
  }
  return [{
    type: TYPES[type],
    repetition_type: optional ? OPTIONAL : REQUIRED,
    name,
    ...type === "utf8" && { converted_type: ConvertedType.UTF8, logicalType: { STRING: {} } },
    ...type === "date" && { converted_type: ConvertedType.DATE, logicalType: { DATE: {} } },
  }];
}

/** Size and position of a column of a row group. */
export interface ChunkSize {
  /** Bytes before compression, page headers included. */
  readonly plainBytes: number;
  /** Bytes in the file. */
  readonly bytes: number;
  /** Offset of its first page. */
  readonly start: number;
  /** Number of values, nulls included. */
  readonly values: number;
  /** Offset of its first data page, if the first page is a dictionary. */
  readonly dataStart?: number;
}

/** Describes a column of a row group. */
export function columnChunk(
  { name, type }: ParquetField,
  { nulls = 0, range }: Pick<ParquetChunk, "nulls" | "range">,
  { plainBytes, bytes, start, values, dataStart }: ChunkSize,
): ColumnChunk {
  const { PLAIN, RLE, RLE_DICTIONARY } = Encoding;
  return {
    file_offset: start,
    meta_data: {
      type: TYPES[type],
      encodings: dataStart === undefined ? [PLAIN, RLE] : [PLAIN, RLE, RLE_DICTIONARY],
      path_in_schema: [name, ...type === "list" ? LIST_PATH : []],
      codec: CompressionCodec.ZSTD,
      num_values: values,
      total_uncompressed_size: plainBytes,
      total_compressed_size: bytes,
      data_page_offset: dataStart ?? start,
      ...dataStart !== undefined && { dictionary_page_offset: start },
      statistics: { null_count: nulls, ...range && { max_value: range.greatest, min_value: range.least } },
    },
  };
}

/** Size of a page. */
export interface PageSize {
  /** Number of values, nulls included. */
  readonly values: number;
  /** Bytes before compression. */
  readonly plainBytes: number;
  /** Bytes in the file. */
  readonly bytes: number;
}

/** Encodes the header of a data page, of values or of dictionary indices. */
export function dataPageHeader({ values, plainBytes, bytes }: PageSize, isIndexed = false): Uint8Array {
  return encodeThrift(PageHeader, {
    type: PageType.DATA_PAGE,
    uncompressed_page_size: plainBytes,
    compressed_page_size: bytes,
    data_page_header: {
      num_values: values,
      encoding: isIndexed ? Encoding.RLE_DICTIONARY : Encoding.PLAIN,
      definition_level_encoding: Encoding.RLE,
      repetition_level_encoding: Encoding.RLE,
    },
  });
}

/** Encodes the header of a dictionary page. */
export function dictionaryPageHeader({ values, plainBytes, bytes }: PageSize): Uint8Array {
  return encodeThrift(PageHeader, {
    type: PageType.DICTIONARY_PAGE,
    uncompressed_page_size: plainBytes,
    compressed_page_size: bytes,
    dictionary_page_header: { num_values: values, encoding: Encoding.PLAIN },
  });
}
