/** The records of a recorded answer as a table in a file, which versions of it are compared by. */
import { fieldAlias } from "@seqreg/core/contract/field_alias";
import { parseJson } from "@seqreg/core/contract/json/lossless_json";
import type { Naming } from "@seqreg/core/contract";
import { isRecord } from "@seqreg/core/options/is_record";
import { readFasta } from "@seqreg/core/fasta";
import { csvRow } from "@seqreg/core/io/csv/csv_text";
import { readHeader } from "@seqreg/core/io/csv";
import { createAtomicFile } from "@seqreg/core/io/files/atomic_file";
import { canonicalJson, type LockBodies, type LockedCall } from "@seqreg/core/registry/lock";
import { tableFromXml } from "@seqreg/core/tables/from/from_xml";

export interface AnswerTable {
  readonly path: string;
  readonly columns: readonly string[];
  /** What an answer holds in addition to its records, such as `total`, as canonical JSON by name. */
  readonly rest: Readonly<Record<string, string>>;
}

export interface WriteAnswerOptions {
  readonly bodies: LockBodies;
  /** Path without its ending. */
  readonly path: string;
  readonly naming: Naming;
}

/** Members of a search's answer that describe the request or the work, not the data. */
const NOT_DATA: ReadonlySet<string> = new Set(["results", "query", "took"]);

/** Writes the records of an answer as a table; `undefined` if the records of its media type are not recognised. */
export async function writeAnswerTable(
  call: LockedCall,
  options: WriteAnswerOptions,
): Promise<AnswerTable | undefined> {
  const type = call.mediaType.split(";", 1)[0].trim().toLowerCase();
  if (type === "text/csv" || type === "text/tab-separated-values") {
    return await copyTable(call, `${options.path}.${type === "text/csv" ? "csv" : "tsv"}`, options);
  }
  if (/fasta/.test(type)) return await writeRows(await fastaRows(call, options), options);
  if (/\bjson$/.test(type)) return await writeRows(jsonRows(parseJson(await textOf(call, options))), options);
  if (/\bxml$/.test(type)) return await writeRows(await xmlRows(call, options), options);
  return undefined;
}

export async function writeEmptyTable(columns: readonly string[], path: string): Promise<AnswerTable> {
  return await writeRows({ columns, rows: [] }, { path });
}

interface Rows {
  readonly columns: readonly string[];
  readonly rows: Iterable<readonly string[]> | AsyncIterable<readonly string[]>;
  readonly rest?: Readonly<Record<string, string>>;
}

async function copyTable({ sha256 }: LockedCall, path: string, { bodies }: WriteAnswerOptions): Promise<AnswerTable> {
  await using file = await createAtomicFile(path);
  for await (const chunk of bodies.read(sha256)) await file.write(chunk);
  await file.commit();
  return { path, columns: await readHeader(path), rest: {} };
}

async function writeRows(
  { columns, rows, rest = {} }: Rows,
  { path }: { readonly path: string },
): Promise<AnswerTable> {
  const encoder = new TextEncoder();
  const name = `${path}.csv`;
  await using file = await createAtomicFile(name);
  await file.write(encoder.encode(`${csvRow(columns)}\n`));
  for await (const row of rows) await file.write(encoder.encode(`${csvRow(row)}\n`));
  await file.commit();
  return { path: name, columns, rest };
}

async function fastaRows({ sha256 }: LockedCall, { bodies, naming }: WriteAnswerOptions): Promise<Rows> {
  const reader = readFasta(bodies.read(sha256));
  const { fields } = await reader.head();
  const named = fields.map((field) =>
    fieldAlias(field) === fieldAlias(naming.accessionAlias) ? naming.accessionField : field
  );
  const rows = async function* () {
    for await (const { values, sequence } of reader) yield [...fields.map((_, index) => values[index] ?? ""), sequence];
  };
  return { columns: [...named, "sequence"], rows: rows() };
}

function jsonRows(value: unknown): Rows {
  if (isRecord(value) && Array.isArray(value.results)) {
    const records = value.results.map((hit) => {
      if (!isRecord(hit)) return { value: hit };
      const { id, source, score: _, ...others } = hit;
      return { id, ...others, ...isRecord(source) ? source : { source } };
    });
    const rest = Object.entries(value).filter(([name]) => !NOT_DATA.has(name));
    return {
      ...objectRows(records),
      rest: Object.fromEntries(rest.map(([name, each]) => [name, canonicalJson(each)])),
    };
  }
  if (Array.isArray(value)) return objectRows(value.map((each) => isRecord(each) ? each : { value: each }));
  const entries = Object.entries(isRecord(value) ? value : { "": value });
  return objectRows(entries.map(([accession, sequence]) => ({ accession, sequence })));
}

function objectRows(records: readonly Readonly<Record<string, unknown>>[]): Rows {
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))];
  return { columns, rows: records.map((record) => columns.map((name) => textOfValue(record[name]))) };
}

function textOfValue(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? canonicalJson(value) : String(value);
}

async function xmlRows({ sha256 }: LockedCall, { bodies, naming }: WriteAnswerOptions): Promise<Rows> {
  const table = await tableFromXml(bodies.read(sha256), { naming });
  const columns = table.columns.map(({ name }) => name);
  const texts = columns.map((name) => table.texts(name));
  const rows = Array.from({ length: texts[0]?.length ?? 0 }, (_, row) => texts.map((column) => column[row] ?? ""));
  return { columns, rows };
}

async function textOf({ sha256 }: LockedCall, { bodies }: WriteAnswerOptions): Promise<string> {
  return await new Response(ReadableStream.from(bodies.read(sha256))).text();
}
