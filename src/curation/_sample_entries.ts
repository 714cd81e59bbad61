/** What a sample's ledger says about its groups. */
import { countOf } from "@seqreg/core/contract/count_of";
import { listSome } from "@seqreg/core/contract/ledger";
import { type LedgerEntry, noteEntry } from "@seqreg/core/contract/ledger_entries";

/** Groups and records that a text names; the entry lists more. */
const NAMED = 5;

/** Groups that had too few records, that got none, and that have forced records. */
export function sampleEntries(
  groups: readonly { readonly name: string; readonly size: number; readonly forced: number }[],
  shares: readonly number[],
  { perGroup, total }: { readonly perGroup?: number; readonly total?: number },
): LedgerEntry[] {
  const names = (isMeant: (size: number, share: number, forced: number) => boolean) =>
    groups.flatMap(({ name, size, forced }, at) => isMeant(size, shares[at], forced) ? [name] : []);
  const drawn = shares.reduce((sum, share) => sum + share, 0);
  const most = shares.reduce((most, share) => Math.max(most, share), 0);
  // Of a total, a group that was drawn whole and got less than others had too few.
  const short = names((size, share) => share === size && size < (perGroup ?? (drawn < total! ? Infinity : most)));
  const none = names((size, share) => size > 0 && share === 0);
  const forced = names((_, __, forced) => forced > 0);
  const entry = (code: "groups-short" | "groups-not-drawn" | "records-forced", ids: readonly string[], text: string) =>
    ids.length === 0 ? [] : [noteEntry(code, `${text}: ${listSome(ids, NAMED)}`, { ids })];
  const fewer = total !== undefined && drawn < total ? `, and ${drawn} of ${total} records could be drawn` : "";
  return [
    ...entry("groups-short", short, `${countOf(short.length, "group")} had too few records and gave all${fewer}`),
    ...entry("groups-not-drawn", none, `${countOf(none.length, "group")} got no record`),
    ...entry(
      "records-forced",
      forced,
      `${countOf(forced.length, "group")} ${forced.length === 1 ? "has" : "have"} records that were drawn in any ` +
        "case: the weight is no inverse of a probability there",
    ),
  ];
}

/** Accessions that were not to be drawn, and that no record has: lists of them are made for several tables. */
export function absentExcluded(accessions: readonly string[], table: string): LedgerEntry[] {
  if (accessions.length === 0) return [];
  const text = `${countOf(accessions.length, "accession")} to be left out that no record of ${table} has: ${
    listSome(accessions, NAMED)
  }`;
  return [noteEntry("excluded-absent", text, { ids: accessions })];
}

/** Records of a sample without a sequence. `others` are ids of a source that has the sequence of no record. */
export function withoutSequence(
  accessions: readonly string[],
  source: string,
  others: readonly string[],
): LedgerEntry[] {
  if (accessions.length === 0) return [];
  const text = `${countOf(accessions.length, "record")} without a sequence in ${source}: ${
    listSome(accessions, NAMED)
  }${others.length === 0 ? "" : `; no id there is an accession of the table, the first is ${listSome(others, 1)}`}`;
  return [noteEntry("without-sequence", text, { ids: accessions })];
}
