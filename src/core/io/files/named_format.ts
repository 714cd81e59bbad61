/** What the name of a file promises: its format, and whether it is compressed. */
import { gzipBytes } from "../gzip/gzip_bytes.ts";
import { writeAtomic } from "./atomic_file.ts";

/** Formats that results are written in, each with the endings of its own. */
const ENDINGS = {
  csv: ["csv"],
  tsv: ["tsv"],
  parquet: ["parquet"],
  fasta: ["fasta", "fa", "fas", "fna", "ffn", "faa", "frn"],
} as const;

/** A format that results are written in. */
export type NamedFormat = keyof typeof ENDINGS;

/** Endings of data in other formats, which nothing here writes. */
const OTHERS: readonly string[] = ["json", "jsonl", "ndjson", "xlsx", "xls", "ods", "arrow", "feather", "fastq", "fq"];

const WRITERS: Readonly<Record<string, string>> = {
  csv: "toCSV()",
  tsv: "toTSV()",
  parquet: "toParquet()",
  fasta: "toFasta()",
};

/**
 * Whether a file of a format is compressed by its name: text whose name ends in `.gz` is.
 *
 * @throws {TypeError} If the name ends as that of another format of data, or of a compression that is not written.
 */
export function isGzipName(path: string, format: NamedFormat): boolean {
  const [, ending = "", packing] = /\.(\w+?)(?:\.(gz|zst|bz2|xz|zip))?$/i.exec(path) ?? [];
  const [data, compression] = [ending.toLowerCase(), packing?.toLowerCase()];
  const isText = format !== "parquet";
  const isPacking = /^(?:gz|zst|bz2|xz|zip)$/.test(data);
  const given = isPacking ? data : compression;
  const other = Object.entries(ENDINGS).find(([, endings]) => endings.some((each) => each === data))?.[0] ??
    (OTHERS.includes(data) ? "" : format);
  if (other === format && (given === undefined || isText && given === "gz")) return given === "gz";
  const names = isText ? `.${format} or .${format}.gz` : `.${format}`;
  const call = WRITERS[other] !== undefined && other !== format ? `, or ${WRITERS[other]}` : "";
  throw new TypeError(
    `Cannot write ${format === "fasta" ? "FASTA" : format === "parquet" ? "Parquet" : format.toUpperCase()} to ` +
      `${JSON.stringify(path)}: expected a name that ends with ${names}${call}`,
  );
}

/**
 * Writes bytes of text to a file, atomically, compressed if its name ends in `.gz`.
 *
 * @throws {TypeError} As {@linkcode isGzipName} does.
 * @throws {RegistryError} With code `disk` if the file cannot be written.
 */
export async function writeNamed(
  path: string,
  format: NamedFormat,
  chunks: AsyncIterable<Uint8Array>,
  options: { readonly signal?: AbortSignal },
): Promise<void> {
  await writeAtomic(path, isGzipName(path, format) ? gzipBytes(chunks, options) : chunks, options);
}
