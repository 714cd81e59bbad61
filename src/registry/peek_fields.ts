/**
 * Which fields an export holds, before it is read: their definitions must be known to read it.
 *
 * @module
 */
import { readCsvRows } from "../io/csv_rows.ts";
import { tableFromXml, type XmlTableOptions } from "../tables/from_xml.ts";

/** Longest header that is waited for; a longer one is left to whoever reads the export. */
const MAX_HEADER = 1 << 20;

/** Fields of an export, and its bytes from the beginning. */
export interface PeekedExport {
  /** Public field names. */
  readonly names: readonly string[];
  /** The bytes. */
  readonly chunks: AsyncGenerator<Uint8Array>;
}

/** Reads the header of a CSV export. */
export async function peekCsv(bytes: AsyncGenerator<Uint8Array>): Promise<PeekedExport> {
  const held: Uint8Array[] = [];
  let heldBytes = 0;
  const head = (async function* () {
    while (heldBytes < MAX_HEADER) {
      const { done, value } = await bytes.next();
      if (done) return;
      held.push(value);
      heldBytes += value.length;
      yield value;
    }
  })();
  let names: readonly string[] = [];
  for await (const rows of readCsvRows(head, { name: "the header of the export" })) {
    if (rows.length === 0) continue;
    names = rows[0].cells;
    break;
  }
  const chunks = (async function* () {
    try {
      yield* held;
      yield* bytes;
    } finally {
      await bytes.return(undefined);
    }
  })();
  return { names, chunks };
}

/** Reads the fields of an XML export, which is held whole: elements have no header. */
export async function peekXml(bytes: AsyncGenerator<Uint8Array>, options: XmlTableOptions): Promise<PeekedExport> {
  const held: Uint8Array[] = [];
  for await (const chunk of bytes) held.push(chunk);
  const chunks = () =>
    (async function* () {
      yield* held;
    })();
  if (held.length === 0) return { names: [], chunks: chunks() };
  const { columns: _, ...rest } = options;
  const table = await tableFromXml(chunks(), rest);
  return { names: [...new Set(table.columns.map(({ field }) => field))], chunks: chunks() };
}
