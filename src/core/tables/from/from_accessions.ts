/** Accession lists, TSV or XML, to a table of one column. */
import { ParseError } from "../../errors.ts";
import type { ByteSource } from "../../io/bytes/byte_source.ts";
import { sourceName } from "../../io/bytes/open_bytes.ts";
import { readLines } from "../../io/bytes/text_lines.ts";
import { isAccession } from "../../contract/accession.ts";
import { type Problem, quoteValue } from "../../contract/ledger.ts";
import { SPECIFICATION_NAMING } from "../../contract/naming.ts";
import { RecordStore } from "../types/record_store.ts";
import { makeTable, MAX_PROBLEMS } from "../types/typed_table.ts";
import { readXmlLeaves } from "./_xml_records.ts";
import { TABLE_OPTIONS, type TableOptions, type TypedTable } from "../types/table.ts";
import type { OptionRules } from "../../options/option_rule.ts";
import * as rule from "../../options/rules.ts";
import { checkOptions } from "../../options/check_options.ts";

/** Options of {@linkcode tableFromAccessions}. */
export interface AccessionsTableOptions
  extends Pick<TableOptions, "naming" | "asked" | "promised" | "name" | "signal"> {
  /** Format of the list. */
  readonly format: "tsv" | "xml";
}

const ACCESSIONS_TABLE_OPTIONS = {
  naming: TABLE_OPTIONS.naming,
  asked: TABLE_OPTIONS.asked,
  promised: TABLE_OPTIONS.promised,
  name: TABLE_OPTIONS.name,
  signal: TABLE_OPTIONS.signal,
  format: rule.required(rule.oneOf(["tsv", "xml"])),
} satisfies OptionRules<AccessionsTableOptions>;

/** A table of one column, called by the naming's accession field, and that column as texts. */
export interface AccessionsTable extends TypedTable {
  /** The accessions, in the order of the list; one that comes twice is here twice. */
  readonly accessions: readonly string[];
}

/**
 * Makes a table of an accession list.
 *
 * In TSV the column is the one with an accession in the first data line; the first line is a header unless it contains
 * an accession itself. In XML it is every text that is alone in an element. Invalid accessions are left out and listed;
 * empty lines are skipped.
 *
 * @param source Where the list is; plain, gzip or Zstandard.
 * @param options Format, naming, accessions asked for.
 * @returns rows × 1 column (String).
 * @throws {ParseError} If it is not such a list at all.
 * @see Specification 4.2, `registry_accessions`. Header and structure are not shown.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromAccessions } from "./from_accessions.ts";
 *
 * const bytes = new TextEncoder().encode("Registry Accession\nvj000000000001\n");
 *
 * assertEquals((await tableFromAccessions(bytes, { format: "tsv" })).accessions, ["vj000000000001"]);
 * ```
 */
export async function tableFromAccessions(
  source: ByteSource,
  options: AccessionsTableOptions,
): Promise<AccessionsTable> {
  checkOptions("tableFromAccessions()", options, ACCESSIONS_TABLE_OPTIONS);
  const { naming = SPECIFICATION_NAMING } = options;
  using store = new RecordStore({ fields: [naming.accessionField], spillCharacters: Infinity });
  const found = await readAccessions(source, store, options);
  const table = makeTable({ columns: store.columns, hasHeader: true, ...found }, options);
  return Object.assign(table, { accessions: table.texts(naming.accessionField).map((text) => text ?? "") });
}

/** What an accession list holds besides accessions. */
export interface InvalidAccessions {
  /** How many entries are not accessions. */
  readonly unparsed: number;
  /** These, the first {@linkcode MAX_PROBLEMS} of them. */
  readonly problems: readonly Problem[];
}

/** Adds the accessions of a list to a store; options as for {@linkcode tableFromAccessions}. */
export async function readAccessions(
  source: ByteSource,
  store: RecordStore,
  options: AccessionsTableOptions,
): Promise<InvalidAccessions> {
  const { naming = SPECIFICATION_NAMING } = options;
  const problems: Problem[] = [];
  let unparsed = 0;
  const entries = options.format === "tsv" ? tsvEntries(source, options) : xmlEntries(source, options);
  for await (const { text, line } of entries) {
    if (isAccession(text)) {
      store.add([[naming.accessionField, text]]);
      if (store.isFull) await store.settle();
      continue;
    }
    unparsed++;
    if (problems.length === MAX_PROBLEMS) continue;
    problems.push({
      ...line !== undefined && { line },
      value: quoteValue(text),
      reason: "is not an accession: expected vj followed by 12 digits",
      kept: false,
    });
  }
  return { unparsed, problems };
}

interface Entry {
  readonly text: string;
  readonly line?: number;
}

async function* tsvEntries(source: ByteSource, options: AccessionsTableOptions): AsyncGenerator<Entry> {
  const name = options.name ?? sourceName(source);
  let line = 0;
  let column = -1;
  let header: string | undefined;
  try {
    for await (const text of readLines(source, options)) {
      line++;
      const cells = text.split("\t");
      if (column === -1) column = cells.findIndex(isAccession);
      if (line === 1 && column === -1) {
        if (/^\s*[<{]/.test(text)) throw notAList(name, text);
        header = text;
        continue;
      }
      if (text !== "") yield { text: cells[column === -1 ? 0 : column] ?? "", line };
    }
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new ParseError(`Cannot read ${name}: it is not valid UTF-8`, { line: line + 1 }, { cause });
  }
  if (header === undefined && line === 0) {
    throw new ParseError(`Cannot read ${name}: it is empty, expected a header line`, { line: 1 });
  }
}

function notAList(name: string, text: string): ParseError {
  const looks = text.trimStart().startsWith("<") ? "an HTML page or XML" : "JSON";
  return new ParseError(`Cannot read ${name}: expected an accession list (TSV), it looks like ${looks}`, { line: 1 });
}

async function* xmlEntries(source: ByteSource, options: AccessionsTableOptions): AsyncGenerator<Entry> {
  for await (const texts of readXmlLeaves(source, options)) {
    for (const text of texts) if (text.trim() !== "") yield { text: text.trim() };
  }
}
