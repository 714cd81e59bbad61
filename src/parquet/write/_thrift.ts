/** Writes the compact protocol of Thrift, in which Parquet has its metadata. Only what Parquet files of ours need. */

/** Types of fields. */
const I32 = 5;
const I64 = 6;
const BINARY = 8;
const LIST = 9;
const STRUCT = 12;

/** A value of a field. */
export type ThriftValue =
  | { readonly i32: number }
  | { readonly i64: number }
  | { readonly binary: Uint8Array }
  | { readonly text: string }
  | { readonly list: readonly ThriftValue[] }
  | { readonly struct: ThriftStruct };

/** Fields by their numbers, which ascend; `undefined` for one that is left out. */
export type ThriftStruct = readonly (readonly [id: number, value: ThriftValue | undefined])[];

/** Encodes a struct. */
export function encodeStruct(struct: ThriftStruct): Uint8Array {
  const out: number[] = [];
  putStruct(out, struct);
  return Uint8Array.from(out);
}

function putStruct(out: number[], struct: ThriftStruct): void {
  let before = 0;
  for (const [id, value] of struct) {
    if (value === undefined) continue;
    out.push((id - before) << 4 | typeOf(value));
    before = id;
    putValue(out, value);
  }
  out.push(0);
}

function typeOf(value: ThriftValue): number {
  if ("i32" in value) return I32;
  if ("i64" in value) return I64;
  if ("list" in value) return LIST;
  return "struct" in value ? STRUCT : BINARY;
}

function putValue(out: number[], value: ThriftValue): void {
  if ("i32" in value) putVarint(out, value.i32 * 2);
  else if ("i64" in value) putVarint(out, value.i64 * 2);
  else if ("struct" in value) putStruct(out, value.struct);
  else if ("list" in value) {
    const type = value.list.length === 0 ? STRUCT : typeOf(value.list[0]);
    if (value.list.length < 15) out.push(value.list.length << 4 | type);
    else {
      out.push(0xf0 | type);
      putVarint(out, value.list.length);
    }
    for (const entry of value.list) putValue(out, entry);
  } else {
    const bytes = "text" in value ? new TextEncoder().encode(value.text) : value.binary;
    putVarint(out, bytes.length);
    for (const byte of bytes) out.push(byte);
  }
}

/** Numbers here are never negative; beyond 31 bits they are too large for shifts. */
function putVarint(out: number[], number: number): void {
  let rest = number;
  for (; rest >= 128; rest = Math.floor(rest / 128)) out.push(rest % 128 + 128);
  out.push(rest);
}
