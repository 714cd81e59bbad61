/** Makes an archive set from a user's own genomes: a FASTA and a metadata table. */
import { basename } from "node:path";
import { RegistryError } from "@seqreg/core/errors";
import { BYTE_SOURCE, type ByteSource, sourceName } from "@seqreg/core/io/bytes";
import type { TextTable } from "@seqreg/core/io/csv";
import type { OnProgress } from "@seqreg/core/io/tasks";
import {
  closeLedger,
  type Ledger,
  listSome,
  type Provenance,
  quoteValue,
  withEntries,
} from "@seqreg/core/contract/ledger";
import type { FieldDefinition } from "@seqreg/core/contract";
import { type Naming, NAMING_RULE, SPECIFICATION_NAMING } from "@seqreg/core/contract/naming";
import { DATE_ORDERS, type DateOrder } from "@seqreg/core/contract/values/day_order";
import { adviseName } from "@seqreg/core/options/nearest";
import { TOOLKIT } from "@seqreg/core/contract/version";
import { accessionColumn } from "./_column_names.ts";
import {
  describeForm,
  findIdForm,
  findNearlyEqual,
  type FoundForm,
  type IdForm,
  isPlainForm,
  sequenceKeys,
  type SequenceNames,
} from "./_id_forms.ts";
import { describeDifference } from "./_id_spelling.ts";
import { joinById, type Joined } from "./_join.ts";
import { countBytes, joinedSequences, scanFasta } from "./_pack_input.ts";
import { rereadable } from "@seqreg/core/io/bytes";
import { Packing } from "./packing.ts";
import { readTable } from "@seqreg/core/tables/open/read_table";
import { refuseForeignFolder, writeArchives } from "../write_archives.ts";
import { refuseRead } from "@seqreg/core/io/files/whole_folder";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { checkOptions } from "@seqreg/core/options/check_options";
import { type LedgerEntry, noteEntry } from "@seqreg/core/contract/ledger_entries";

/** Options of {@linkcode packArchives}. */
export interface PackOptions {
  /** The sequences: FASTA, plain or of a registry, plain, gzip or Zstandard. */
  readonly fasta: ByteSource;
  /**
   * The metadata: CSV or TSV with a header, plain, gzip or Zstandard, or a sheet of an Excel workbook, whose dates
   * become ISO days or, in a column with times, date-times. It is held in memory.
   */
  readonly metadata: ByteSource;
  /** The sheet of a workbook: its name, or its number from 1; by default the first visible one that holds data. */
  readonly sheet?: string | number;
  /** Encoding of a table of text, by a name of the Encoding standard such as `windows-1252` (default: UTF-8). */
  readonly encoding?: string;
  /** Where to write; see {@linkcode writeArchives} for what may stand there already. */
  readonly folder: string;
  /** Column of the FASTA's ids; by default the one with most of them, the first of several. */
  readonly idColumn?: string;
  /** Piece of each header, split at `|` and counted from 1, that is the id; by default what joins most. */
  readonly idPart?: number;
  /** Whether the version at the end of ids, such as `.2`, does not count; by default what joins most. */
  readonly idWithoutVersion?: boolean;
  /**
   * Whether day or month comes first in dates such as `08/04/2016`, which are written as `YYYY-MM-DD` then; by default
   * they are kept as received, with a warning.
   */
  readonly dates?: DateOrder;
  /** What the FASTA and the table are called in errors and in the provenance; their paths by default. */
  readonly names?: { readonly fasta?: string; readonly metadata?: string };
  /** What the deployment calls things; the specification's spellings by default. */
  readonly naming?: Naming;
  /** Ends the work; nothing is left behind then. */
  readonly signal?: AbortSignal;
  /** Receives the progress of the work. */
  readonly onProgress?: OnProgress;
}

const PACK_OPTIONS = {
  fasta: rule.required(BYTE_SOURCE),
  metadata: rule.required(BYTE_SOURCE),
  sheet: rule.either(rule.text, rule.wholeNumber({ from: 1 })),
  encoding: rule.text,
  folder: rule.required(rule.text),
  idColumn: rule.text,
  idPart: rule.wholeNumber({ from: 1 }),
  idWithoutVersion: rule.flag,
  dates: rule.oneOf(DATE_ORDERS),
  names: rule.shape<NonNullable<PackOptions["names"]>>({ fasta: rule.text, metadata: rule.text }),
  naming: NAMING_RULE,
  signal: rule.signal,
  onProgress: rule.callback(),
} satisfies OptionRules<PackOptions>;

/** An archive set that was packed. */
export interface Packed {
  /** The sixteen file names, in the order of the specification. */
  readonly files: readonly string[];
  /** The public fields, the accession first. Their examples are in `definitions.json`. */
  readonly fields: readonly FieldDefinition[];
  /** The column by which sequences and rows were joined. */
  readonly idColumn: string;
  /** What of a header is the id, such as `the id`, `the first piece of the header`, `the id without its version`. */
  readonly joinedBy: string;
  /** Public field of each column of the table, by the column's name. */
  readonly columns: ReadonlyMap<string, string>;
  /** Records packed, and all that was left out. `asked` counts the sequences of the FASTA. */
  readonly ledger: Ledger;
  /** From what, when, by what. */
  readonly provenance: Provenance;
}

/**
 * Packs genomes into an archive set.
 *
 * Sequences and rows join where the FASTA's id equals the value of the id column, character by character. Where more of
 * them join, one to one, by a piece of the header between `|`, which may end at a blank, by the id or a piece without
 * its version (`.2`) or by the whole header, they join by the first of these with most, and a warning reports it.
 * Values are kept as they are, and so are the bases of the sequences, their case included; only white space goes.
 * Columns with a common name (`strain`, `date`, `country`, `host`, `length` …) become public fields, others keep their
 * own name. Accessions that came in, in the accession's column or as ids, are kept when they are valid; the other
 * records get theirs in the order of the FASTA, from `vj000000000001`, without those kept. Sequence length, GC content,
 * ambiguous bases and clusters of identical sequences are added where the table does not have them.
 *
 * A column whose name is that of a public field, or has the word date, has its type if at least half of its values fit,
 * words for missing apart; the others are counted and listed in a warning. Any other column has a type that all of its
 * values have without a loss, else it is text.
 *
 * The FASTA is read twice, in bounded memory; one that streams is put aside in a temporary file first.
 *
 * @param options What to pack, where to, naming, signal, progress.
 * @returns The file names, the fields, and the ledger: rows without a sequence, sequences without a row, later uses of
 * an id or accession are left out and named there, and it is incomplete then; formulas without a stored value too.
 * @throws {TypeError} If the folder's name or the id column is empty.
 * @throws {RangeError} If the table has no column, or no sheet, of that name.
 * @throws {ParseError} If the table or the FASTA is malformed or something else, such as an HTML page, or gzip data is
 * damaged; nothing is written then.
 * @throws {RegistryError} With code `no-results` if no id of the FASTA is in the table, with code `disk` if a file
 * cannot be read or the folder cannot be written.
 * @see Specification 4.1. That identical sequences form the clusters, and nothing else does, is our choice.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { packArchives } from "./pack_archives.ts";
 *
 * const text = (text: string) => new TextEncoder().encode(text);
 * const folder = await Deno.makeTempDir();
 * const { ledger, fields } = await packArchives({
 *   fasta: text(">A/1\nACGT\n>A/2\nACGA\n"),
 *   metadata: text("strain,date\nA/1,2013-12-XX\nA/3,2014\n"),
 *   folder,
 * });
 *
 * assertEquals(fields.slice(0, 3).map(({ name }) => name), ["Registry Accession", "Isolate", "Collection Date"]);
 * assertEquals(ledger.missing, ["A/3", "A/2"]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function packArchives(options: PackOptions): Promise<Packed> {
  checkOptions("packArchives()", options, PACK_OPTIONS);
  const { folder, idColumn, dates, naming = SPECIFICATION_NAMING, signal } = options;
  if (idColumn === "") throw new TypeError("Cannot pack: the id column's name is empty");
  const started = new Date().toISOString();
  const names = {
    fasta: options.names?.fasta ?? sourceName(options.fasta),
    metadata: options.names?.metadata ?? sourceName(options.metadata),
  };
  await refuseForeignFolder(folder, naming);
  await refuseRead(folder, [options.fasta, options.metadata].filter((source) => typeof source === "string"));
  const counted = countBytes(options.metadata, signal);
  const { entries, types, ...table } = await readTable(counted.bytes, {
    name: names.metadata,
    sheet: options.sheet,
    encoding: options.encoding,
    signal,
  });
  await using fasta = await rereadable(options.fasta, signal);
  const scan = await scanFasta(fasta.source, names.fasta, signal);
  const given = {
    ...idColumn !== undefined && { column: findColumn(table, idColumn, names.metadata) },
    ...givenForm(options),
  };
  const found = findIdForm(scan, table, given);
  if (found === undefined) throw nothingMatches(scan, table, { ...given, names });
  const join = joinById(scan, table, { ...found, accession: accessionColumn(table.columns, naming) });
  const { form, column } = found;
  const joinedBy = describeForm(form);
  const packing = new Packing(table, join, { types, naming, dates });
  const files = await writeArchives(folder, {
    fields: packing.fields,
    recordCount: join.joined.length,
    sequences: () => joinedSequences(fasta.source, names.fasta, scan.ids, packing, signal),
    rows: (clusters) => packing.rows(clusters),
  }, { naming, signal, onProgress: options.onProgress });
  const counts = closeLedger({
    asked: scan.ids.length + scan.ledger.unparsed,
    received: join.joined.length,
    unparsed: scan.ledger.unparsed,
    entries: [
      ...entries,
      ...join.entries,
      ...noteJoin(scan, table, found, join.joined[0]),
      ...packing.entries(),
    ],
  });
  // The counts have the reason for what could not be read already. A record that vanished in another is not packed.
  const scanned = scan.ledger.entries.filter(({ code }) => code !== "unreadable")
    .map((entry) => entry.code === "record-hidden" ? noteEntry("unreadable", entry.text, { ids: entry.ids }) : entry);
  return {
    files,
    fields: packing.fields,
    idColumn: table.columns[column],
    joinedBy,
    columns: packing.columns,
    ledger: withEntries({ ...counts, missing: join.missing }, [...counts.entries, ...scanned]),
    provenance: {
      operation: "pack",
      registry: null,
      request: { ...names, folder, idColumn: table.columns[column], joinedBy, ...dates !== undefined && { dates } },
      bytes: scan.bytes + counted.count(),
      sha256: null,
      started,
      finished: new Date().toISOString(),
      toolkit: TOOLKIT,
    },
  };
}

function givenForm({ idPart, idWithoutVersion }: PackOptions): { readonly form?: IdForm } {
  if (idPart === undefined && !idWithoutVersion) return {};
  return { form: { ...idPart !== undefined && { part: idPart }, ...idWithoutVersion && { withoutVersion: true } } };
}

function findColumn({ columns }: TextTable, wanted: string, name: string): number {
  const column = columns.indexOf(wanted);
  if (column !== -1) return column;
  throw new RangeError(
    `Cannot use the id column ${JSON.stringify(wanted)}: ${name} has no such column; ${adviseName(wanted, columns)}`,
  );
}

/** The warning of how ids were joined, unless by the id as it stands. */
function noteJoin(
  { headers }: SequenceNames,
  table: TextTable,
  { form, column }: FoundForm,
  first: Joined,
): LedgerEntry[] {
  if (isPlainForm(form)) return [];
  const [header, value] = [headers[first.sequence], table.rows[first.row][column]].map((text) =>
    JSON.stringify(quoteValue(text))
  );
  const of = JSON.stringify(table.columns[column]);
  const text = `sequences and rows joined by ${describeForm(form)}: ${header} with ${value} in ${of}`;
  return [noteEntry("joined-by-form", text, { field: table.columns[column] })];
}

function nothingMatches(
  names: SequenceNames,
  table: TextTable,
  { column, form, names: { fasta, metadata } }: {
    readonly column?: number;
    readonly form?: IdForm;
    readonly names: { readonly fasta: string; readonly metadata: string };
  },
): RegistryError {
  const { columns, rows } = table;
  const failed = `Cannot pack ${basename(fasta)}`;
  const near = findNearlyEqual(names, table, { column, form });
  if (near?.isEqual) {
    return new RegistryError(
      "no-results",
      `${failed}: several sequences or rows have the same id (${JSON.stringify(near.value)} in ` +
        `${columns[near.column]}, read as ${
          describeForm(near.form)
        }); write one row for each sequence, with an id of ` +
        "its own",
    );
  }
  if (near !== undefined) {
    return new RegistryError(
      "no-results",
      `${failed}: its ids and those of ${basename(metadata)} differ only in how they are written ` +
        `(${JSON.stringify(near.sequence)} in the FASTA, ${JSON.stringify(near.value)} in ${columns[near.column]}: ` +
        `${describeDifference(near.sequence, near.value)}); make them equal`,
    );
  }
  const quoted = (texts: readonly string[]) => listSome(texts.slice(0, 3).map((text) => JSON.stringify(text)), 3);
  const keys = sequenceKeys(names, form ?? {});
  const found = keys.filter((key) => key !== "");
  const sequences = keys.length === 0
    ? "no records"
    : found.length === 0
    ? `headers like ${quoted(names.headers)}`
    : `ids like ${quoted(found)}`;
  const at = column ?? 0;
  const values = rows.length === 0 ? "no rows" : `${quoted(rows.slice(0, 3).map((row) => row[at]))} in ${columns[at]}`;
  const where = column === undefined ? "any column" : `the column ${JSON.stringify(columns[column])}`;
  const other = column === undefined && form === undefined ? undefined : findIdForm(names, table);
  const advice = other === undefined
    ? "make the ids equal, or name another id column"
    : `they join by ${describeForm(other.form)} with ${JSON.stringify(columns[other.column])}, which is found if no ` +
      "column and no piece is named";
  const by = form === undefined ? "none of its ids" : `none of its ids, read as ${describeForm(form)},`;
  return new RegistryError(
    "no-results",
    `${failed}: ${by} is in ${where} of ${basename(metadata)} ` +
      `(the FASTA has ${sequences}, the table ${values}); ${advice}`,
  );
}
