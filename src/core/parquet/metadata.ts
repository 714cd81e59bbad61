/**
 * The structures of Parquet's footers and page headers, under the names of the format's specification. Only the fields
 * that the toolkit reads or writes are named; readers skip all others.
 *
 * @see https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift
 */
import type { ThriftStruct, ThriftValue } from "./thrift.ts";

/** Magic bytes that a file begins and ends with. */
export const MAGIC: Uint8Array<ArrayBuffer> = Uint8Array.from("PAR1", (character) => character.charCodeAt(0));

/** Physical types. */
export const Type = { BOOLEAN: 0, INT32: 1, INT64: 2, DOUBLE: 5, BYTE_ARRAY: 6 } as const;
/** Logical types of parquet-format 1, for older readers. */
export const ConvertedType = { UTF8: 0, LIST: 3, DATE: 6 } as const;
/** Whether a value is there once, may be null, or stands for many. */
export const FieldRepetitionType = { REQUIRED: 0, OPTIONAL: 1, REPEATED: 2 } as const;
/** How values are encoded. */
export const Encoding = { PLAIN: 0, PLAIN_DICTIONARY: 2, RLE: 3, RLE_DICTIONARY: 8 } as const;
/** How pages are compressed. */
export const CompressionCodec = { UNCOMPRESSED: 0, ZSTD: 6 } as const;
/** Kinds of pages. */
export const PageType = { DATA_PAGE: 0, DICTIONARY_PAGE: 2, DATA_PAGE_V2: 3 } as const;

const EMPTY = { struct: {} } as const satisfies ThriftStruct;

/** Counts and bounds of the values of a column chunk. */
export const Statistics = {
  struct: { null_count: [3, "i64"], max_value: [5, "binary"], min_value: [6, "binary"] },
} as const satisfies ThriftStruct;

/** A node of the schema, which is a tree in depth-first order. */
export const SchemaElement = {
  struct: {
    type: [1, "i32"],
    repetition_type: [3, "i32"],
    name: [4, "string"],
    num_children: [5, "i32"],
    converted_type: [6, "i32"],
    logicalType: [10, { struct: { STRING: [1, EMPTY], LIST: [3, EMPTY], DATE: [6, EMPTY] } }],
  },
} as const satisfies ThriftStruct;

/** A column of a row group. */
export const ColumnMetaData = {
  struct: {
    type: [1, "i32"],
    encodings: [2, { list: "i32" }],
    path_in_schema: [3, { list: "string" }],
    codec: [4, "i32"],
    num_values: [5, "i64"],
    total_uncompressed_size: [6, "i64"],
    total_compressed_size: [7, "i64"],
    data_page_offset: [9, "i64"],
    dictionary_page_offset: [11, "i64"],
    statistics: [12, Statistics],
  },
} as const satisfies ThriftStruct;

/** Where a column of a row group is, and what it is. */
export const ColumnChunk = {
  struct: { file_offset: [2, "i64"], meta_data: [3, ColumnMetaData] },
} as const satisfies ThriftStruct;

/** Some rows of all columns. */
export const RowGroup = {
  struct: { columns: [1, { list: ColumnChunk }], total_byte_size: [2, "i64"], num_rows: [3, "i64"] },
} as const satisfies ThriftStruct;

/** The footer. */
export const FileMetaData = {
  struct: {
    version: [1, "i32"],
    schema: [2, { list: SchemaElement }],
    num_rows: [3, "i64"],
    row_groups: [4, { list: RowGroup }],
    key_value_metadata: [5, { list: { struct: { key: [1, "string"], value: [2, "binary"] } } }],
    created_by: [6, "string"],
    column_orders: [7, { list: { struct: { TYPE_ORDER: [1, EMPTY] } } }],
  },
} as const satisfies ThriftStruct;

/** What stands before each page. */
export const PageHeader = {
  struct: {
    type: [1, "i32"],
    uncompressed_page_size: [2, "i32"],
    compressed_page_size: [3, "i32"],
    data_page_header: [5, {
      struct: {
        num_values: [1, "i32"],
        encoding: [2, "i32"],
        definition_level_encoding: [3, "i32"],
        repetition_level_encoding: [4, "i32"],
      },
    }],
    dictionary_page_header: [7, { struct: { num_values: [1, "i32"], encoding: [2, "i32"] } }],
    data_page_header_v2: [8, { struct: { encoding: [4, "i32"] } }],
  },
} as const satisfies ThriftStruct;

/** @see {@linkcode SchemaElement} */
export type SchemaElement = ThriftValue<typeof SchemaElement>;
/** @see {@linkcode ColumnMetaData} */
export type ColumnMetaData = ThriftValue<typeof ColumnMetaData>;
/** @see {@linkcode ColumnChunk} */
export type ColumnChunk = ThriftValue<typeof ColumnChunk>;
/** @see {@linkcode RowGroup} */
export type RowGroup = ThriftValue<typeof RowGroup>;
/** @see {@linkcode FileMetaData} */
export type FileMetaData = ThriftValue<typeof FileMetaData>;
/** @see {@linkcode PageHeader} */
export type PageHeader = ThriftValue<typeof PageHeader>;
