/** Entries of a table's ledger: what its columns lack, and which values do not fit them. */
import { countOf } from "../../contract/count_of.ts";
import { listSome, quoteValue } from "../../contract/ledger.ts";
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";
import type { FieldType } from "../../contract/metadata.ts";

/** The reason of a table that lacks requested columns. */
export function noteAbsent(columns: readonly string[]): LedgerEntry {
  return noteEntry("fields-absent", `requested columns that did not arrive: ${listSome(columns, 20)}`, {
    ids: columns,
  });
}

/** The reason if fewer records came than were promised. */
export function noteFewer(promised: number | undefined, came: number): LedgerEntry[] {
  if (promised === undefined || came >= promised) return [];
  const text = `${countOf(promised, "record")} ${promised === 1 ? "was" : "were"} promised, ${came} came`;
  return [noteEntry("fewer-than-promised", text, { count: promised - came })];
}

/** The warning about values of a field that do not fit its type. */
export function noteInvalid(count: number, field: string, type: FieldType): LedgerEntry {
  const values = count === 1 ? "1 value does" : `${count} values do`;
  const fate = type === "date" ? "kept as text" : "empty in the frame, raw in the problems";
  return noteEntry("values-invalid", `${values} not fit ${field}, declared ${type}: ${fate}`, { count, field });
}

const VALUES_OF: Readonly<Record<FieldType, string>> = {
  string: "text",
  integer: "integers",
  float: "numbers",
  boolean: "booleans",
  date: "dates",
  list: "lists",
};

/**
 * The warning about a column whose name has a type that fewer than half of its values have.
 *
 * @param wanted The type of its name, and the first value that is not of it.
 */
export function noteUnfulfilled(
  field: string,
  type: FieldType,
  wanted: { readonly type: FieldType; readonly value: string },
): LedgerEntry {
  const text = `fewer than half of the values of ${JSON.stringify(field)} are ${VALUES_OF[wanted.type]}, ` +
    `${JSON.stringify(quoteValue(wanted.value))} is the first that is not: they are read as ${VALUES_OF[type]}`;
  return noteEntry("values-invalid", text, { field });
}

/** The warning if not all problems are listed. */
export function noteUnlisted(listed: number, count: number): LedgerEntry[] {
  if (listed >= count) return [];
  return [
    noteEntry("problems-not-listed", `only the first ${listed} of ${count} problems are listed`, {
      count: count - listed,
    }),
  ];
}

/** The warning about a column of integers that stays text. */
export function noteWideIntegers(field: string): LedgerEntry {
  const text = `${field} is declared integer and holds whole numbers beyond 64 bits: the column stays text`;
  return noteEntry("integers-too-wide", text, { field });
}
