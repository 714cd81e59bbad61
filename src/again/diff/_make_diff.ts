/** The result of a comparison: sums, reasons, and what it keeps open. */
import { countOf } from "@seqreg/core/contract/count_of";
import { listSome } from "@seqreg/core/contract/ledger";
import { describeUnread } from "@seqreg/core/io/csv/unread_rows";
import { type LedgerEntry, noteEntry, prefixEntries } from "@seqreg/core/contract/ledger_entries";
import { DISPLAY, textView } from "@seqreg/core/io/display";
import type { ScratchSql } from "@seqreg/core/engine/local/scratch_sql";
import type { ScratchFolder } from "@seqreg/core/io/files/scratch_folder";
import type { ComparedTable } from "./_compare_tables.ts";
import { alikeEntries } from "../columns.ts";
import type { Side } from "../open_side.ts";
import { isEqualTable } from "./equal_table.ts";
import { diffToText } from "./text.ts";
import type { RecordFile } from "./_record_file.ts";
import type { Diff, DiffCounts, DiffSource, TableDiff } from "./diff_result.ts";

/** What a comparison is made of. */
export interface DiffParts {
  readonly folder: ScratchFolder;
  readonly sql: ScratchSql;
  /** The table that was compared last, as daff's rows. */
  readonly last: Pick<ComparedTable, "daffRows">;
  readonly places: readonly [string, string];
  readonly sides: readonly [Side, Side];
  readonly tables: readonly TableDiff[];
  readonly unpaired: Diff["unpaired"];
  readonly records: RecordFile;
  readonly asOf?: string;
  readonly signal?: AbortSignal;
}

/** Makes the result of a comparison. */
export function makeDiff(
  { folder, sql, last, places, sides, tables, unpaired, records, asOf, signal }: DiffParts,
): Diff {
  let isClosed = false;
  const demandOpen = () => {
    if (isClosed) throw new TypeError("Cannot read the comparison: it was closed; make it again");
  };
  const entries = entriesOf(tables, sides, asOf);
  const differs = unpaired.old.length + unpaired.new.length > 0 || !tables.every(isEqualTable);
  return {
    places,
    differs,
    isEqual: !differs && entries.every(({ level }) => level !== "reason"),
    counts: sumOf(tables),
    tables,
    unpaired,
    entries,
    sources: sides.flatMap((side, index) =>
      side.tables.map(({ name, bytes, sha256 }): DiffSource => ({
        version: index === 0 ? "old" : "new",
        table: name,
        bytes,
        ...sha256 !== undefined && { sha256 },
      }))
    ),
    records() {
      demandOpen();
      return records.read(signal);
    },
    daffRows() {
      demandOpen();
      refuseDaff(tables, sides);
      return last.daffRows();
    },
    async [DISPLAY]() {
      const lines = await Array.fromAsync(diffToText(this));
      return textView([...lines, ...entries.map(({ text }) => `! ${text}\n`)].join("").trimEnd());
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      await sql[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** daff patches one table of texts, in which each record can be distinguished. */
function refuseDaff([table, ...others]: readonly TableDiff[], sides: readonly Side[]): void {
  const why = others.length > 0
    ? "several tables were compared; name one archive or table of each version"
    : sides.some(({ tables }) => tables.some(({ isTyped }) => isTyped))
    ? "a version is a lake or Parquet, and daff patches CSV; name archives, CSV or TSV files"
    : table.duplicates + table.keyless > 0 || table.key === undefined
    ? "not every row has a key of its own; name another key"
    : undefined;
  if (why !== undefined) throw new TypeError(`Cannot write the comparison in daff's format: ${why}`);
}

function sumOf(tables: readonly TableDiff[]): DiffCounts {
  const sum = (count: (table: TableDiff) => number) => tables.reduce((total, table) => total + count(table), 0);
  return {
    old: sum((table) => table.old),
    new: sum((table) => table.new),
    added: sum(({ added }) => added),
    removed: sum(({ removed }) => removed),
    changed: sum(({ changed }) => changed),
    unchanged: sum(({ unchanged }) => unchanged),
    duplicate: tables.length === 1
      ? tables[0].duplicate
      : [...new Set(tables.flatMap(({ duplicate }) => duplicate))].sort().slice(0, 10_000),
    duplicates: sum(({ duplicates }) => duplicates),
    notCompared: sum(({ notCompared }) => notCompared),
    keyless: sum(({ keyless }) => keyless),
  };
}

function entriesOf(tables: readonly TableDiff[], sides: readonly Side[], asOf: string | undefined): LedgerEntry[] {
  const entries = tables.flatMap(({ table, notCompared, differing, keyless, oldKeyless, duplicates, duplicate }) => {
    const isDiffering = new Set(differing);
    return [
      ...notCompared === 0 ? [] : [noteEntry(
        "keys-repeated",
        `${table}: ${countOf(notCompared, "key")} in several rows that differ between the versions: not compared ` +
          `(${listSome(differing, 5, notCompared)})`,
        { count: notCompared, ids: differing },
      )],
      ...duplicates === notCompared ? [] : [noteEntry(
        "duplicates",
        `${table}: ${countOf(duplicates - notCompared, "key")} in several rows, equal in both versions`,
        { count: duplicates - notCompared, ids: duplicate.filter((key) => !isDiffering.has(key)) },
      )],
      ...keyless === 0 ? [] : [noteEntry(
        "keys-absent",
        `${table}: ${countOf(keyless, "row")} without a key, ${oldKeyless} of the old version and ` +
          `${keyless - oldKeyless} of the new: not compared`,
        { count: keyless },
      )],
    ];
  });
  for (const { place, tables } of sides) {
    for (const table of tables) {
      const where = tables.length > 1 ? `${place}, ${table.name}` : place;
      entries.push(...prefixEntries([...table.entries ?? [], ...alikeEntries(table)], where));
    }
    for (const { name, unparsed, problems } of tables.filter(({ unparsed }) => unparsed > 0)) {
      const text = `${place}, ${name}: ${describeUnread(unparsed, problems)}`;
      entries.push(noteEntry("unreadable", text, { count: unparsed }));
    }
  }
  const whole = asOf === undefined ? [] : tables.filter(({ leftOutBy }) => leftOutBy === undefined);
  if (whole.length > 0) {
    const names = whole.map(({ table }) => table);
    const text = `no release date in ${listSome(names, 8)}: records of any date were compared there`;
    entries.push(noteEntry("release-dates-absent", text, { ids: names }));
  }
  return entries;
}
