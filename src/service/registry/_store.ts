/** Puts the finder and the records together behind the seam. */
import { isAccession } from "../../contract/accession.ts";
import type { FieldLookup } from "../store/fields.ts";
import type { Finder, RowRange } from "../index/mod.ts";
import type { ImportManifest } from "../import/import_manifest.ts";
import type { ImportUse } from "../import/import_use.ts";
import type { RecordsReader } from "../records/records.ts";
import { allOf, type QueryNode } from "../query/query_ast.ts";
import { readFilters } from "../query/query_filter.ts";
import { parseQuery } from "../query/query_parser.ts";
import { Turns } from "../schedule/turns.ts";
import {
  type Criteria,
  CriteriaError,
  type PageRequest,
  type RegistryStore,
  type StoredArchive,
  type StoredRecord,
} from "../store/store.ts";

/** Records that are fetched at once: small enough that others get their turn, large enough to pay for the call. */
const BATCH_RECORDS = 500;
/** Characters of sequences that a batch holds. */
const BATCH_LETTERS = 4_000_000;

/** What a store is made of. */
export interface StoreParts {
  readonly manifest: ImportManifest;
  readonly lookup: FieldLookup;
  readonly files: ReadonlyMap<string, StoredArchive>;
  readonly records: RecordsReader;
  readonly finder: Finder;
  readonly use: ImportUse;
}

/** Makes a store; it owns its parts and closes them. */
export function createStore({ manifest, lookup, files, records, finder, use }: StoreParts): RegistryStore {
  const { fields, definitionsDerived, recordCount, warnings } = manifest;
  let closed = false;

  const refuseClosed = (): void => {
    if (closed) throw new TypeError("Cannot read records: the registry's store is closed");
  };
  const read = ({ query, filter }: Criteria): QueryNode => {
    refuseClosed();
    return allOf([parseQuery(query, lookup), readFilters(filter, lookup)]);
  };
  const sortOf = (sort: PageRequest["sort"]): RowRange["sort"] => {
    if (sort === undefined) return undefined;
    const field = lookup.find(sort.field);
    if (field === undefined) throw new CriteriaError(lookup.describeUnknown(sort.field), ["sortColumn"]);
    return { field, order: sort.order };
  };
  const rowBatches = async function* (criteria: Criteria, signal: AbortSignal | undefined): AsyncGenerator<number[]> {
    const node = read(criteria);
    if (node.kind === "all") {
      for (let start = 0; start < recordCount; start += BATCH_RECORDS) {
        yield Array.from({ length: Math.min(BATCH_RECORDS, recordCount - start) }, (_, at) => start + at);
      }
      return;
    }
    for await (const rows of finder.rows(node, signal)) {
      for (let start = 0; start < rows.length; start += BATCH_RECORDS) {
        yield [...rows.subarray(start, start + BATCH_RECORDS)];
      }
    }
  };
  const selectedBatches = function* (accessions: readonly string[]): Generator<number[]> {
    const names = [...new Set(accessions)].filter(isAccession);
    for (let start = 0; start < names.length; start += BATCH_RECORDS) {
      refuseClosed();
      yield records.rowsOf(names.slice(start, start + BATCH_RECORDS));
    }
  };
  const fetched = async function* <T>(
    batches: AsyncIterable<number[]> | Iterable<number[]>,
    fetch: (rows: number[]) => Iterator<readonly T[], void>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<readonly T[]> {
    const turns = new Turns(signal);
    for await (const rows of batches) {
      const fetching = fetch(rows);
      for (;;) {
        // Files are read at once, which keeps the thread: others are served between batches.
        if (turns.over) await turns.next();
        signal?.throwIfAborted();
        refuseClosed();
        const { done, value } = fetching.next();
        if (done) break;
        if (value.length > 0) yield value;
      }
    }
  };
  const plain = function* (rows: number[]): Generator<readonly StoredRecord[]> {
    yield records.records(rows);
  };
  const sequences = (rows: number[]) => records.withSequences(rows, BATCH_LETTERS);

  return {
    fields,
    definitionsDerived,
    recordCount,
    warnings,
    files,
    async search(criteria, page, signal) {
      const node = read(criteria);
      const range = { offset: page.offset, limit: page.limit, sort: sortOf(page.sort) };
      const [summary, found] = await Promise.all([
        finder.summarise(node, signal),
        finder.page(node, range, signal),
      ]);
      const turns = new Turns(signal);
      const fetchedRecords: StoredRecord[] = [];
      for (let start = 0; start < found.rows.length; start += BATCH_RECORDS) {
        if (turns.over) await turns.next();
        refuseClosed();
        fetchedRecords.push(...records.records(found.rows.slice(start, start + BATCH_RECORDS)));
      }
      refuseClosed();
      return { ...summary, records: fetchedRecords, scores: found.scores };
    },
    matching: (criteria, signal) => fetched(rowBatches(criteria, signal), plain, signal),
    matchingSequences: (criteria, signal) => fetched(rowBatches(criteria, signal), sequences, signal),
    selected: (accessions, signal) => fetched(selectedBatches(accessions), plain, signal),
    selectedSequences: (accessions, signal) => fetched(selectedBatches(accessions), sequences, signal),
    async [Symbol.asyncDispose]() {
      if (closed) return;
      closed = true;
      await finder[Symbol.asyncDispose]();
      records[Symbol.dispose]();
      use[Symbol.dispose]();
    },
  };
}
