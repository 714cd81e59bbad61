/**
 * Thrift's compact protocol, in which Parquet has its footers and page headers: read and written by one schema.
 *
 * Own code: page headers and dictionaries are read one by one and files are written, and no library of npm does either.
 * For footers alone `hyparquet` would do, whose modules take longer to load than all else: `deno task bench own_code`,
 * row "a Parquet footer, a new process".
 *
 * @see https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
 */

/** Type of a field. Enumerations are `i32`. */
export type ThriftType = "bool" | "i32" | "i64" | "binary" | "string" | ThriftList | ThriftStruct;

/** A list of values of one type. */
export interface ThriftList {
  readonly list: ThriftType;
}

/** A structure, or a union, of which one field is present. Fields that it does not name are skipped. */
export interface ThriftStruct {
  /** Identifier and type of each field, by name, in ascending order of identifiers. */
  readonly struct: { readonly [name: string]: readonly [id: number, type: ThriftType] };
}

/** What a type stands for. Integers beyond 2^53 are not exact. Any field of a structure may be absent. */
export type ThriftValue<Type> = Type extends "bool" ? boolean
  : Type extends "i32" | "i64" ? number
  : Type extends "binary" ? Uint8Array
  : Type extends "string" ? string
  : Type extends { readonly list: infer Element } ? readonly ThriftValue<Element>[]
  : Type extends { readonly struct: infer Fields } ? {
      readonly [Name in keyof Fields]?:
        | (Fields[Name] extends readonly [number, infer Field] ? ThriftValue<Field> : never)
        | undefined;
    }
  : never;

/** Types as they are written. */
const [TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, STRUCT] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12];
const [STOP, SHORT_LIST, MAX_DELTA] = [0, 15, 15];
/** Maximum depth of structures within each other. */
const MAX_DEPTH = 20;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Reads structures from bytes. Methods throw RangeError where the bytes are cut off or of another type. */
export class ThriftReader {
  /** Offset of the next byte. */
  offset: number;
  readonly #bytes: Uint8Array;
  #depth = 0;

  /** Begins at an offset. */
  constructor(bytes: Uint8Array, offset = 0) {
    this.#bytes = bytes;
    this.offset = offset;
  }

  /** Reads a structure. */
  read<const Type extends ThriftStruct>(type: Type): ThriftValue<Type> {
    // The fields are those of the schema, each of its type.
    return this.#struct(type) as ThriftValue<Type>;
  }

  /** Passes the fields of a structure: identifier, written type, and where each value begins. */
  *fields(): Generator<{ readonly id: number; readonly written: number; readonly start: number }> {
    if (++this.#depth > MAX_DEPTH) throw new RangeError("too many structures within each other");
    let id = 0;
    for (let head = this.#byte(); head !== STOP; head = this.#byte()) {
      id = head >> 4 === 0 ? this.#integer() : id + (head >> 4);
      yield { id, written: head & 15, start: this.offset };
    }
    this.#depth--;
  }

  /** Passes a value that is written as a field. */
  skip(written: number): void {
    switch (written) {
      case TRUE:
      case FALSE:
        return;
      case BYTE:
        return void this.#byte();
      case I16:
      case I32:
      case I64:
        return void this.#varint();
      case DOUBLE:
        return void this.#take(8);
      case BINARY:
        return void this.#take(this.#varint());
      case LIST:
      case SET: {
        const { element, length } = this.#listHeader();
        // Booleans of a list take a byte each.
        for (let index = 0; index < length; index++) element <= FALSE ? this.#byte() : this.skip(element);
        return;
      }
      case STRUCT:
        for (const field of this.fields()) this.skip(field.written);
        return;
      default:
        throw new RangeError(`a value of type ${written}`);
    }
  }

  #struct(type: ThriftStruct): Record<string, unknown> {
    if (++this.#depth > MAX_DEPTH) throw new RangeError("too many structures within each other");
    const fields = fieldsById(type);
    const value: Record<string, unknown> = {};
    let id = 0;
    for (let head = this.#byte(); head !== STOP; head = this.#byte()) {
      id = head >> 4 === 0 ? this.#integer() : id + (head >> 4);
      const written = head & 15;
      const field = fields[id];
      if (field === undefined) this.skip(written);
      else value[field.name] = written <= FALSE ? written === TRUE : this.#value(field.type, written);
    }
    this.#depth--;
    return value;
  }

  #value(type: ThriftType, written: number): unknown {
    if (writtenAs(type) !== written && !(isInteger(type) && written >= I16 && written <= I64)) {
      throw new RangeError(`a value of type ${written}`);
    }
    if (type === "bool") return this.#byte() === TRUE;
    if (type === "binary") return this.#take(this.#varint());
    if (type === "string") return decoder.decode(this.#take(this.#varint()));
    if (typeof type === "string") return this.#integer();
    if ("struct" in type) return this.#struct(type);
    const { element, length } = this.#listHeader();
    return Array.from({ length }, () => this.#value(type.list, element));
  }

  #listHeader(): { element: number; length: number } {
    const head = this.#byte();
    const length = head >> 4 === SHORT_LIST ? this.#varint() : head >> 4;
    if (length > this.#bytes.length) throw new RangeError("a list that is cut off");
    return { element: head & 15, length };
  }

  /** A zigzag integer. */
  #integer(): number {
    const value = this.#varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  #varint(): number {
    let value = 0;
    for (let scale = 1;; scale *= 128) {
      const byte = this.#byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  #take(length: number): Uint8Array {
    const start = this.offset;
    this.offset += length;
    if (this.offset > this.#bytes.length) throw new RangeError("a value that is cut off");
    return this.#bytes.subarray(start, this.offset);
  }

  #byte(): number {
    if (this.offset >= this.#bytes.length) throw new RangeError("a structure that is cut off");
    return this.#bytes[this.offset++];
  }
}

/** Encodes a structure. */
export function encodeThrift<const Type extends ThriftStruct>(type: Type, value: ThriftValue<Type>): Uint8Array {
  const out: number[] = [];
  putStruct(out, type, value);
  return Uint8Array.from(out);
}

/** Encodes a structure anew without one of its fields; the others stay as they are, known or not. */
export function withoutField(bytes: Uint8Array, dropped: number): Uint8Array {
  const reader = new ThriftReader(bytes);
  const out: number[] = [];
  let before = 0;
  for (const { id, written, start } of reader.fields()) {
    reader.skip(written);
    if (id === dropped) continue;
    putFieldHeader(out, id - before, id, written);
    for (const byte of bytes.subarray(start, reader.offset)) out.push(byte);
    before = id;
  }
  out.push(STOP);
  return Uint8Array.from(out);
}

/** Appends an unsigned integer of up to 53 bits: 7 bits a byte, least significant first (ULEB128). */
export function putVarint(out: number[], value: number): void {
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) out.push(rest % 128 + 128);
  out.push(rest);
}

function putStruct(out: number[], { struct }: ThriftStruct, value: unknown): void {
  let before = 0;
  for (const [name, [id, type]] of Object.entries(struct)) {
    const field: unknown = Reflect.get(Object(value), name);
    if (field === undefined) continue;
    putFieldHeader(out, id - before, id, type === "bool" ? field ? TRUE : FALSE : writtenAs(type));
    if (type !== "bool") putValue(out, type, field);
    before = id;
  }
  out.push(STOP);
}

function putFieldHeader(out: number[], delta: number, id: number, written: number): void {
  if (delta > 0 && delta <= MAX_DELTA) return void out.push(delta << 4 | written);
  out.push(written);
  putVarint(out, id * 2);
}

function putValue(out: number[], type: ThriftType, value: unknown): void {
  if (type === "bool") out.push(value ? TRUE : FALSE);
  else if (isInteger(type)) putVarint(out, Number(value) < 0 ? -2 * Number(value) - 1 : 2 * Number(value));
  else if (typeof type === "string") {
    const bytes = value instanceof Uint8Array ? value : encoder.encode(String(value));
    putVarint(out, bytes.length);
    for (const byte of bytes) out.push(byte);
  } else if ("struct" in type) putStruct(out, type, value);
  else if (Array.isArray(value)) {
    const element = writtenAs(type.list);
    if (value.length < SHORT_LIST) out.push(value.length << 4 | element);
    else {
      out.push(SHORT_LIST << 4 | element);
      putVarint(out, value.length);
    }
    for (const each of value) putValue(out, type.list, each);
  }
}

function isInteger(type: ThriftType): type is "i32" | "i64" {
  return type === "i32" || type === "i64";
}

/** How a value of a type is written; a boolean in a list as TRUE or FALSE, its elements as bytes. */
function writtenAs(type: ThriftType): number {
  if (typeof type !== "string") return "list" in type ? LIST : STRUCT;
  return type === "i32" ? I32 : type === "i64" ? I64 : type === "bool" ? TRUE : BINARY;
}

interface ThriftField {
  readonly name: string;
  readonly type: ThriftType;
}

const fieldsOf = new WeakMap<ThriftStruct, readonly (ThriftField | undefined)[]>();

/** Fields by their identifiers. */
function fieldsById(struct: ThriftStruct): readonly (ThriftField | undefined)[] {
  let fields = fieldsOf.get(struct);
  if (fields === undefined) {
    const found: (ThriftField | undefined)[] = [];
    for (const [name, [id, type]] of Object.entries(struct.struct)) found[id] = { name, type };
    fieldsOf.set(struct, fields = found);
  }
  return fields;
}
