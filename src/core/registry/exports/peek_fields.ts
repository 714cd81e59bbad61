/** Which fields an export holds, before it is read: their definitions must be known to read it. */
import { peekBytes } from "../../io/bytes/peek_bytes.ts";
import { peekHeader } from "../../io/csv/peek_header.ts";
import { readXmlFields, type XmlDocument, type XmlTableOptions } from "../../tables/from/from_xml.ts";
import type { RecordStore } from "../../tables/types/record_store.ts";

/** Fields of an export, and its bytes from the beginning. */
export interface PeekedExport {
  /** Public field names. */
  readonly names: readonly string[];
  readonly chunks: AsyncGenerator<Uint8Array>;
}

/** Reads the header of a CSV export, with any separator. */
export async function peekCsv(bytes: AsyncGenerator<Uint8Array>): Promise<PeekedExport> {
  const { header, fault, chunks } = await peekHeader(bytes, { name: "the header of the export" });
  if (fault === undefined) return { names: header, chunks };
  await chunks.return(undefined);
  throw fault;
}

/** Reads the records of an XML export, which has no header; `undefined` when nothing came. */
export async function peekXml(
  bytes: AsyncGenerator<Uint8Array>,
  store: RecordStore,
  options: XmlTableOptions,
): Promise<XmlDocument | undefined> {
  const { head, chunks } = await peekBytes(bytes, (length) => length > 0);
  return head.length === 0 ? undefined : await readXmlFields(chunks, store, options);
}
