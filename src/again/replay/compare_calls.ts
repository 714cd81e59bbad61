/** Answers of calls then and now: the same, or what differs record by record. */
import type { Naming } from "@seqreg/core/contract";
import { isRecord } from "@seqreg/core/options/is_record";
import { messageOf, ParseError } from "@seqreg/core/errors";
import { createScratchFolder } from "@seqreg/core/io/files/scratch_folder";
import { fieldAlias } from "@seqreg/core/contract/field_alias";
import { canonicalJson, type LockBodies, type LockedCall, type LockedCalls } from "@seqreg/core/registry/lock";
import { diffLakes } from "../diff/diff.ts";
import type { DiffCounts } from "../diff/diff_result.ts";
import type { RecordChange } from "../diff/record_change.ts";
import { type AnswerTable, writeAnswerTable, writeEmptyTable } from "./answer_table.ts";

/** Records of one answer that are listed at most; all are counted. */
const MOST_CHANGES = 10_000;

/** A call then and now. */
export interface CallComparison {
  /** SHA-256 of what was asked. */
  readonly key: string;
  /** Operation. */
  readonly operation: string;
  /** The request as the lock has it. */
  readonly request: unknown;
  /**
   * `same`; `differs`; `new` if the lock does not hold the call, as where its request depends on an answer that
   * differs.
   */
  readonly outcome: "same" | "differs" | "new";
  /** Digest of the locked call whose request is the same but for its lists, if that is what was compared. */
  readonly comparedWith?: string;
  /** HTTP status then and now, if it differs. */
  readonly status?: readonly [old: number, new: number];
  /**
   * What differs in addition to the records, such as `total`: JSON then and now by name. `fields` are those that only
   * one of the answers has.
   */
  readonly values?: Readonly<Record<string, readonly [old: string | null, new: string | null]>>;
  /** Records by what happened to them, if the answer differs and its records are recognised. */
  readonly counts?: Pick<DiffCounts, "old" | "new" | "added" | "removed" | "changed" | "unchanged">;
  /** The first 10,000 records that differ. */
  readonly changes?: readonly RecordChange[];
  /** Why records are not compared. */
  readonly reason?: string;
}

/** What answers are read by. */
export interface CompareCallsOptions {
  /** Answers by their digest. */
  readonly bodies: LockBodies;
  /** What the deployment calls things. */
  readonly naming: Naming;
  /** Ends the work with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Compares calls with those of a lock.
 *
 * @param asked The calls that were made, in order.
 */
export async function compareCalls(
  locked: LockedCalls,
  asked: LockedCalls,
  options: CompareCallsOptions,
): Promise<CallComparison[]> {
  const byForm = (calls: readonly [string, LockedCall][]) => Map.groupBy(calls, ([, call]) => formOf(call));
  const unasked = byForm([...locked].filter(([key]) => !asked.has(key)));
  const fresh = byForm([...asked].filter(([key]) => !locked.has(key)));
  const comparisons: CallComparison[] = [];
  for (const [key, call] of asked) {
    options.signal?.throwIfAborted();
    const { operation, request } = call;
    const before = locked.get(key);
    const form = before === undefined ? formOf(call) : undefined;
    const alike = form !== undefined && fresh.get(form)?.length === 1 ? unasked.get(form) ?? [] : [];
    if (before !== undefined) {
      comparisons.push({ key, operation, request, ...await compareAnswers([before, call], options) });
    } else if (alike.length === 1) {
      const [[comparedWith, other]] = alike;
      const compared = await compareAnswers([other, call], options);
      comparisons.push({ key, operation, request, ...compared, outcome: "differs", comparedWith });
    } else comparisons.push({ key, operation, request, outcome: "new" });
  }
  return comparisons;
}

/** What a call asks, but for the items of its lists, which earlier answers determine. */
function formOf({ accept, operation, registry, request }: LockedCall): string {
  return canonicalJson({ accept, operation, registry, request: withoutLists(request) });
}

function withoutLists(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  if (!isRecord(value)) return value;
  if ("items" in value && "sha256" in value) return [];
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutLists(each)]));
}

type Pair = readonly [before: LockedCall, now: LockedCall];
type Compared = Omit<CallComparison, "key" | "operation" | "request" | "comparedWith">;

export async function compareAnswers([before, now]: Pair, options: CompareCallsOptions): Promise<Compared> {
  if (before.sha256 === now.sha256 && before.status === now.status) return compareFacts([before, now]);
  const status = before.status === now.status ? {} : { status: [before.status, now.status] as const };
  const isChecksum = before.archive !== undefined || now.archive !== undefined;
  if (isChecksum) {
    if (before.archive !== undefined && before.archive === now.archive) return { outcome: "same" };
    const values = { archive: [before.archive ?? null, now.archive ?? null] as const };
    return { outcome: "differs", ...status, values };
  }
  // Refusals may differ in their words; they contain no data.
  if (before.status >= 400 && before.status === now.status) return { outcome: "same" };
  using folder = await createScratchFolder("replay");
  let tables: readonly (AnswerTable | undefined)[];
  try {
    tables = await writeTables([before, now], folder.path, options);
  } catch (cause) {
    options.signal?.throwIfAborted();
    return { outcome: "differs", ...status, reason: messageOf(cause) };
  }
  const [old, fresh] = tables;
  if (old === undefined || fresh === undefined) {
    return {
      outcome: "differs",
      ...status,
      reason: `records of ${now.mediaType || "no media type"} are not recognised`,
    };
  }
  const names = [...new Set([...Object.keys(old.rest), ...Object.keys(fresh.rest)])].sort();
  const values = Object.fromEntries(
    names.filter((name) => before.status === now.status && old.rest[name] !== fresh.rest[name])
      .map((name) => [name, [old.rest[name] ?? null, fresh.rest[name] ?? null] as const]),
  );
  const isSameSet = before.set !== null && before.set === now.set && before.records === now.records;
  const isSame = isSameSet && before.status === now.status && Object.keys(values).length === 0;
  if (isSame) return { outcome: "same" };
  const all = { ...fieldsOf([old, fresh]), ...values };
  const found = { ...status, ...Object.keys(all).length > 0 && { values: all } };
  if (isSameSet) return { outcome: "differs", ...found };
  return { outcome: "differs", ...found, ...await compareTables([old, fresh], options) };
}

/** Fields that only one of the answers has: a comparison of records is one of the fields of both. */
function fieldsOf([old, fresh]: readonly [AnswerTable, AnswerTable]): CallComparison["values"] {
  const only = (some: AnswerTable, other: AnswerTable) =>
    canonicalJson(some.columns.filter((name) => !other.columns.includes(name)));
  const fields = [only(old, fresh), only(fresh, old)] as const;
  return fields[0] === fields[1] ? {} : { fields };
}

/** Of equal bytes of one media type a lock states equal facts, unless it was changed. */
function compareFacts([before, now]: Pair): Compared {
  const facts = (["archive", "bytes", "records", "set"] as const)
    .filter((name) => before[name] !== now[name] && before.mediaType === now.mediaType);
  if (facts.length === 0) return { outcome: "same" };
  return {
    outcome: "differs",
    values: Object.fromEntries(
      facts.map((name) => [name, [canonicalJson(before[name] ?? null), canonicalJson(now[name] ?? null)]]),
    ),
    reason: "the answer has the bytes that the lock names, and the lock states other facts of them: it was changed; " +
      "restore it from its repository, or use seqreg lock update",
  };
}

async function writeTables(pair: Pair, folder: string, { bodies, naming }: CompareCallsOptions) {
  const tables = await Promise.all(
    pair.map(async (call, index) =>
      call.status === 200
        ? await writeAnswerTable(call, { bodies, naming, path: `${folder}/${index === 0 ? "old" : "new"}` })
        : undefined
    ),
  );
  // A registry refuses a query without results, or answers with an empty object or list: a table without records.
  return await Promise.all(tables.map(async (table, index) => {
    const other = tables[1 - index];
    const isEmpty = table === undefined ? pair[index].status !== 200 : table.columns.length === 0;
    if (!isEmpty || other === undefined) return table;
    const empty = await writeEmptyTable(other.columns, `${folder}/${index === 0 ? "old" : "new"}`);
    return { ...empty, ...table && { rest: table.rest } };
  }));
}

async function compareTables(
  [before, now]: readonly [AnswerTable, AnswerTable],
  { naming, signal }: CompareCallsOptions,
): Promise<Pick<CallComparison, "counts" | "changes" | "reason">> {
  const alias = fieldAlias(naming.accessionAlias);
  const common = before.columns.filter((name) => now.columns.includes(name));
  const key = common.find((name) => fieldAlias(name) === alias) ?? common[0];
  if (key === undefined) return { reason: "the two answers have no field in common" };
  try {
    await using diff = await diffLakes(before.path, now.path, { key, naming, signal });
    const changes: RecordChange[] = [];
    for await (const change of diff.records()) {
      if (changes.push(change) === MOST_CHANGES) break;
    }
    const { old, new: fresh, added, removed, changed, unchanged } = diff.counts;
    const reason = diff.entries.map(({ text }) => text).join("; ");
    return {
      counts: { old, new: fresh, added, removed, changed, unchanged },
      changes,
      ...reason !== "" && { reason },
    };
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof ParseError || cause instanceof RangeError) return { reason: messageOf(cause) };
    throw cause;
  }
}
