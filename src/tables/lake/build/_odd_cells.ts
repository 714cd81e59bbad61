/**
 * Cells of typed columns that are not written plainly: read by the rules of `contract/values`, written anew for the
 * encoder, and kept as they came.
 *
 * Nearly every cell is plain, which the row kernel sees without making a text of it. So the rules stand in one place,
 * and a column of ten million numbers costs no pattern.
 */
import type { FieldDefinition } from "../../../contract/metadata.ts";
import type { FileChecks } from "../../../parquet/write/file_checks.ts";
import { isWideInteger } from "../../types/wide_integer.ts";
import { readArray } from "../../../contract/values/lists.ts";
import { readValue, splitList } from "../../../contract/values/mod.ts";
import { MissingCounter, type MissingValues } from "../../types/missing_values.ts";
import { numberChunk, type ParquetField, ParquetFile, TextBytes } from "../../../parquet/write/parquet_file.ts";

/** Kinds of columns, as the kernel counts them; 0 for one whose cells pass as they are. */
export const KINDS = { string: 0, integer: 1, float: 2, boolean: 3, date: 4, list: 9 } as const;

/** What the kernel passes without a word; a test holds both to each other. */
const PLAIN = {
  integer: /^(?:0|-?[1-9][0-9]{0,17})$/,
  float: /^(?!-?(?:[0-9]\.?){16})(?:0|-?[1-9][0-9]*|-?(?:0\.(?!0000[0-9])|[1-9][0-9]*\.)[0-9]*[1-9])$/,
  boolean: /^(?:true|false)$/,
  date: /^(?!0000)[0-9]{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|1[0-9]|2[0-8]))?)?$/,
  // Neither white space nor the beginning of an array or of a word for a missing value, or two items.
  list: /^(?:(?![?.\-]|n[aou/]|un|mi|re)[!-\x7f]|[?.\-nNuUmMrR](?:(?!;)[\0-\x7f]){0,62};)/i,
};

/** Columns of the file of raw texts. */
export const RAW_COLUMNS: readonly ParquetField[] = [
  { name: "row", type: "int64" },
  { name: "field", type: "utf8" },
  { name: "value", type: "utf8" },
  { name: "fits", type: "boolean" },
];

interface Settled {
  /** What the encoder is to read. */
  readonly cell: string;
  readonly fits: boolean;
  /** The word for a missing value that it is; `undefined` for anything else. */
  readonly word: string | undefined;
  /** Whether the text has to be kept, since the typed column does not tell it. */
  readonly isKept: boolean;
}

/** Texts that are settled once for all of their cells, of each column. */
const MAX_KNOWN = 10_000;

/** Settles odd cells and gathers their texts, part by part. */
export class OddCells {
  /** Kind of each column, for the kernel. */
  readonly kinds: readonly number[];
  readonly #names: readonly string[];
  readonly #definitions: readonly (FieldDefinition | undefined)[];
  readonly #known: readonly Map<string, Settled>[];
  readonly #misfits: number[];
  readonly #wide = new Set<number>();
  readonly #missing = new MissingCounter();
  #part = new RawPart();

  /** Begins a table of these columns. */
  constructor(names: readonly string[], definitionOf: (name: string) => FieldDefinition | undefined) {
    this.#names = names;
    this.#definitions = names.map(definitionOf);
    this.kinds = this.#definitions.map((definition) => KINDS[definition?.type ?? "string"]);
    this.#known = names.map(() => new Map());
    this.#misfits = names.map(() => 0);
  }

  /** Says what to write for a cell. An empty one is no value. */
  settle(column: number, row: number, text: string): string {
    const definition = this.#definitions[column];
    if (definition === undefined || text === "" || this.kinds[column] === 0) return text;
    const known = this.#known[column];
    let settled = known.get(text);
    if (settled === undefined) {
      settled = settle(text, definition);
      if (known.size >= MAX_KNOWN) known.clear();
      known.set(text, settled);
    }
    if (!settled.fits) {
      this.#misfits[column]++;
      if (definition.type === "integer" && isWideInteger(text)) this.#wide.add(column);
    }
    if (settled.word !== undefined) this.#missing.add(this.#names[column], settled.word);
    if (settled.isKept) this.#part.add(row, this.#names[column], text, settled.fits);
    return settled.cell;
  }

  /** Values that do not fit, by field, in the order of the columns. */
  get misfits(): Record<string, number> {
    return Object.fromEntries(
      this.#names.map((name, column) => [name, this.#misfits[column]] as const).filter(([, count]) => count > 0),
    );
  }

  /** Columns of integers that hold numbers beyond 64 bits. */
  get wide(): readonly string[] {
    return [...this.#wide].map((column) => this.#names[column]);
  }

  /** Words for missing values, by field. */
  get missingValues(): MissingValues {
    return this.#missing.values;
  }

  /** Takes the texts kept since the last part. */
  takePart(): RawPart {
    const part = this.#part;
    this.#part = new RawPart();
    return part;
  }
}

function settle(text: string, { type, unit }: FieldDefinition): Settled {
  const read = readValue(text, { type, unit });
  const [fits, word] = [read.kind !== "invalid", read.kind === "missing" ? read.word : undefined];
  // A date column is text: what it holds is what came.
  if (type === "date") return { cell: text, fits, word, isKept: !fits };
  if (read.kind !== "value") return { cell: "", fits, word, isKept: true };
  if (type === "list" && readArray(text) !== undefined) {
    // The encoder splits at semicolons; a list without items is one of nothing but these.
    return { cell: splitList(text).join(";") || ";", fits, word, isKept: true };
  }
  if (type === "list" || type === "string") return { cell: text, fits, word, isKept: false };
  return { cell: String(read.value), fits, word, isKept: !PLAIN[type].test(text) };
}

/** Whether a cell is written plainly, as the kernel sees it. */
export function isPlain(text: string, type: keyof typeof PLAIN): boolean {
  return PLAIN[type].test(text);
}

/** Texts of the odd cells of one part. */
export class RawPart {
  readonly #rows: number[] = [];
  readonly #fields = new TextBytes();
  readonly #values = new TextBytes();
  readonly #fits: boolean[] = [];

  /** Number of texts. */
  get count(): number {
    return this.#rows.length;
  }

  /** Keeps one text. */
  add(row: number, field: string, text: string, fits: boolean): void {
    this.#rows.push(row);
    this.#fields.add(field);
    this.#values.add(text);
    this.#fits.push(fits);
  }

  /** Writes them in the order of the rows; returns the file's checksums. */
  async write(path: string): Promise<FileChecks> {
    const bits = new Uint8Array((this.count + 7) >> 3);
    this.#fits.forEach((fits, index) => bits[index >> 3] |= Number(fits) << (index & 7));
    const page = (bytes: Uint8Array) => [{ values: this.count, bytes }];
    using file = new ParquetFile(path, RAW_COLUMNS);
    await file.writeGroup(this.count, [
      numberChunk(this.#rows),
      { pages: page(this.#fields.bytes) },
      { pages: page(this.#values.bytes) },
      { pages: page(bits) },
    ]);
    return file.finish();
  }
}
