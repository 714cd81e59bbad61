/** The compact protocol of Apache Thrift, as Parquet writes its footers and page headers. */

/** Fields by their number; lists and structures are arrays, texts are bytes. */
export type ThriftStruct = readonly unknown[];

const [TRUE, FALSE, BYTE, I16, I32, I64, FLOAT, BINARY, LIST, SET, STRUCT] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12];
const DEEPEST = 20;

/** Reads values one after the other. Throws RangeError where the bytes are no such values. */
export class ThriftReader {
  /** Where the next value begins. */
  offset: number;
  readonly #bytes: Uint8Array;
  #depth = 0;

  constructor(bytes: Uint8Array, offset = 0) {
    this.#bytes = bytes;
    this.offset = offset;
  }

  /** Reads a structure. */
  struct(): ThriftStruct {
    if (++this.#depth > DEEPEST) throw new RangeError("structures within structures without an end");
    const fields: unknown[] = [];
    let id = 0;
    for (let head = this.#byte(); head !== 0; head = this.#byte()) {
      id = head >> 4 === 0 ? this.#signed() : id + (head >> 4);
      const type = head & 15;
      const value = type === TRUE ? true : type === FALSE ? false : this.#value(type);
      if (id >= 0 && id < 100) fields[id] = value;
    }
    this.#depth--;
    return fields;
  }

  #value(type: number): unknown {
    switch (type) {
      case TRUE:
      case FALSE:
        return this.#byte() === TRUE;
      case BYTE:
        return this.#byte();
      case I16:
      case I32:
      case I64:
        return this.#signed();
      case FLOAT:
        return this.#take(8);
      case BINARY:
        return this.#take(this.#unsigned());
      case LIST:
      case SET:
        return this.#list();
      case STRUCT:
        return this.struct();
      default:
        throw new RangeError(`a value of type ${type}`);
    }
  }

  #list(): unknown[] {
    const head = this.#byte();
    const length = head >> 4 === 15 ? this.#unsigned() : head >> 4;
    if (length > this.#bytes.length) throw new RangeError("a list that is cut off");
    return Array.from({ length }, () => this.#value(head & 15));
  }

  #signed(): number {
    const value = this.#unsigned();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  #unsigned(): number {
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
