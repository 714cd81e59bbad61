/** The rows of a packed set, and what their fields are. */
import type { TextTable } from "@seqreg/core/io/csv";
import type { DateOrder } from "@seqreg/core/contract/values";
import { fieldAlias } from "@seqreg/core/contract/field_alias";
import type { FieldDefinition, Naming } from "@seqreg/core/contract";
import { clusterName, type Clusters } from "../clusters.ts";
import { accessionColumn } from "./_column_names.ts";
import { type KnownColumn, publicFields } from "@seqreg/core/contract/fields/column_names";
import { defineAccession, defineField, type FieldName } from "@seqreg/core/contract/fields/public_fields";
import type { JoinResult } from "./_join.ts";
import { BaseCounts } from "../base_counts.ts";
import { defineColumn, type DefinedColumn, freeAlias } from "./_columns.ts";
import { type LedgerEntry, noteEntry } from "@seqreg/core/contract/ledger_entries";

/** The field that keeps what stood in the column of accessions where an accession had to be assigned. */
const SUBMITTED_ACCESSION = "Submitted Accession";

/** Fields that are found out of the sequences where the table does not have them. */
const FOUND: readonly FieldName[] = [
  "Sequence Length",
  "GC Content",
  "Ambiguous Bases",
  "Cluster",
  "Cluster Size",
  "Cluster Representative",
];

/** Rows of a packed set, for one writing. */
export class Packing {
  readonly fields: readonly FieldDefinition[];
  readonly columns: ReadonlyMap<string, string>;
  readonly joined: JoinResult["joined"];
  readonly #table: TextTable;
  /** Columns of the table that are kept, by their index. */
  readonly #kept: readonly number[];
  readonly #found: readonly FieldName[];
  /** Fields of the kept columns, then of the column of accessions if it is kept. */
  readonly #columns: readonly DefinedColumn[];
  readonly #dates: DateOrder | undefined;
  readonly #accessionColumn: number;
  readonly #keepsSubmitted: boolean;
  readonly #counts = new BaseCounts();
  readonly #stated: number;
  #otherLengths = 0;
  #replaced = 0;

  constructor(
    table: TextTable,
    { joined }: Pick<JoinResult, "joined">,
    { types, naming, dates }: {
      /** Type and unit of each column of the table. */
      readonly types: readonly KnownColumn[];
      readonly naming: Naming;
      readonly dates?: DateOrder;
    },
  ) {
    this.joined = joined;
    this.#dates = dates;
    this.#table = table;
    this.#accessionColumn = accessionColumn(table.columns, naming);
    const kept = [...table.columns.keys()].filter((column) => column !== this.#accessionColumn);
    this.#kept = kept;
    const names = publicFields(kept.map((column) => table.columns[column]));
    this.#stated = names.indexOf("Sequence Length");
    this.#found = FOUND.filter((name) => !names.includes(name));
    for (const { row, accession } of joined) {
      const given = this.#submitted(row);
      if (given !== "" && given !== accession) this.#replaced++;
    }
    this.#keepsSubmitted = this.#replaced > 0 && !names.includes(SUBMITTED_ACCESSION);
    this.columns = new Map([
      ...this.#accessionColumn === -1 ? [] : [[table.columns[this.#accessionColumn], naming.accessionField] as const],
      ...names.map((name, index) => [table.columns[kept[index]], name] as const),
    ]);
    const accession = defineAccession(naming);
    const aliases = new Set([accession.alias]);
    const define = (name: string, column: number) => {
      const values = joined.map(({ row }) => table.rows[row][column]);
      return defineColumn({ name, column: table.columns[column], values, found: types[column] }, { aliases, dates });
    };
    this.#columns = [
      ...names.map((name, index) => define(name, kept[index])),
      ...this.#keepsSubmitted ? [define(SUBMITTED_ACCESSION, this.#accessionColumn)] : [],
    ];
    this.fields = [
      accession,
      ...this.#columns.map(({ definition }) => definition),
      ...this.#found.map((name) => ({ ...defineField(name), alias: freeAlias(fieldAlias(name), aliases) })),
    ];
  }

  /** Counts the bases of the next record. */
  addSequence(sequence: Uint8Array): void {
    this.#counts.add(sequence);
  }

  /** Returns the rows, in the order of the FASTA. */
  *rows(clusters: Clusters): Generator<string[]> {
    for (const [record, { row, accession }] of this.joined.entries()) {
      const cells = this.#table.rows[row];
      const values = [accession];
      for (const [index, column] of this.#kept.entries()) values.push(this.#columns[index].write(cells[column]));
      if (this.#keepsSubmitted) values.push(this.#submitted(row));
      for (const name of this.#found) values.push(this.#find(name, record, clusters));
      if (this.#stated !== -1) this.#judgeLength(cells[this.#kept[this.#stated]], record);
      yield values;
    }
  }

  /** What is odd, though nothing is absent. */
  entries(): LedgerEntry[] {
    const entries = this.#columns.flatMap((column) => column.entries);
    if (this.#dates !== undefined && this.#columns.every(({ rewritten }) => rewritten === 0)) {
      const text = `reading dates ${this.#dates} changed nothing: no date is written as 08/04/2016 is`;
      entries.push(noteEntry("dates-order-unused", text));
    }
    if (this.#otherLengths > 0) {
      const count = this.#otherLengths;
      const text = `${count} of ${this.joined.length} rows state another length than their sequence has`;
      entries.push(noteEntry("lengths-differ", text, { count }));
    }
    if (this.#replaced > 0) {
      const where = this.#keepsSubmitted ? `, and kept in the field ${SUBMITTED_ACCESSION}` : "";
      const count = this.#replaced;
      const text = `${count} values in the column of accessions were no valid accession${where}`;
      entries.push(noteEntry("accessions-replaced", text, { count }));
    }
    return entries;
  }

  #submitted(row: number): string {
    return this.#accessionColumn === -1 ? "" : this.#table.rows[row][this.#accessionColumn];
  }

  #find(name: FieldName, record: number, clusters: Clusters): string {
    const cluster = clusters.clusterOf(record);
    switch (name) {
      case "Sequence Length":
        return String(this.#counts.lengthOf(record));
      case "GC Content":
        return this.#counts.gcPercentOf(record);
      case "Ambiguous Bases":
        return String(this.#counts.ambiguousOf(record));
      case "Cluster":
        return clusterName(cluster);
      case "Cluster Size":
        return String(clusters.sizeOf(cluster));
      default:
        return this.joined[clusters.representativeOf(cluster)].accession;
    }
  }

  #judgeLength(stated: string, record: number): void {
    if (/^[0-9]+$/.test(stated) && Number(stated) !== this.#counts.lengthOf(record)) this.#otherLengths++;
  }
}
