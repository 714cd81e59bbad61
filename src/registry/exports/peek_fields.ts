/**
 * Which fields an export holds, before it is read: their definitions must be known to read it.
 *
 * @module
 */
import { readCsvRows } from "../../io/csv/csv_rows.ts";
import { peekSeparator } from "../../io/csv/peek_separator.ts";
import { readXmlFields, type XmlRecords, type XmlTableOptions } from "../../tables/from/from_xml.ts";
import type { RecordStore } from "../../tables/types/record_store.ts";

/** Maximum header length that is read ahead; longer ones are left to the reader of the export. */
const MAX_HEADER = 1 << 20;

/** Fields of an export, and its bytes from the beginning. */
export interface PeekedExport {
  /** Public field names. */
  readonly names: readonly string[];
  /** The bytes. */
  readonly chunks: AsyncGenerator<Uint8Array>;
}

/** Reads the header of a CSV export, with any separator. */
export async function peekCsv(bytes: AsyncGenerator<Uint8Array>): Promise<PeekedExport> {
  const peeked = await peekSeparator(bytes);
  const { chunks: rest, separator } = peeked;
  const held: Uint8Array[] = [];
  let heldBytes = 0;
  const head = (async function* () {
    while (heldBytes < MAX_HEADER) {
      const { done, value } = await rest.next();
      if (done) return;
      held.push(value);
      heldBytes += value.length;
      yield value;
    }
  })();
  let names: readonly string[] = [];
  for await (const rows of readCsvRows(head, { name: "the header of the export", separator })) {
    if (rows.length === 0) continue;
    names = rows[0].cells;
    break;
  }
  const chunks = (async function* () {
    try {
      yield* held;
      yield* rest;
    } finally {
      await rest.return(undefined);
    }
  })();
  return { names, chunks };
}

/** Reads the records of an XML export, which has no header; `undefined` when nothing came. */
export async function peekXml(
  bytes: AsyncGenerator<Uint8Array>,
  store: RecordStore,
  options: XmlTableOptions,
): Promise<XmlRecords | undefined> {
  const first = await bytes.next();
  if (first.done) return undefined;
  const chunks = (async function* () {
    try {
      yield first.value;
      yield* bytes;
    } finally {
      await bytes.return(undefined);
    }
  })();
  return await readXmlFields(chunks, store, options);
}
