/** Headers made of headers, byte by byte where they are ASCII: no text is made of what is copied. */
import type { FastaHead } from "../text/fasta_batch.ts";
import { type HeaderMaker, headerTemplate, parseHeaderTemplate, withoutBreaks } from "./header_template.ts";
import { BASE_CLASS, PIPE, WHITE_SPACE } from "../text/bases.ts";

const SLASH = 0x2f;
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

export interface ReadHeader {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  /** Bytes of the id, which it begins with. */
  readonly idLength: number;
  /** Offsets of the `|` in it: of a registry FASTA one fewer than there are fields. */
  readonly pipes: Int32Array;
  /** Whether it is ASCII without a carriage return. */
  readonly isSimple: boolean;
}

/** Writes the headers of one file by a template; without one the id alone. */
export class HeaderWriter {
  readonly #kind: FastaHead["kind"];
  readonly #make: HeaderMaker;
  /** Index of the field of each value that a header is made of. */
  readonly fieldIndices: readonly number[];
  /** What stands before, between and behind them. */
  readonly literals: readonly Uint8Array[];
  /** Whether a `|` in a value is written as `/`. */
  readonly escapes: boolean;
  readonly #literalBytes: number;
  readonly #last: number;

  /** @throws {TypeError} If the template is malformed, or names a field that is not there. */
  constructor({ kind, fields }: FastaHead, template?: string) {
    const { literals, fields: names } = parseHeaderTemplate(template ?? "{id}");
    this.#kind = kind;
    this.#make = template === undefined ? ([id]) => id : headerTemplate(template, fields);
    this.literals = literals.map((literal) => encoder.encode(literal));
    this.#literalBytes = this.literals.reduce((sum, { length }) => sum + length, 0);
    this.fieldIndices = template === undefined ? [0] : names.map((name) => Math.max(0, fields.indexOf(name)));
    this.#last = fields.length - 1;
    this.escapes = template !== undefined && literals.some((literal) => literal.includes("|"));
  }

  /** Bytes that a simple header needs at most. */
  room({ start, end }: ReadHeader): number {
    return this.#literalBytes + this.fieldIndices.length * (end - start);
  }

  /** Writes a simple header, without `>` and line end, to an offset where there is room; returns where it ends. */
  write(header: ReadHeader, target: Uint8Array, at: number): number {
    let out = append(this.literals[0], target, at);
    for (let index = 0; index < this.fieldIndices.length; index++) {
      out = this.#appendValue(header, this.fieldIndices[index], target, out);
      out = append(this.literals[index + 1], target, out);
    }
    return out;
  }

  /** Makes any header, without `>` and line end. */
  make({ bytes, start, end, idLength }: ReadHeader): Uint8Array {
    const text = decoder.decode(bytes.subarray(start, end));
    const id = decoder.decode(bytes.subarray(start, start + idLength));
    const values = this.#kind === "registry"
      ? text.split("|")
      : [id, text.slice(id.length).replace(/^[\t\v\f\r ]+/, "")];
    return encoder.encode(withoutBreaks(this.#make(values)));
  }

  #appendValue(header: ReadHeader, field: number, target: Uint8Array, at: number): number {
    const { bytes, start, end, idLength, pipes } = header;
    let from = start;
    let to = end;
    if (this.#kind === "registry") {
      if (field > 0) from = pipes[field - 1] + 1;
      if (field < this.#last) to = pipes[field];
    } else if (field === 0) to = start + idLength;
    else {
      from = start + idLength;
      while (from < end && BASE_CLASS[bytes[from]] === WHITE_SPACE) from += 1;
    }
    let out = at;
    for (; from < to; from++) {
      const byte = bytes[from];
      target[out++] = byte === PIPE && this.escapes ? SLASH : byte;
    }
    return out;
  }
}

function append(literal: Uint8Array, target: Uint8Array, at: number): number {
  let out = at;
  for (let index = 0; index < literal.length; index++) target[out++] = literal[index];
  return out;
}
