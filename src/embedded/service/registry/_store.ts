/** Puts the finder and the records together behind the seam. */
import { isAccession } from "@seqreg/core/contract/accession";
import { allOf, CriteriaError, type FieldLookup, parseQuery, type QueryNode, readFilters } from "@seqreg/core/query";
import type { Finder, RowRange } from "../index/mod.ts";
import type { ImportManifest } from "../import/import_manifest.ts";
import type { ImportUse } from "../import/import_use.ts";
import type { RecordsReader } from "../records/records.ts";
import { Turns } from "../schedule/turns.ts";
import type { Criteria, PageRequest, RegistryStore, StoredArchive, StoredRecord } from "../store/store.ts";
import { textsOf } from "@seqreg/core/contract/ledger_entries";

/** Records that are fetched at once: small enough that others get their turn, large enough to pay for the call. */
const BATCH_RECORDS = 500;
/**
 * Bytes of values, and of sequences, of a batch. For a slow reader an export holds its batch, the text of it and the
 * bytes of that text: with this they stay below 1 MB together, unless one record is larger.
 */
const BATCH_BYTES = 1 << 15;

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
  const { fields, definitionsDerived, recordCount, entries } = manifest;
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
    fetch: (rows: number[]) => Iterator<T[], void>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<T[]> {
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
  const plain = (rows: number[]) => records.batches(rows, BATCH_BYTES);
  const sequences = (rows: number[]) => records.withSequences(rows, BATCH_BYTES);
  const openPage: RegistryStore["openPage"] = async (criteria, page, signal) => {
    const node = read(criteria);
    const range = { offset: page.offset, limit: page.limit, sort: sortOf(page.sort) };
    const { rows, ...open } = await finder.find(node, range, signal);
    const runs = function* (): Generator<number[]> {
      for (let start = 0; start < rows.length; start += BATCH_RECORDS) {
        yield [...rows.slice(start, start + BATCH_RECORDS)];
      }
    };
    return { ...open, batches: fetched(runs(), plain, signal) };
  };

  return {
    fields,
    definitionsDerived,
    recordCount,
    entries,
    warnings: textsOf(entries, "warning"),
    files,
    openPage,
    async search(criteria, page, signal) {
      const { batches, ...open } = await openPage(criteria, page, signal);
      const records: StoredRecord[] = [];
      for await (const batch of batches) records.push(...batch);
      refuseClosed();
      return { ...open, records };
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
