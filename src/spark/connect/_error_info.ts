/**
 * Reads `google.rpc.ErrorInfo`, the detail that Spark adds to a failed call: reason (1), domain (2), metadata (3).
 *
 * It is read by hand: the message belongs to another protocol than the descriptor's.
 */

/** What Spark reports of a failure, in the order of its usefulness. */
export interface ErrorInfo {
  /** Class of the exception, such as `org.apache.spark.sql.AnalysisException`. */
  readonly reason: string;
  /** Values by name: `errorClass`, `sqlState`, `errorId`, `classes` (a JSON list). */
  readonly metadata: Readonly<Record<string, string>>;
}

const TYPE = "google.rpc.ErrorInfo";

/** Returns the first readable `ErrorInfo` of a call's details. */
export function findErrorInfo(
  details: readonly { readonly type: string; readonly value: Uint8Array }[],
): ErrorInfo | undefined {
  for (const { type, value } of details) {
    if (type !== TYPE) continue;
    try {
      const texts = readFields(value);
      const metadata: Record<string, string> = Object.create(null);
      for (const entry of texts.get(3) ?? []) {
        const fields = readFields(entry);
        metadata[textOf(fields.get(1))] = textOf(fields.get(2));
      }
      return { reason: textOf(texts.get(1)), metadata };
    } catch {
      // A damaged detail is left out: the text of the failure remains.
    }
  }
  return undefined;
}

/** Fields of a message that have a length (wire type 2), by number. Throws a RangeError on anything else. */
function readFields(bytes: Uint8Array): Map<number, Uint8Array[]> {
  const fields = new Map<number, Uint8Array[]>();
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      if (at >= bytes.length) throw new RangeError("cut off");
      const byte = bytes[at++];
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError("a number is too long");
  };
  while (at < bytes.length) {
    const tag = varint();
    if ((tag & 7) !== 2) throw new RangeError("not a text");
    const length = varint();
    if (at + length > bytes.length) throw new RangeError("cut off");
    const field = tag >>> 3;
    fields.set(field, [...fields.get(field) ?? [], bytes.subarray(at, at + length)]);
    at += length;
  }
  return fields;
}

function textOf(values: readonly Uint8Array[] | undefined): string {
  return new TextDecoder().decode(values?.at(-1));
}
