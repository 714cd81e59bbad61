/**
 * Makes an archive set from a user's own genomes: a FASTA and a metadata table.
 *
 * @module
 */
import { basename } from "node:path";
import { RegistryError } from "../errors.ts";
import { BYTE_SOURCE, type ByteSource } from "../io/bytes/byte_source.ts";
import type { CsvTable } from "../io/csv/csv_table.ts";
import { sourceName } from "../io/bytes/open_bytes.ts";
import type { OnProgress } from "../io/tasks/progress.ts";
import { closeLedger, type Ledger, listSome, type Provenance } from "../contract/ledger.ts";
import type { FieldDefinition } from "../contract/metadata.ts";
import { type Naming, NAMING_RULE, SPECIFICATION_NAMING } from "../contract/naming.ts";
import { nearest } from "../contract/options/nearest.ts";
import { TOOLKIT } from "../contract/version.ts";
import { accessionColumn } from "./_column_names.ts";
import { joinById, matchingColumn } from "./_join.ts";
import { countBytes, joinedSequences, rereadable, scanFasta } from "./_pack_input.ts";
import { Packing } from "./_packing.ts";
import { readUserTable } from "./_user_table.ts";
import { refuseForeignFolder, writeArchives } from "./write_archives.ts";
import type { OptionRules } from "../contract/options/option_rule.ts";
import * as rule from "../contract/options/rules.ts";
import { checkOptions } from "../contract/options/check_options.ts";

/** Options of {@linkcode packArchives}. */
export interface PackOptions {
  /** The sequences: FASTA, plain or of a registry, plain or gzip. */
  readonly fasta: ByteSource;
  /**
   * The metadata: CSV or TSV with a header, plain or gzip, or a sheet of an Excel workbook, whose dates become ISO days
   * or, in a column with times, date-times. It is held in memory.
   */
  readonly metadata: ByteSource;
  /** The sheet of a workbook: its name, or its number from 1; by default the first visible one that holds data. */
  readonly sheet?: string | number;
  /** Where to write; see {@linkcode writeArchives} for what may stand there already. */
  readonly folder: string;
  /** Column of the FASTA's ids; by default the one with most of them, the first of several. */
  readonly idColumn?: string;
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
  folder: rule.required(rule.text),
  idColumn: rule.text,
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
 * Sequences and rows join where the FASTA's id equals the value of the id column, character by character. Values are
 * kept as they are, and so are the bases of the sequences, their case included; only white space goes. Columns with a
 * common name (`strain`, `date`, `country`, `host`, `length` …) become public fields, others keep their own name.
 * Accessions that came in, in the accession's column or as ids, are kept when they are valid; the other records get
 * theirs in the order of the FASTA, from `vj000000000001`, without those kept. Sequence length, GC content, ambiguous
 * bases and clusters of identical sequences are added where the table does not have them.
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
  const { folder, idColumn, naming = SPECIFICATION_NAMING, signal } = options;
  if (idColumn === "") throw new TypeError("Cannot pack: the id column's name is empty");
  const started = new Date().toISOString();
  const names = {
    fasta: options.names?.fasta ?? sourceName(options.fasta),
    metadata: options.names?.metadata ?? sourceName(options.metadata),
  };
  await refuseForeignFolder(folder, naming);
  const counted = countBytes(options.metadata, signal);
  const { table, reasons, warnings } = await readUserTable(counted.bytes, {
    name: names.metadata,
    sheet: options.sheet,
    signal,
  });
  await using fasta = await rereadable(options.fasta, signal);
  const scan = await scanFasta(fasta.source, names.fasta, signal);
  const column = findIdColumn(table, new Set(scan.ids), idColumn, names);
  const join = joinById(scan.ids, table, { id: column, accession: accessionColumn(table.columns, naming) });
  if (join.joined.length === 0) throw nothingMatches(table, scan.ids, table.columns[column], names);
  const packing = new Packing(table, join, naming);
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
    reasons: [...reasons, ...join.reasons],
    warnings: [...warnings, ...packing.warnings(), ...scan.ledger.warnings],
  });
  const unread = scan.ledger.reasons.filter((reason) => !counts.reasons.includes(reason));
  return {
    files,
    fields: packing.fields,
    idColumn: table.columns[column],
    columns: packing.columns,
    ledger: { ...counts, missing: join.missing, reasons: [...counts.reasons, ...unread] },
    provenance: {
      operation: "pack",
      registry: null,
      request: { ...names, folder, idColumn: table.columns[column] },
      bytes: scan.bytes + counted.count(),
      sha256: null,
      started,
      finished: new Date().toISOString(),
      toolkit: TOOLKIT,
    },
  };
}

function findIdColumn(
  table: CsvTable,
  ids: ReadonlySet<string>,
  wanted: string | undefined,
  names: { readonly fasta: string; readonly metadata: string },
): number {
  if (wanted === undefined) {
    const found = matchingColumn(table, ids);
    if (found === -1) throw nothingMatches(table, [...ids], undefined, names);
    return found;
  }
  const column = table.columns.indexOf(wanted);
  if (column !== -1) return column;
  throw new RangeError(
    `Cannot use the id column ${JSON.stringify(wanted)}: ${names.metadata} has no such column; ` +
      `did you mean ${JSON.stringify(nearest(wanted, table.columns))}? It has ${listSome(table.columns, 20)}`,
  );
}

function nothingMatches(
  { columns, rows }: CsvTable,
  ids: readonly string[],
  column: string | undefined,
  names: { readonly fasta: string; readonly metadata: string },
): RegistryError {
  const quoted = (texts: readonly string[]) => listSome(texts.slice(0, 3).map((text) => JSON.stringify(text)), 3);
  const sequences = ids.length === 0 ? "no records" : `ids like ${quoted(ids)}`;
  const at = Math.max(0, column === undefined ? 0 : columns.indexOf(column));
  const values = rows.length === 0 ? "no rows" : `${quoted(rows.slice(0, 3).map((row) => row[at]))} in ${columns[at]}`;
  const where = column === undefined ? "any column" : `the column ${JSON.stringify(column)}`;
  return new RegistryError(
    "no-results",
    `Cannot pack ${basename(names.fasta)}: none of its ids is in ${where} of ${basename(names.metadata)} ` +
      `(the FASTA has ${sequences}, the table ${values}); make the ids equal, or name another id column`,
  );
}
