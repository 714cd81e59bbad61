/** Metadata of a `Registry`. */
import { csvRow } from "../../io/csv/csv_text.ts";
import { type CsvTableOptions, tableFromCsv } from "../../tables/from/from_csv.ts";
import { tableFromXml } from "../../tables/from/from_xml.ts";
import type { OnProgress } from "../../io/tasks/progress.ts";
import { RecordStore } from "../../tables/types/record_store.ts";
import { recordTable } from "../../tables/lake/open/record_table.ts";
import { DATE_COLUMNS, type DateColumns, type TableOptions, type TypedTable } from "../../tables/types/table.ts";
import type { RegistryContext } from "./context.ts";
import { isAccessionColumn, renamesOf } from "../exports/export_fields.ts";
import { extendLedger, type Ledger } from "../../contract/ledger.ts";
import { exportTable } from "../exports/export_table.ts";
import { peekCsv, peekXml } from "../exports/peek_fields.ts";
import { ExportRun, type ExportScope } from "../exports/export_run.ts";
import { type Records, scopeOf, WHEN_NOTHING_MATCHES, type WhenNothingMatches } from "../exports/records.ts";
import { type ReleaseWatch, withinRelease } from "../plan/release_watch.ts";
import { RegistryResult } from "../results/result.ts";
import type { OptionRules } from "../../options/option_rule.ts";
import * as rule from "../../options/rules.ts";
import { suggestFor } from "./suggest.ts";
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";

/** Options of `Registry.metadata`. */
export interface MetadataOptions {
  /** Exact public field names wanted, in this order; all by default. The accession comes first in any case. */
  readonly fields?: readonly string[];
  /** Format of the export that is read; `csv` by default. The result is the same. */
  readonly fileType?: "csv" | "xml";
  /** @deprecated Write `fileType`. */
  readonly via?: "csv" | "xml";
  /** Whether dates come as text, or with columns to compute with; `text` by default. */
  readonly dates?: DateColumns;
  /** What becomes of status 404: `empty`, the default, or `error`. */
  readonly whenNothingMatches?: WhenNothingMatches;
  /** Receives the number of records so far. */
  readonly onProgress?: OnProgress;
  /** Ends the work with the signal's reason. */
  readonly signal?: AbortSignal;
}

export const METADATA_OPTIONS = {
  fields: rule.texts,
  fileType: rule.oneOf(["csv", "xml"]),
  via: rule.oneOf(["csv", "xml"]),
  dates: DATE_COLUMNS,
  whenNothingMatches: WHEN_NOTHING_MATCHES,
  onProgress: rule.callback(),
  signal: rule.signal,
} satisfies OptionRules<MetadataOptions>;

export async function getMetadata(
  context: RegistryContext,
  records: Records,
  options: MetadataOptions,
): Promise<RegistryResult> {
  return await withinRelease((watch) => readMetadata(context, records, { ...options, watch }));
}

async function readMetadata(
  context: RegistryContext,
  records: Records,
  options: MetadataOptions & { readonly watch: ReleaseWatch },
): Promise<RegistryResult> {
  const { client, naming, place, definitions } = context;
  const { fileType = options.via ?? "csv", dates, whenNothingMatches = "empty", watch, onProgress, signal } = options;
  const scope = scopeOf(records);
  const fields = options.fields === undefined || options.fields.length === 0
    ? undefined
    : [...new Set([naming.accessionField, ...options.fields.filter((field) => !isAccessionColumn(field, naming))])];
  const run = new ExportRun(client, {
    scope,
    information: "metadata",
    fileType,
    metadata: fields,
  }, {
    operation: "metadata",
    place,
    separators: "any",
    watch,
    onProgress,
    signal,
  });
  const shared = {
    naming,
    name: "the metadata export",
    dates,
    columns: fields,
    ...askedOf(scope),
    signal,
  };
  const bytes = run.bytes();
  await using opened = fileType === "csv" ? await openCsv(bytes, run) : await openXml(bytes, shared);
  const { names } = opened;
  if (run.noResults !== undefined && whenNothingMatches === "error") throw run.noResults;
  const columns = run.answered ? names : fields ?? await definitions.names(signal);
  const known = await definitions.find([...new Set([...columns, ...fields ?? []])], signal);
  const typed = { ...shared, definitions: known.definitions };
  const table = run.answered
    ? await opened.read({ ...typed, renames: renamesOf(names, fields ?? [], { naming, known: known.definitions }) })
    : await tableFromCsv(new TextEncoder().encode(`${csvRow(columns)}\n`), typed);
  const counted = run.ledger({ entries: [...tableWarnings(table), ...known.entries] });
  const ledger = await suggestFor(context, scope, extendLedger(counted, noteLostRows(counted, table)), signal);
  return new RegistryResult({ table, ledger, provenance: run.provenance(), definitions: known.definitions, naming });
}

/** Fields of an export, and its table once their definitions are known; what is open ends with it. */
interface OpenExport extends AsyncDisposable {
  readonly names: readonly string[];
  read(options: CsvTableOptions): Promise<TypedTable>;
}

async function openCsv(bytes: AsyncGenerator<Uint8Array>, run: ExportRun): Promise<OpenExport> {
  const { names, chunks } = await peekCsv(bytes);
  return {
    names,
    read: (options) => exportTable(chunks, { ...options, separator: run.separator, header: names }),
    [Symbol.asyncDispose]: async () => void await chunks.return(undefined),
  };
}

/** Warnings of a table in addition to those of its export, which knows about duplicates. */
export function tableWarnings({ ledger }: TypedTable): LedgerEntry[] {
  return ledger.entries.filter(({ code, level }) =>
    level === "warning" && code !== "duplicates" && code !== "requested-twice"
  );
}

async function openXml(bytes: AsyncGenerator<Uint8Array>, options: TableOptions): Promise<OpenExport> {
  // Records that were not requested are found in memory.
  const store = new RecordStore(options.asked === undefined ? {} : { spillCharacters: Infinity });
  try {
    const records = await peekXml(bytes, store, options);
    return {
      names: records?.names ?? [],
      async read(options) {
        if (records === undefined) return await tableFromXml(new Uint8Array(0), options);
        const nameOf = records.namer(options.definitions ?? []);
        return await recordTable(store, { hasHeader: false, nameOf }, options);
      },
      [Symbol.asyncDispose]: () => Promise.resolve(store[Symbol.dispose]()),
    };
  } catch (error) {
    store[Symbol.dispose]();
    throw error;
  }
}

/** The accessions of a selection, for a table's ledger. */
export function askedOf(scope: ExportScope): { readonly asked?: readonly string[] } {
  return "list" in scope ? { asked: scope.list.accessions } : {};
}

/** A table that holds fewer rows than the export had records has lost some. */
function noteLostRows({ received, unparsed, unasked }: Ledger, { ledger }: TypedTable): LedgerEntry[] {
  const held = ledger.received + ledger.unparsed;
  // A table in a temporary folder does not have the rows that were not asked for.
  if (held >= received - unasked.length) return [];
  const text = `${received + unparsed} records came, ${held} could be read`;
  return [noteEntry("fewer-than-promised", text, { count: received + unparsed - held })];
}
