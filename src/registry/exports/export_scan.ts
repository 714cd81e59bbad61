/**
 * Reads which records an export holds, while its bytes go by untouched.
 *
 * An export is what it is: whoever passes it on must not alter it, yet must say what came. Each file type has a scan: a
 * generator that gives every byte that it is given.
 *
 * @module
 */
import { ParseError } from "../../errors.ts";
import { readCsvRows } from "../../io/csv/csv_rows.ts";
import { isAccession } from "../../contract/accession.ts";
import { fieldAlias } from "../../contract/field_alias.ts";
import { type Naming, NAMING_RULE, SPECIFICATION_NAMING } from "../../contract/naming.ts";
import { XmlRecords } from "./xml_records.ts";
import type { OptionRules, RequiredRule } from "../../contract/options/option_rule.ts";
import * as rule from "../../contract/options/rules.ts";
import { checkArgument, checkOptions } from "../../contract/options/check_options.ts";

/** File types of the five exports. */
export type ExportType = "csv" | "tsv" | "xml" | "fasta";

/** The rule of an argument that is an {@linkcode ExportType}. */
export const EXPORT_TYPE: RequiredRule<ExportType> = rule.required(rule.oneOf(["csv", "tsv", "xml", "fasta"]));

/** What a scan tells. */
export interface ExportScanOptions {
  /** What the deployment calls things; the specification's spellings by default. */
  readonly naming?: Naming;
  /** Named in errors. */
  readonly name?: string;
  /** Told of each record in order, with its accession where it has one. */
  readonly onRecord: (accession: string | undefined) => void;
  /** Told of the header, once: the CSV's or TSV's first row, the FASTA's field names. */
  readonly onHeader?: (names: readonly string[]) => void;
}

/** Rules of {@linkcode ExportScanOptions}. */
export const EXPORT_SCAN_OPTIONS = {
  naming: NAMING_RULE,
  name: rule.text,
  onRecord: rule.required(rule.callback()),
  onHeader: rule.callback(),
} satisfies OptionRules<ExportScanOptions>;

/**
 * Passes an export on and tells of its records.
 *
 * @param fileType Type of the export.
 * @param chunks Its bytes; each chunk may be used again by its giver when the next is asked for.
 * @param options Whom to tell.
 * @returns The same bytes.
 * @throws {ParseError} If the text breaks its format. The bytes before that have been given out.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { readBytes } from "../../io/bytes/byte_source.ts";
 * import { scanExport } from "./export_scan.ts";
 *
 * const came: (string | undefined)[] = [];
 * const bytes = new TextEncoder().encode("Registry Accession\nvj000000000001\n");
 * for await (const _ of scanExport("tsv", readBytes(bytes), { onRecord: (id) => came.push(id) }));
 *
 * assertEquals(came, ["vj000000000001"]);
 * ```
 */
export function scanExport(
  fileType: ExportType,
  chunks: AsyncIterable<Uint8Array>,
  options: ExportScanOptions,
): AsyncGenerator<Uint8Array> {
  checkArgument("scanExport()", "fileType", fileType, EXPORT_TYPE);
  checkOptions("scanExport()", options, EXPORT_SCAN_OPTIONS);
  switch (fileType) {
    case "csv":
      return scanRows(chunks, ",", options);
    case "tsv":
      return scanRows(chunks, "\t", options);
    case "xml":
      return scanXml(chunks, options);
    case "fasta":
      return scanFasta(chunks, options);
  }
}

/** Tells whether a column or field of an export is the accession's, by its public name, alias or key. */
export function isAccessionColumn(name: string, naming: Naming): boolean {
  const alias = fieldAlias(name);
  return [naming.accessionField, naming.accessionAlias, naming.accessionsKey].some((own) => fieldAlias(own) === alias);
}

async function* scanRows(
  chunks: AsyncIterable<Uint8Array>,
  separator: string,
  options: ExportScanOptions,
): AsyncGenerator<Uint8Array> {
  const naming = options.naming ?? SPECIFICATION_NAMING;
  const passed: Uint8Array[] = [];
  const tapped = (async function* () {
    for await (const chunk of chunks) {
      passed.push(chunk.slice());
      yield chunk;
    }
  })();
  let column: number | undefined;
  let width = 0;
  // In a TSV a quote is a character like any other.
  for await (const rows of readCsvRows(tapped, { separator, quotes: separator === ",", name: options.name })) {
    for (const { cells, line } of rows) {
      if (column === undefined) {
        width = cells.length;
        column = cells.findIndex((cell) => isAccessionColumn(cell, naming));
        // A list without a header begins with an accession.
        const bare = column === -1 && cells.some(isAccession);
        if (bare) column = cells.findIndex(isAccession);
        else {
          options.onHeader?.(cells);
          continue;
        }
      }
      if (cells.length !== width) {
        throw new ParseError(
          `Cannot read ${options.name ?? "the export"}: a row has ${cells.length} cells, the header has ${width}`,
          { line },
        );
      }
      // In a list of one column its values say what the header does not.
      if (column === -1 && width === 1 && isAccession(cells[0])) column = 0;
      const accession = cells[column];
      options.onRecord(accession === undefined || accession === "" ? undefined : accession);
    }
    yield* passed.splice(0);
  }
  yield* passed.splice(0);
}

async function* scanXml(chunks: AsyncIterable<Uint8Array>, options: ExportScanOptions): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let named = 0;
  const records = new XmlRecords({
    ...options.naming && { naming: options.naming },
    ...options.name !== undefined && { name: options.name },
    onAccession: (accession) => {
      named++;
      options.onRecord(accession);
    },
  });
  const decode = (chunk?: Uint8Array) => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch (cause) {
      throw new ParseError(`Cannot read ${options.name ?? "the XML"}: it is not UTF-8 text`, {}, { cause });
    }
  };
  for await (const chunk of chunks) {
    records.push(decode(chunk));
    yield chunk;
  }
  records.push(decode());
  records.end();
  // Where nothing is called as the accession is, the elements below the root are the records.
  if (named === 0) { for (let index = 0; index < records.children; index++) options.onRecord(undefined); }
}

const LF = 10;
const GREATER = 62;

async function* scanFasta(chunks: AsyncIterable<Uint8Array>, options: ExportScanOptions): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder();
  let header: number[] | undefined;
  let fields: number[] | undefined = [];
  let atLineStart = true;
  const endHeader = (bytes: readonly number[]) => {
    const id = /^[^\s|]*/.exec(decoder.decode(new Uint8Array(bytes)))![0];
    options.onRecord(id === "" ? undefined : id);
  };
  const endFields = (bytes: readonly number[]) => {
    const line = decoder.decode(new Uint8Array(bytes)).replace(/\r$/, "");
    if (line.startsWith(";fields=")) options.onHeader?.(line.slice(8).split("|"));
  };
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue;
    let at = 0;
    while (at < chunk.length) {
      if (fields !== undefined || header !== undefined) {
        const feed = chunk.indexOf(LF, at);
        const end = feed === -1 ? chunk.length : feed;
        const line = header ?? fields!;
        // An accession is at the begin of a header; field names are few.
        const most = header === undefined ? 1 << 16 : 256;
        for (let index = at; index < end && line.length < most; index++) line.push(chunk[index]);
        at = end;
        if (feed === -1) break;
        if (header !== undefined) endHeader(header);
        else if (fields![0] === GREATER) endHeader(fields!.slice(1));
        else endFields(fields!);
        header = fields = undefined;
        continue;
      }
      const mark = chunk.indexOf(GREATER, at);
      if (mark === -1) break;
      at = mark + 1;
      if (mark === 0 ? atLineStart : chunk[mark - 1] === LF) header = [];
    }
    atLineStart = chunk[chunk.length - 1] === LF;
    yield chunk;
  }
  if (header !== undefined) endHeader(header);
  else if (fields !== undefined && fields[0] === GREATER) endHeader(fields.slice(1));
  else if (fields !== undefined) endFields(fields);
}
