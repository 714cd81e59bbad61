/**
 * The ledger: what was requested, promised and received, and why a result is or is not complete.
 *
 * Every result of the toolkit has one. `complete` is false if anything requested is missing or could not be read; the
 * entries of level `reason` then explain why. Anything else unusual is an entry of level `warning`. `reasons` and
 * `warnings` are the texts of the entries, for people; programs decide by the entries' codes.
 */
import type { LedgerCode } from "./ledger_codes.ts";
import { type LedgerEntry, noteEntry, textsOf, uniqueEntries } from "./ledger_entries.ts";

/** A fault of one value or record, which was kept or left out. One row of a problems frame. */
export interface Problem {
  /** Row of the data, counted from 1, without the header. */
  readonly row?: number;
  /** Line of the text, counted from 1. */
  readonly line?: number;
  /** Offset in bytes of the uncompressed text, counted from 0. */
  readonly byte?: number;
  /** Record at fault, such as its accession. */
  readonly id?: string;
  /** Field at fault. */
  readonly field?: string;
  /** The value as received, cut at 200 characters. */
  readonly value?: string;
  /** What is wrong, in words. */
  readonly reason: string;
  /** Whether the record or value was kept all the same. */
  readonly kept: boolean;
}

/** What was requested, promised and received. Counts are records unless the operation defines another unit. */
export interface Ledger {
  /** Records requested; `null` if the request has no number. */
  readonly asked: number | null;
  /** Records announced by the registry; `null` if it announced none. */
  readonly promised: number | null;
  /** Records received. */
  readonly received: number;
  /** Distinct records among them. */
  readonly unique: number;
  /** Records received more than once. */
  readonly duplicate: number;
  /** Identifiers that were requested and not received. */
  readonly missing: readonly string[];
  /** Identifiers that were received and not requested, if the request listed identifiers. */
  readonly unasked: readonly string[];
  /** Records or rows that were received and could not be read. */
  readonly unparsed: number;
  /** Whether a limit cut the result. */
  readonly truncated: boolean;
  /** Whether everything requested is present. */
  readonly complete: boolean;
  /** Every reason and every warning as data, reasons first; see `LEDGER_CODES`. */
  readonly entries: readonly LedgerEntry[];
  /** Why it is not complete, in words; empty when it is. */
  readonly reasons: readonly string[];
  /** What is unusual, in words, although nothing is missing. */
  readonly warnings: readonly string[];
}

/** Version of a ledger in a file, its member `ledger`; files without it are older and have no entries. */
export const LEDGER_VERSION = 2;

/** Where a result comes from. */
export interface Provenance {
  /** What was done, such as `search` or `fasta stats`. */
  readonly operation: string;
  /** Base address of the registry, the folder of an embedded one, or the built-in sample; `null` for work on a file. */
  readonly registry: string | null;
  /** Addresses on another origin that served the bytes, after redirects, without their query; absent otherwise. */
  readonly addresses?: readonly string[];
  /** The request as it was sent, or the parameters of the work. */
  readonly request: unknown;
  /** Bytes received, as sent on the wire. */
  readonly bytes: number;
  /** SHA-256 of those bytes in 64 lower-case hexadecimal digits; `null` if they are from several answers. */
  readonly sha256: string | null;
  /** Start, ISO 8601 in UTC. */
  readonly started: string;
  /** End, ISO 8601 in UTC. */
  readonly finished: string;
  /** Name and version of the toolkit. */
  readonly toolkit: string;
}

/** The counts that {@linkcode closeLedger} needs; the rest is derived. */
export interface LedgerCounts {
  readonly asked?: number | null;
  readonly promised?: number | null;
  readonly received: number;
  /** See {@linkcode Ledger.unique}; as many as received when absent. */
  readonly unique?: number;
  readonly missing?: readonly string[];
  readonly unasked?: readonly string[];
  readonly unparsed?: number;
  /** The reason for unparsed records, in words; `2 rows could not be read` by default. */
  readonly unparsedReason?: string;
  readonly truncated?: boolean;
  /** Reasons and warnings in addition to those derived from the counts. */
  readonly entries?: readonly LedgerEntry[];
}

/**
 * Closes a ledger: derives the rest from the counts.
 *
 * Missing and unrequested identifiers and unparsed rows each add a reason. A truncation needs a reason from the caller,
 * which knows the limit.
 *
 * @returns The ledger; `complete` if and only if it has no reasons.
 */
export function closeLedger(counts: LedgerCounts): Ledger {
  const { asked = null, promised = null, received, missing = [], unasked = [], unparsed = 0, truncated = false } =
    counts;
  const unique = counts.unique ?? received;
  refuseTexts(counts);
  const entries = [...counts.entries ?? []];
  if (missing.length > 0) {
    const of = asked === null ? "" : ` of ${asked}`;
    const are = missing.length === 1 ? "is" : "are";
    const text = `${missing.length}${of} asked for ${are} missing: ${listSome(missing, 20)}`;
    entries.push(noteEntry("missing", text, { ids: missing }));
  }
  if (unasked.length > 0) {
    const text = `${unasked.length} received but not asked for: ${listSome(unasked, 20)}`;
    entries.push(noteEntry("not-requested", text, { ids: unasked }));
  }
  if (unparsed > 0) {
    const text = counts.unparsedReason ?? `${unparsed} ${unparsed === 1 ? "row" : "rows"} could not be read`;
    entries.push(noteEntry("unreadable", text, { count: unparsed }));
  }
  if (truncated && !entries.some(isReason)) {
    entries.push(noteEntry("truncated", "the result was truncated by a limit"));
  }
  return withEntries({
    asked,
    promised,
    received,
    unique,
    duplicate: received - unique,
    missing: [...missing],
    unasked: [...unasked],
    unparsed,
    truncated,
  }, entries);
}

/** Texts without codes would leave an incomplete ledger complete, in a script whose types nothing checks. */
function refuseTexts(counts: LedgerCounts): void {
  const name = ["reasons", "warnings"].find((key) => key in counts);
  if (name === undefined) return;
  throw new TypeError(
    `Cannot close a ledger with ${name}: expected entries with a code each; write entries: [noteEntry(CODE, TEXT)]`,
  );
}

/**
 * A ledger with other entries: `complete`, `reasons` and `warnings` are derived from them.
 *
 * @param entries All entries that it has from now on.
 */
export function withEntries(
  counts: Omit<Ledger, "complete" | "entries" | "reasons" | "warnings">,
  entries: readonly LedgerEntry[],
): Ledger {
  const reasons = textsOf(entries, "reason");
  return {
    ...counts,
    complete: reasons.length === 0,
    entries: [...entries.filter(isReason), ...entries.filter((entry) => !isReason(entry))],
    reasons,
    warnings: textsOf(entries, "warning"),
  };
}

/** Adds entries to a ledger; a warning that it has already is not added again. */
export function extendLedger(ledger: Ledger, entries: readonly LedgerEntry[]): Ledger {
  const warnings = [...ledger.entries, ...entries].filter((entry) => !isReason(entry));
  return withEntries(ledger, [
    ...ledger.entries.filter(isReason),
    ...entries.filter(isReason),
    ...uniqueEntries(warnings),
  ]);
}

export function warningsOf({ entries }: Ledger): LedgerEntry[] {
  return entries.filter((entry) => !isReason(entry));
}

/** Codes of the entries that {@linkcode closeLedger} derives from counts. */
const DERIVED = ["missing", "not-requested", "unreadable"] as const satisfies readonly LedgerCode[];

/**
 * Joins the ledgers of several requests, such as of batches of accessions. Entries derived from counts are derived
 * again from the sums; equal warnings are given once.
 */
export function joinLedgers(
  ledgers: readonly Ledger[],
  extra: { readonly entries?: readonly LedgerEntry[] } = {},
): Ledger {
  const sum = (count: (ledger: Ledger) => number) => ledgers.reduce((total, ledger) => total + count(ledger), 0);
  const numbers = (count: (ledger: Ledger) => number | null) =>
    ledgers.some((ledger) => count(ledger) === null) ? null : sum((ledger) => count(ledger) ?? 0);
  const all = ledgers.flatMap(({ entries }) => entries);
  const unreadable = all.filter(({ code }) => code === "unreadable");
  const whole = extra.entries ?? [];
  const own = all.filter(({ code }) => !DERIVED.some((derived) => derived === code));
  return closeLedger({
    asked: numbers(({ asked }) => asked),
    promised: numbers(({ promised }) => promised),
    received: sum(({ received }) => received),
    unique: sum(({ unique }) => unique),
    missing: ledgers.flatMap(({ missing }) => missing),
    unasked: [...new Set(ledgers.flatMap(({ unasked }) => unasked))],
    unparsed: sum(({ unparsed }) => unparsed),
    ...unreadable.length > 0 && { unparsedReason: unreadable.map(({ text }) => text).join("; ") },
    truncated: ledgers.some(({ truncated }) => truncated),
    entries: [
      ...whole.filter(isReason),
      ...own.filter(isReason),
      ...uniqueEntries([...whole, ...own].filter((entry) => !isReason(entry))),
    ],
  });
}

function isReason({ level }: LedgerEntry): boolean {
  return level === "reason";
}

/** Joins names for a message, the first `most` of them: `a, b and 3 more`; `total` is how many there are of all. */
export function listSome(names: readonly string[], most: number, total = names.length): string {
  const shown = names.slice(0, most);
  return total > shown.length ? `${shown.join(", ")} and ${total - shown.length} more` : shown.join(", ");
}

/** Longest value that a problem quotes, in characters. */
const QUOTED_LETTERS = 200;

/** Cuts a value to what a problem or an error quotes. */
export function quoteValue(text: string): string {
  return text.length <= QUOTED_LETTERS ? text : text.slice(0, QUOTED_LETTERS);
}
