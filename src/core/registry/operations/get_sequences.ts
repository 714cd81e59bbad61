/** Sequences of a `Registry`. */
import type { SequenceAnswer } from "../../client/mod.ts";
import { type FastaHead, readFasta } from "../../fasta/mod.ts";
import { extendLedger, type Ledger, type Provenance, warningsOf } from "../../contract/ledger.ts";
import type { OnProgress } from "../../io/tasks/progress.ts";
import type { FieldDefinition } from "../../contract/metadata.ts";
import type { Naming } from "../../contract/naming.ts";
import { computedNames } from "../../tables/types/computed_names.ts";
import { isAccessionColumn, renamesOf } from "../exports/export_fields.ts";
import type { RegistryContext } from "./context.ts";
import { type AccessionList, summarizeList } from "../plan/accession_list.ts";
import { hideInLedger } from "../plan/hide_in_ledger.ts";
import { askSequences } from "./ask_sequences.ts";
import { readSequences } from "./read_sequences.ts";
import { idOf } from "../exports/scan_fasta.ts";
import { ExportRun, type ExportScope } from "../exports/export_run.ts";
import { ProvenanceLog } from "../results/provenance_log.ts";
import { type Records, scopeOf, WHEN_NOTHING_MATCHES, type WhenNothingMatches } from "../exports/records.ts";
import { pageRowsOf, readPaged } from "../results/read_paged.ts";
import { type ReleaseWatch, withinRelease } from "../plan/release_watch.ts";
import { SequenceStore } from "../results/sequence_store.ts";
import { SequencesResult } from "../results/sequences_result.ts";
import type { OptionRules } from "../../options/option_rule.ts";
import * as rule from "../../options/rules.ts";
import { suggestFor } from "./suggest.ts";

/** Accessions up to which the sequence operation is used: its answer is one JSON text, held whole. */
export const MAX_SEQUENCE_REQUEST = 100;

/**
 * Bases of all sequences of a result at most, by default, where no temporary folder may be made: they are in memory.
 */
export const MAX_SEQUENCE_LETTERS = 1_000_000_000;

/** Options of `Registry.sequences`. */
export interface SequencesOptions {
  /** Exact public field names to add to each sequence; none by default. */
  readonly fields?: readonly string[];
  /**
   * Bases of all sequences at most. By default any number: many of them are in a temporary folder. Where none may be
   * made the default is {@linkcode MAX_SEQUENCE_LETTERS}.
   */
  readonly maxBases?: number;
  /** @deprecated Write `maxBases`. */
  readonly maxLetters?: number;
  /** What becomes of status 404: `empty`, the default, or `error`. */
  readonly whenNothingMatches?: WhenNothingMatches;
  /** Receives the number of records so far. */
  readonly onProgress?: OnProgress;
  /** Ends the work with the signal's reason. */
  readonly signal?: AbortSignal;
}

export const SEQUENCES_OPTIONS = {
  fields: rule.texts,
  maxBases: rule.number({ above: 0, to: Infinity }),
  maxLetters: rule.number({ above: 0, to: Infinity }),
  whenNothingMatches: WHEN_NOTHING_MATCHES,
  onProgress: rule.callback(),
  signal: rule.signal,
} satisfies OptionRules<SequencesOptions>;

/** How sequences are read: with a watch over the answers. */
interface SequencesSettings extends SequencesOptions {
  readonly watch: ReleaseWatch;
}

export async function getSequences(
  context: RegistryContext,
  records: Records,
  options: SequencesOptions,
): Promise<SequencesResult> {
  return await withinRelease((watch) => readSequencesOnce(context, records, { ...options, watch }));
}

async function readSequencesOnce(
  context: RegistryContext,
  records: Records,
  options: SequencesSettings,
): Promise<SequencesResult> {
  const scope = scopeOf(records);
  const fields = [...new Set(options.fields ?? [])].filter((field) => !isAccessionColumn(field, context.naming));
  const isSmall = "list" in scope && scope.list.accessions.length <= MAX_SEQUENCE_REQUEST && fields.length === 0;
  using store = new SequenceStore();
  const came = isSmall
    ? await byAccession(context, scope.list, store, options)
    : await byExport(context, { scope, fields, store }, options);
  const known = await context.definitions.find([...new Set([...came.fields, ...fields])], options.signal);
  const { naming } = context;
  const renames = renamesOf(came.fields, fields, { naming, known: known.definitions });
  const named = came.fields.map((field) => renames.get(field) ?? field);
  const measures = measuresBeside([naming.accessionField, ...named]);
  const measured = [naming.accessionField, ...named, ...measures.map(({ name }) => name)];
  const definitions = [...known.definitions, ...measures];
  const table = await store.table(measured, {
    definitions,
    naming,
    name: "the sequences",
    columns: measured,
    signal: options.signal,
  });
  const counted = extendLedger(came.ledger, [...warningsOf(table.ledger), ...known.entries]);
  const ledger = await suggestFor(context, scope, counted, options.signal);
  const [accessionColumn, sequenceColumn] = [naming.accessionField, measured[measured.length - 1]];
  const pageRows = pageRowsOf(store.meanBases);
  return new SequencesResult({
    table,
    ledger,
    provenance: came.provenance,
    definitions,
    naming,
    pageRows,
    entries: readPaged(
      table,
      (from, count) =>
        table.textRows([accessionColumn, sequenceColumn], count, from).map(([accession, sequence]) => ({
          accession: accession ?? "",
          sequence: sequence ?? "",
        })),
      pageRows,
    ),
    route: isSmall ? "sequence" : "export",
    fields: named,
  });
}

/** What one way or the other gave. */
interface Came {
  readonly fields: readonly string[];
  readonly ledger: Ledger;
  readonly provenance: Provenance;
}

async function byAccession(
  { client, place }: RegistryContext,
  list: AccessionList,
  store: SequenceStore,
  { maxLetters = Infinity, maxBases = maxLetters, watch, signal }: SequencesSettings,
): Promise<Came> {
  const log = new ProvenanceLog("sequences (by accession, /v2/sequence)", place);
  const answers: SequenceAnswer[] = [];
  const { accessions } = list;
  for await (
    const { answer } of askSequences(client, accessions, {
      most: MAX_SEQUENCE_REQUEST,
      watch,
      signal,
    })
  ) {
    log.add(answer.receipt);
    answers.push(answer);
  }
  const { records, ledger } = await readSequences(list, answers, signal);
  if (records.reduce((sum, { sequence }) => sum + sequence.length, 0) > maxBases) throw tooMany(maxBases);
  for (const record of records) store.add(record);
  const request = answers.length === 1 ? undefined : { ...summarizeList(accessions), requests: answers.length };
  const shown = hideInLedger(extendLedger(ledger, watch.entries()), (text) => client.hideCredentials(text));
  return { fields: [], ledger: shown, provenance: log.close(request) };
}

async function byExport(
  { client, naming, place }: RegistryContext,
  { scope, fields, store }: {
    readonly scope: ExportScope;
    readonly fields: readonly string[];
    readonly store: SequenceStore;
  },
  { maxLetters, maxBases = maxLetters, whenNothingMatches = "empty", watch, onProgress, signal }: SequencesSettings,
): Promise<Came> {
  const run = new ExportRun(client, {
    scope,
    information: "sequences",
    fileType: "fasta",
    // An empty list would mean every field.
    metadata: fields.length === 0 ? [naming.accessionField] : fields,
  }, {
    operation: "sequences (FASTA export, /v2/download)",
    place,
    readableOnly: true,
    watch,
    onProgress,
    signal,
  });
  const reader = readFasta(run.bytes(), { name: "the sequence export", signal });
  const asked = "list" in scope ? new Set(scope.list.accessions) : undefined;
  let bases = 0;
  let head: FastaHead | undefined;
  let columns: readonly number[] = [];
  for await (const record of reader) {
    if (head === undefined) {
      head = await reader.head();
      columns = valueColumns(head, naming);
    }
    bases += record.sequence.length;
    const most = maxBases ?? (store.isInMemory ? MAX_SEQUENCE_LETTERS : Infinity);
    if (bases > most) throw tooMany(most);
    const id = head.kind === "registry" ? record.id : idOf(record.id);
    if (asked !== undefined && !asked.has(id)) continue;
    store.add({ ...record, id, values: [id, ...columns.map((column) => record.values[column])] });
    if (store.isFull) await store.settle();
  }
  if (run.noResults !== undefined && whenNothingMatches === "error") throw run.noResults;
  const named = run.answered ? await reader.head() : undefined;
  return {
    fields: named === undefined ? fields : valueColumns(named, naming).map((column) => named.fields[column]),
    ledger: run.ledger(),
    provenance: run.provenance(),
  };
}

/** The values of a header that have a column: not the accession again, which a registry may write as a field, too. */
function valueColumns({ kind, fields }: FastaHead, naming: Naming): readonly number[] {
  if (kind === "plain") return [];
  return [...fields.keys()].filter((column) => column > 0 && !isAccessionColumn(fields[column], naming));
}

function tooMany(maxBases: number): RangeError {
  return new RangeError(
    `Cannot hold these sequences: received more than ${maxBases} bases (maxBases); raise the limit, stream them with ` +
      `readFasta() over client.download() or "seqreg download --information sequences --type fasta", or take an ` +
      `archive: dataset("full_dataset_sequence") and its lake()`,
  );
}

/** What is counted of each sequence, and the sequence, under names that no field has. */
function measuresBeside(fields: readonly string[]): FieldDefinition[] {
  const { length, gc, ambiguous, sequence } = computedNames(fields);
  const measure = (name: string, type: FieldDefinition["type"], description: string): FieldDefinition => ({
    name,
    alias: name,
    type,
    description,
    unit: "",
    example: "",
  });
  return [
    measure(length, "integer", "Bases of the sequence"),
    measure(gc, "float", "Share of G and C among A, C, G, T and U"),
    measure(ambiguous, "integer", "Bases other than A, C, G, T and U"),
    measure(sequence, "string", "The bases"),
  ];
}
