/** The entries of a ledger: each reason and each warning as data, with a code from {@linkcode LEDGER_CODES}. */
import { countOf } from "./count_of.ts";
import { isLedgerCode, LEDGER_CODES, type LedgerCode, type LedgerLevel } from "./ledger_codes.ts";

/** One reason or one warning of a ledger. Programs decide by its code, people read its text. */
export interface LedgerEntry {
  /** What was found; see `LEDGER_CODES` for its meaning and for what to do. */
  readonly code: LedgerCode;
  /** A reason makes the result incomplete; a warning does not. */
  readonly level: LedgerLevel;
  /** How many records, values, fields or files are concerned; 1 for a finding about the whole. */
  readonly count: number;
  /** Names of the first of them, at most {@linkcode MAX_ENTRY_IDS}: accessions, ids, fields or file names. */
  readonly ids?: readonly string[];
  /** The one field concerned, if it is one. */
  readonly field?: string;
  /** The finding in words, for people; it may be reworded in any version. */
  readonly text: string;
}

/** Names that an entry lists at most. */
export const MAX_ENTRY_IDS = 100;

/** What an entry has in addition to its code and its text. */
export interface LedgerEntryFacts {
  /** See {@linkcode LedgerEntry.count}; the number of `ids` by default, or 1. */
  readonly count?: number;
  /** See {@linkcode LedgerEntry.ids}; the first are kept. */
  readonly ids?: readonly string[];
  readonly field?: string;
  /** The code's own level by default. */
  readonly level?: LedgerLevel;
}

export function noteEntry(code: LedgerCode, text: string, facts: LedgerEntryFacts = {}): LedgerEntry {
  const { ids, field, level = LEDGER_CODES[code].level } = facts;
  return {
    code,
    level,
    count: facts.count ?? ids?.length ?? 1,
    ...ids !== undefined && ids.length > 0 && { ids: ids.slice(0, MAX_ENTRY_IDS) },
    ...field !== undefined && { field },
    text,
  };
}

/** The entry of what is read part by part, as long as it was not read to its end. */
export function noteUnfinished(read: number): LedgerEntry {
  return noteEntry("unfinished", `not read to its end: ${countOf(read, "record")} so far`, { count: read });
}

/** The entries as warnings: of work that is complete without what their reasons report as absent. */
export function asWarnings(entries: readonly LedgerEntry[]): LedgerEntry[] {
  return entries.map((entry) => ({ ...entry, level: "warning" }));
}

/** The entries of one part of the work, such as a file, with its name before their texts: `a.fasta: …`. */
export function prefixEntries(entries: readonly LedgerEntry[], name: string): LedgerEntry[] {
  return entries.map((entry) => ({ ...entry, text: `${name}: ${entry.text}` }));
}

/** Texts of the entries of one level, in their order. */
export function textsOf(entries: readonly LedgerEntry[], level: LedgerLevel): string[] {
  return entries.filter((entry) => entry.level === level).map(({ text }) => text);
}

/** The entries with one of each code and text: the same warning about several parts of a result is given once. */
export function uniqueEntries(entries: readonly LedgerEntry[]): LedgerEntry[] {
  const seen = new Set<string>();
  return entries.filter(({ code, level, text }) => {
    const key = `${level} ${code} ${text}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** Remarks in a file: entries, which a newer version may have written, or only texts, which an older one wrote. */
export interface SavedRemarks {
  /** Entries as they were written; their codes may be unknown to this version. */
  readonly entries?: readonly SavedEntry[];
  readonly warnings?: readonly string[];
}

/** An entry as it was written by any version. */
export type SavedEntry = Omit<LedgerEntry, "code"> & { readonly code: string };

/**
 * The entries of a file that another version of the toolkit may have written: texts alone, and entries with an unknown
 * code, have the code `without-code`.
 */
export function savedEntries({ entries, warnings = [] }: SavedRemarks): LedgerEntry[] {
  if (entries === undefined) return warnings.map((text) => noteEntry("without-code", text));
  return entries.map(({ code, ...entry }) => ({ ...entry, code: isLedgerCode(code) ? code : "without-code" }));
}

export function areSavedEntries(value: unknown): value is readonly SavedEntry[] {
  return Array.isArray(value) && value.every(isSavedEntry);
}

function isSavedEntry(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { code, level, count, ids = [], field = "", text }: Partial<Record<keyof LedgerEntry, unknown>> = value;
  return typeof code === "string" && (level === "reason" || level === "warning") && typeof count === "number" &&
    Array.isArray(ids) && ids.every((id) => typeof id === "string") && typeof field === "string" &&
    typeof text === "string";
}
