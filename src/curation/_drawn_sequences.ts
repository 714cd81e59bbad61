/** The sequences of a sample as FASTA. */
import { readFasta } from "@seqreg/core/fasta/records/read_fasta";
import { headerTemplate, parseHeaderTemplate } from "@seqreg/core/fasta/write/header_template";
import { type PlainFastaInput, writePlainFasta } from "@seqreg/core/fasta/write/write_fasta";
import { kindOfSide, type SideColumn } from "@seqreg/again/open_side";
import { recordQueries } from "./_record_lines.ts";
import { RecordTable } from "./_record_table.ts";

/**
 * Yields the sequences of some accessions as FASTA, in the order in which the source has them, and removes each that
 * was found from the headers. Of several with one accession the first is taken, and the accession is added to
 * `repeated`. If a FASTA has none of them, its first id is added to `others`.
 *
 * @param source Path of a FASTA, or of a lake.
 * @param options.headers The header of each record by its accession.
 */
export function drawnSequences(source: string, options: DrawnOptions): AsyncIterable<Uint8Array> {
  return writePlainFasta(drawnRecords(source, options));
}

interface DrawnOptions {
  readonly headers: Map<string, string>;
  readonly repeated: Set<string>;
  readonly others: Set<string>;
  /** The records of the sample, whose lake may be the source. */
  readonly sampled: RecordTable;
  readonly signal: AbortSignal | undefined;
}

async function* drawnRecords(
  source: string,
  { headers, repeated, others, sampled, signal }: DrawnOptions,
): AsyncGenerator<PlainFastaInput> {
  const options = signal === undefined ? {} : { signal };
  const written = new Set<string>();
  const found = (id: string, sequence: string) => {
    if (sequence === "") return [];
    if (written.has(id)) repeated.add(id);
    const header = headers.get(id);
    if (!headers.delete(id)) return [];
    written.add(id);
    return [{ header: header!, sequence }];
  };
  if (await kindOfSide(source) !== "lake") {
    let first: string | undefined;
    let isOther = true;
    for await (const { id, sequence } of readFasta(source, options)) {
      first ??= id;
      if (headers.has(id)) isOther = false;
      yield* found(id, sequence);
    }
    if (isOther && first !== undefined) others.add(first);
    return;
  }
  // The table that was chosen, and fields that were named, are those of this lake.
  const isOwn = source === sampled.side.place;
  await using other = isOwn ? undefined : await RecordTable.open(source, { ...options, purpose: "subsample" });
  const records = other ?? sampled;
  const rows = await records.sequences();
  if (rows === undefined || headers.size === 0) return;
  const chosen = isOwn ? "drawn" : "wanted";
  if (!isOwn) {
    await records.sql.run(`CREATE TABLE ${chosen} (accession VARCHAR)`);
    await records.sql.insert(chosen, [[...headers.keys()]]);
  }
  const placed = `SELECT *, row_number() OVER () AS place FROM (${rows.rows})`;
  const drawn = `SELECT id, sequence FROM (${placed}) SEMI JOIN ${chosen} ON accession = id WHERE sequence <> '' ` +
    "ORDER BY place";
  for await (const batch of records.sql.stream(drawn)) {
    const [ids, sequences] = [batch.column(0), batch.column(1)];
    for (const [row, id] of ids.entries()) yield* found(String(id), String(sequences[row]));
  }
}

/**
 * The headers of the drawn records by their accession: made of a template, or the accession alone.
 *
 * @throws {TypeError | RangeError} If the template cannot be read, or names a field that the table does not have.
 */
export async function drawnHeaders(records: RecordTable, template: string | undefined): Promise<Map<string, string>> {
  const { sql } = records;
  if (template === undefined) {
    return new Map((await sql.all("SELECT accession FROM drawn")).map(([id]) => [String(id), String(id)]));
  }
  const { fields, columns } = headerColumns(records, template);
  const make = headerTemplate(template, fields);
  const headers = new Map<string, string>();
  const options = { columns: [records.accession(), ...columns], cell: (text: string) => `coalesce(${text}, '')` };
  for (const query of await recordQueries(records, { choice: "SEMI JOIN drawn chosen", ...options })) {
    for (const [id, ...values] of await sql.all(query)) headers.set(String(id), make(values.map(String)));
  }
  return headers;
}

/** The fields that a template names, and their columns. `id` is the accession. */
export function headerColumns(
  records: RecordTable,
  template: string,
): { readonly fields: readonly string[]; readonly columns: readonly SideColumn[] } {
  const fields = [...new Set(parseHeaderTemplate(template).fields)];
  return { fields, columns: fields.map((name) => name === "id" ? records.accession() : records.column(name)) };
}
