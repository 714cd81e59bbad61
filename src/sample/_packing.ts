/** The rows of a packed set, and what their fields are. */
import type { CsvTable } from "../io/csv/csv_table.ts";
import { fieldAlias } from "../contract/field_alias.ts";
import type { FieldDefinition } from "../contract/metadata.ts";
import type { Naming } from "../contract/naming.ts";
import { clusterName, type Clusters } from "./_clusters.ts";
import { accessionColumn, publicNames } from "./_column_names.ts";
import { defineAccession, defineField, type FieldName } from "./_fields.ts";
import type { JoinResult } from "./_join.ts";
import { BaseCounts } from "./_base_counts.ts";
import { defineColumn, freeAlias } from "./_observe.ts";

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
  readonly #table: CsvTable;
  /** Columns of the table that are kept, by their index. */
  readonly #kept: readonly number[];
  readonly #found: readonly FieldName[];
  readonly #accessionColumn: number;
  readonly #keepsSubmitted: boolean;
  readonly #counts = new BaseCounts();
  readonly #stated: number;
  #otherLengths = 0;
  #replaced = 0;

  constructor(table: CsvTable, { joined }: JoinResult, naming: Naming) {
    this.joined = joined;
    this.#table = table;
    this.#accessionColumn = accessionColumn(table.columns, naming);
    const kept = [...table.columns.keys()].filter((column) => column !== this.#accessionColumn);
    this.#kept = kept;
    const names = publicNames(kept.map((column) => table.columns[column]));
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
    const define = (name: string, column: number) =>
      defineColumn(name, table.columns[column], joined.map(({ row }) => table.rows[row][column]), aliases);
    this.fields = [
      accession,
      ...names.map((name, index) => define(name, kept[index])),
      ...this.#keepsSubmitted ? [define(SUBMITTED_ACCESSION, this.#accessionColumn)] : [],
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
      for (const column of this.#kept) values.push(cells[column]);
      if (this.#keepsSubmitted) values.push(this.#submitted(row));
      for (const name of this.#found) values.push(this.#find(name, record, clusters));
      if (this.#stated !== -1) this.#judgeLength(cells[this.#kept[this.#stated]], record);
      yield values;
    }
  }

  /** What is odd, though nothing is absent. */
  warnings(): string[] {
    const warnings: string[] = [];
    if (this.#otherLengths > 0) {
      warnings.push(`${this.#otherLengths} of ${this.joined.length} rows state another length than their sequence has`);
    }
    if (this.#replaced > 0) {
      const where = this.#keepsSubmitted ? `, and kept in the field ${SUBMITTED_ACCESSION}` : "";
      warnings.push(`${this.#replaced} values in the column of accessions were no valid accession${where}`);
    }
    return warnings;
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
