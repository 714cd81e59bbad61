/** Accession lists of a `Registry`. */
import { readAccessions } from "../../tables/from/from_accessions.ts";
import { recordTable } from "../../tables/lake/open/record_table.ts";
import { RecordStore } from "../../tables/types/record_store.ts";
import { closing } from "../../io/bytes/closing.ts";
import type { OnProgress } from "../../io/tasks/progress.ts";
import type { RegistryContext } from "./context.ts";
import { ExportRun } from "../exports/export_run.ts";
import { askedOf, tableWarnings } from "./get_metadata.ts";
import { type Records, scopeOf, WHEN_NOTHING_MATCHES, type WhenNothingMatches } from "../exports/records.ts";
import { readPaged } from "../results/read_paged.ts";
import { RegistryResult, type ResultParts } from "../results/result.ts";
import type { OptionRules } from "../../options/option_rule.ts";
import * as rule from "../../options/rules.ts";
import { type ReleaseWatch, withinRelease } from "../plan/release_watch.ts";
import { suggestFor } from "./suggest.ts";

/** Options of `Registry.accessions`. */
export interface AccessionsOptions {
  /** Format of the export that is read; `tsv` by default. The result is the same. */
  readonly fileType?: "tsv" | "xml";
  /** @deprecated Write `fileType`. */
  readonly via?: "tsv" | "xml";
  /** What becomes of status 404: `empty`, the default, or `error`. */
  readonly whenNothingMatches?: WhenNothingMatches;
  /** Receives the number of records so far. */
  readonly onProgress?: OnProgress;
  /** Ends the work with the signal's reason. */
  readonly signal?: AbortSignal;
}

export const ACCESSIONS_OPTIONS = {
  fileType: rule.oneOf(["tsv", "xml"]),
  via: rule.oneOf(["tsv", "xml"]),
  whenNothingMatches: WHEN_NOTHING_MATCHES,
  onProgress: rule.callback(),
  signal: rule.signal,
} satisfies OptionRules<AccessionsOptions>;

/** Accessions that came from a registry: one row each, one column. */
export class AccessionsResult extends RegistryResult {
  /** The accessions, in the order they came; read a page at a time, as {@linkcode RegistryResult.rows} are. */
  readonly accessions: readonly string[];

  /** Results are made by a `Registry`. */
  constructor(parts: ResultParts & { readonly accessions: readonly string[] }) {
    super(parts);
    this.accessions = parts.accessions;
  }
}

export async function getAccessions(
  context: RegistryContext,
  records: Records,
  options: AccessionsOptions,
): Promise<AccessionsResult> {
  return await withinRelease((watch) => readAccessionList(context, records, { ...options, watch }));
}

async function readAccessionList(
  context: RegistryContext,
  records: Records,
  options: AccessionsOptions & { readonly watch: ReleaseWatch },
): Promise<AccessionsResult> {
  const { client, naming, place } = context;
  const { fileType = options.via ?? "tsv", whenNothingMatches = "empty", watch, onProgress, signal } = options;
  const scope = scopeOf(records);
  const run = new ExportRun(client, { scope, information: "registry_accessions", fileType }, {
    operation: "accessions",
    place,
    watch,
    onProgress,
    signal,
  });
  const bytes = run.bytes();
  const first = await bytes.next();
  if (run.noResults !== undefined && whenNothingMatches === "error") throw run.noResults;
  const chunks = closing(async function* () {
    if (!first.done) yield first.value;
    yield* bytes;
  }, () => bytes.return(undefined));
  const empty = new TextEncoder().encode(`${naming.accessionField}\n`);
  const asked = askedOf(scope);
  const field = naming.accessionField;
  // Accessions that were not requested are found in memory.
  using store = new RecordStore({ fields: [field], ...asked.asked && { spillCharacters: Infinity } });
  const shared = { naming, name: "the accession list", ...asked, signal };
  const found = await readAccessions(run.answered ? chunks : empty, store, {
    ...shared,
    format: run.answered ? fileType : "tsv",
  });
  const table = await recordTable(store, { hasHeader: true, ...found }, shared);
  const ledger = await suggestFor(context, scope, run.ledger({ entries: tableWarnings(table) }), signal);
  const accessions = readPaged(table, (from, count) => table.texts(field, count, from).map((text) => text ?? ""));
  return new AccessionsResult({ table, ledger, provenance: run.provenance(), accessions, naming });
}
