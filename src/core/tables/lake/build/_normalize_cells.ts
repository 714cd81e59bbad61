/**
 * Cells of typed columns that are not in canonical form: read by the rules of `contract/values`, written in canonical
 * form for the encoder, and kept as they came where that changes them.
 *
 * Nearly every cell is canonical, which the row module sees without making a text of it. So the rules stand in one
 * module, and a column of ten million numbers costs no regular expression.
 */
import type { FieldDefinition } from "../../../contract/metadata.ts";
import { quoteValue } from "../../../contract/ledger.ts";
import { isWideInteger } from "../../types/wide_integer.ts";
import { readArray } from "../../../contract/values/lists.ts";
import { readValue, splitList } from "../../../contract/values/mod.ts";
import { MissingCounter, type MissingValues } from "../../types/missing_values.ts";
import { CELL_NUMBERS, type CheckedRows, readCell, writeCell } from "../rows/checked_rows.ts";
import type { RawText } from "./_raw_texts.ts";

/** Kinds of columns, as the module counts them; 0 for one whose cells are not looked at. */
export const KINDS = { string: 0, integer: 1, float: 2, boolean: 3, date: 4, list: 9 } as const;

/** The canonical forms, which the module does not list; a test holds both to each other. */
export const CANONICAL = {
  integer: /^(?:0|-?[1-9][0-9]{0,17})$/,
  float: /^(?!-?(?:[0-9]\.?){16})(?:0|-?[1-9][0-9]*|-?(?:0\.(?!0000[0-9])|[1-9][0-9]*\.)[0-9]*[1-9])$/,
  boolean: /^(?:true|false)$/,
  date: /^(?!0000)[0-9]{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|1[0-9]|2[0-8]))?)?$/,
  // Neither white space nor the beginning of an array or of a word for a missing value, or two items.
  list: /^(?:(?![?.\-]|n[aou/]|un|mi|re|xx)[!-\x7f]|[?.\-nNuUmMrRxX](?:(?!;)[\0-\x7f]){0,62};)/i,
};

/** Rows whose typed cells are in canonical form; their memory is valid until the next batch is asked for. */
export interface NormalizedRows extends Pick<CheckedRows, "rows" | "nextLine"> {
  /** Bytes of the rows, in order. */
  readonly pieces: readonly Uint8Array[];
  /** Texts of the rows that have to be kept. */
  readonly raw: readonly RawText[];
}

interface NormalizedCell {
  /** What the encoder is to read instead; `undefined` for the cell as it is. */
  readonly written: Uint8Array | undefined;
  readonly fits: boolean;
  /** The word for a missing value that it is; `undefined` for anything else. */
  readonly word: string | undefined;
  /** Whether the text has to be kept, since the typed column does not hold it. */
  readonly isKept: boolean;
}

/** Distinct values of a column that do not fit and are named. */
const MAX_MISFIT_TEXTS = 3;
/** Texts of a column whose normal form is remembered. */
const MAX_KNOWN = 10_000;

/** Normalizes the cells of one table and counts what does not fit. */
export class CellNormalizer {
  /** Kind of each column, for the module. */
  readonly kinds: readonly number[];
  readonly #names: readonly string[];
  readonly #definitions: readonly (FieldDefinition | undefined)[];
  readonly #known: readonly Map<string, NormalizedCell>[];
  readonly #misfits: number[];
  readonly #misfitTexts: readonly Set<string>[];
  readonly #wide = new Set<number>();
  readonly #missing = new MissingCounter();

  /** Begins a table of these columns. */
  constructor(names: readonly string[], definitionOf: (name: string) => FieldDefinition | undefined) {
    this.#names = names;
    this.#definitions = names.map(definitionOf);
    this.kinds = this.#definitions.map((definition) => KINDS[definition?.type ?? "string"]);
    this.#known = names.map(() => new Map());
    this.#misfits = names.map(() => 0);
    this.#misfitTexts = names.map(() => new Set());
  }

  /** Values that do not fit, by field, in the order of the columns. */
  get misfits(): Record<string, number> {
    return Object.fromEntries(
      this.#names.map((name, column) => [name, this.#misfits[column]] as const).filter(([, count]) => count > 0),
    );
  }

  /** Some of these values, by field. */
  get misfitTexts(): Record<string, readonly string[]> {
    return Object.fromEntries(
      this.#names.map((name, column) => [name, [...this.#misfitTexts[column]]] as const)
        .filter(([, texts]) => texts.length > 0),
    );
  }

  /** Columns of integers that hold numbers beyond 64 bits. */
  get wide(): readonly string[] {
    return [...this.#wide].map((column) => this.#names[column]);
  }

  get missingValues(): MissingValues {
    return this.#missing.values;
  }

  /**
   * Normalizes batch after batch. Once a column is found too wide for its type nothing more comes: rows are counted.
   */
  async *rows(batches: AsyncIterable<CheckedRows>): AsyncGenerator<NormalizedRows> {
    for await (const batch of batches) {
      const normalized = this.#normalizeRows(batch);
      if (this.#wide.size === 0) yield normalized;
    }
  }

  #normalizeRows({ bytes, rows, firstRow, nextLine, cells }: CheckedRows): NormalizedRows {
    const raw: RawText[] = [];
    const pieces: Uint8Array[] = [];
    let from = 0;
    for (let at = 0; at < cells.length; at += CELL_NUMBERS) {
      const [column, start, end] = [cells[at], cells[at + 2], cells[at + 3]];
      const text = readCell(bytes, start, end);
      const { written, fits, isKept } = this.#normalize(column, text);
      if (isKept) raw.push({ row: firstRow + cells[at + 1], field: this.#names[column], text, fits });
      if (written === undefined) continue;
      pieces.push(bytes.subarray(from, start));
      if (written.length > 0) pieces.push(written);
      from = end;
    }
    pieces.push(from === 0 ? bytes : bytes.subarray(from));
    return { pieces, rows, nextLine, raw };
  }

  /** Reads a cell and counts what it is. An empty one holds no value. */
  #normalize(column: number, text: string): NormalizedCell {
    const definition = this.#definitions[column];
    if (definition === undefined || text === "") return UNCHANGED;
    const known = this.#known[column];
    let normalized = known.get(text);
    if (normalized === undefined) {
      normalized = normalize(text, definition, this.#names.length === 1);
      if (known.size >= MAX_KNOWN) known.clear();
      known.set(text, normalized);
    }
    if (!normalized.fits) {
      this.#misfits[column]++;
      if (this.#misfitTexts[column].size < MAX_MISFIT_TEXTS) this.#misfitTexts[column].add(quoteValue(text));
      if (definition.type === "integer" && isWideInteger(text)) this.#wide.add(column);
    }
    if (normalized.word !== undefined) this.#missing.add(this.#names[column], normalized.word);
    return normalized;
  }
}

const UNCHANGED: NormalizedCell = { written: undefined, fits: true, word: undefined, isKept: false };

/** Reads a cell; `isOnly` where its row has no other. */
function normalize(text: string, { type, unit }: FieldDefinition, isOnly: boolean): NormalizedCell {
  const read = readValue(text, { type, unit });
  const [fits, word] = [read.kind !== "invalid", read.kind === "missing" ? read.word : undefined];
  // A date column is text: it has the values as received.
  if (type === "date") return { written: undefined, fits, word, isKept: !fits };
  const write = (cell: string) => cell === text ? undefined : writeCell(cell, isOnly);
  if (read.kind !== "value") return { written: write(""), fits, word, isKept: true };
  if (type === "list" && readArray(text) !== undefined) {
    // The encoder splits at semicolons; a list without items is one of nothing but these.
    return { written: write(splitList(text).join(";") || ";"), fits, word, isKept: true };
  }
  if (type === "list" || type === "string") return { written: undefined, fits, word, isKept: false };
  return { written: write(String(read.value)), fits, word, isKept: !CANONICAL[type].test(text) };
}
