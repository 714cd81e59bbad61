/** Content that is certainly not a text table, independent of its file name. */

/** Descriptions by `describeBytes` of what is certainly not a table of text. */
export const NOT_A_TABLE: readonly string[] = [
  "an HTML page",
  "XML",
  "JSON",
  "UTF-16 text",
  "a PNG image",
  "a JPEG image",
  "a PDF document",
  "a ZIP archive (or an Excel workbook)",
  "an Excel workbook of the old form (.xls)",
  "a Parquet file",
  "bzip2 data, to be decompressed by bzip2 -d first",
  "xz data, to be decompressed by xz -d first",
  "zstd data",
  "gzip data",
  "a SQLite database",
  "a tar archive",
  "an RTF document",
  "a FASTA file",
  "a FASTA file whose lines end with carriage returns alone",
  "a GenBank file",
];
