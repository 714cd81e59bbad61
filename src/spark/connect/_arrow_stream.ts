/**
 * Counts the rows of an Arrow IPC stream, and checks the framing of its messages before a native reader sees them.
 *
 * Each message is 0xFFFFFFFF, the length of its metadata (int32), the metadata (a flatbuffer `Message`), its body; a
 * stream ends with a length of 0, or with its last message. Source: Arrow columnar format, "Encapsulated message
 * format", and `Message.fbs`.
 *
 * Own code, since the native reader of the stream, polars, must not be given what is damaged.
 */

/** `MessageHeader` of `Message.fbs`. */
const SCHEMA = 1;
const DICTIONARY_BATCH = 2;
const RECORD_BATCH = 3;

/** Fields of the table `Message`: version, header_type, header, bodyLength. */
const HEADER_TYPE = 1;
const HEADER = 2;
const BODY_LENGTH = 3;

/** Field of the table `RecordBatch`. */
const LENGTH = 0;

/** Returns the number of rows. Throws a RangeError if the framing is damaged or cut off. */
export function countArrowRows(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let rows = 0;
  let hasSchema = false;
  let at = 0;
  while (at < bytes.length) {
    if (view.getUint32(at, true) !== 0xffffffff) throw new RangeError(`no message of Arrow at byte ${at}`);
    const metadataBytes = view.getInt32(at + 4, true);
    if (metadataBytes === 0) {
      at += 8;
      break;
    }
    const body = at + 8 + metadataBytes;
    if (metadataBytes < 8 || body > bytes.length) throw new RangeError(`a message at byte ${at} is cut off`);
    const message = tableOf(new DataView(view.buffer, view.byteOffset + at + 8, metadataBytes), 0);
    const kind = message.has(HEADER_TYPE) ? message.view.getUint8(message.at(HEADER_TYPE)) : 0;
    const bodyBytes = message.has(BODY_LENGTH) ? Number(message.view.getBigInt64(message.at(BODY_LENGTH), true)) : 0;
    if (bodyBytes < 0 || body + bodyBytes > bytes.length) throw new RangeError(`a body at byte ${body} is cut off`);
    if (kind === SCHEMA) hasSchema = true;
    else if (!hasSchema) throw new RangeError(`a message at byte ${at} comes before the schema`);
    if (kind === RECORD_BATCH) {
      const batch = tableOf(message.view, message.at(HEADER));
      const length = batch.has(LENGTH) ? Number(batch.view.getBigInt64(batch.at(LENGTH), true)) : 0;
      if (!Number.isSafeInteger(length) || length < 0) throw new RangeError(`a batch at byte ${at} has ${length} rows`);
      rows += length;
    } else if (kind !== SCHEMA && kind !== DICTIONARY_BATCH) {
      throw new RangeError(`a message at byte ${at} is of the unknown kind ${kind}`);
    }
    at = body + bodyBytes;
  }
  if (!hasSchema) throw new RangeError("it has no schema");
  if (at !== bytes.length) throw new RangeError(`${bytes.length - at} bytes follow the end of the stream`);
  return rows;
}

interface Table {
  readonly view: DataView;
  has(field: number): boolean;
  /** Offset of a field's value. */
  at(field: number): number;
}

/** The flatbuffer table that the offset at `from` points to; a `DataView` refuses offsets beyond the message. */
function tableOf(view: DataView, from: number): Table {
  const start = from + view.getUint32(from, true);
  const fields = start - view.getInt32(start, true);
  const size = view.getUint16(fields, true);
  const offset = (field: number) => 4 + 2 * field + 2 > size ? 0 : view.getUint16(fields + 4 + 2 * field, true);
  return {
    view,
    has: (field) => offset(field) !== 0,
    at: (field) => {
      if (offset(field) === 0) throw new RangeError("a message lacks a field");
      return start + offset(field);
    },
  };
}
