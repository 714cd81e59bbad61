/** Isolates as rows, in a program and in a file. */
import type { ScratchSql } from "@seqreg/core/engine/local/scratch_sql";
import { tsvRow } from "@seqreg/core/io/csv/csv_text";
import { bytesOfLines } from "./_result_folder.ts";

/** A record of an isolate. */
export interface IsolateRecord {
  /** Its accession; empty if it has none. */
  readonly accession: string;
  /** Its segment; null if it names none, or if the name is ambiguous. */
  readonly segment: string | null;
}

/** An isolate: all records of one species that name it. */
export interface IsolateRow {
  /** Name of the species. */
  readonly species: string;
  /** Name of the isolate. */
  readonly isolate: string;
  /** Number of its records. */
  readonly records: number;
  /** Its segments, in the order of the species' segments. */
  readonly segments: readonly string[];
  /** Segments of the species that it lacks. */
  readonly missing: readonly string[];
  /** Whether it has all segments of its species; null if no record of the species names a segment. */
  readonly complete: boolean | null;
  /** Origin of the list of segments: `table` or `observed`; null if no record names one. */
  readonly source: string | null;
  /** Segments that it has more than one record of. */
  readonly duplicate: readonly string[];
  /** Roles of fields on which its records disagree: `country`, `host`, `collectionDate`. */
  readonly conflicting: readonly string[];
  /** Texts of its records that cannot be assigned to one segment of the species. */
  readonly ambiguous: readonly string[];
  /** Its records, by segment. */
  readonly accessions: readonly IsolateRecord[];
}

/** Columns of the table `isolates`, and whether each is a list. */
const COLUMNS = {
  species: false,
  isolate: false,
  records: false,
  segments: true,
  missing: true,
  complete: false,
  source: false,
  duplicate: true,
  conflicting: true,
  ambiguous: true,
} as const;
const NAMES = Object.keys(COLUMNS);

/** Yields the isolates in order. */
export async function* isolateRows(sql: ScratchSql): AsyncGenerator<IsolateRow> {
  for await (const batch of sql.stream(`SELECT ${NAMES.join(", ")}, accession, segment FROM isolates`)) {
    const columns = [...NAMES, "accession", "segment"].map((_, at) => batch.column(at));
    for (let row = 0; row < batch.rows; row++) {
      const value = (name: keyof typeof COLUMNS) => columns[NAMES.indexOf(name)][row];
      const texts = (name: keyof typeof COLUMNS) => itemsOf(value(name)).map(String);
      const [accessions, segments] = [columns.at(-2)!, columns.at(-1)!].map((column) => itemsOf(column[row]));
      const [complete, source] = [value("complete"), value("source")];
      yield {
        species: String(value("species")),
        isolate: String(value("isolate")),
        records: Number(value("records")),
        segments: texts("segments"),
        missing: texts("missing"),
        complete: typeof complete === "boolean" ? complete : null,
        source: source === null ? null : String(source),
        duplicate: texts("duplicate"),
        conflicting: texts("conflicting"),
        ambiguous: texts("ambiguous"),
        accessions: accessions.map((accession, at) => ({
          accession: String(accession),
          segment: segments[at] === null ? null : String(segments[at]),
        })),
      };
    }
  }
}

function itemsOf(value: unknown): readonly unknown[] {
  return typeof value === "object" && value !== null && "items" in value && Array.isArray(value.items)
    ? value.items
    : [];
}

export async function* isolateTsv(sql: ScratchSql): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const cells = Object.entries(COLUMNS).map(([name, isOfTexts]) =>
    isOfTexts
      ? `CASE WHEN len(${name}) = 0 THEN '' ELSE tsv_cell(array_to_string(${name}, ';')) END`
      : name === "species" || name === "isolate"
      ? `tsv_cell(${name})`
      : `${name}::VARCHAR`
  );
  const accessions = "CASE WHEN records = 1 THEN concat(segment[1] || '=', accession[1]) ELSE array_to_string(" +
    "list_transform(accession, lambda one, position: concat(segment[position] || '=', one)), ';') END";
  const query = `SELECT ${cells.join(", ")}, tsv_cell(${accessions}) FROM isolates`;
  yield* bytesOfLines(sql, { header: tsvRow([...NAMES, "accessions"]), queries: [query] });
}
