/** Rows of groups that lack a value of a column, counted in the files of a table, whose values are not decoded. */
import type { TextTest } from "@seqreg/core/parquet/read/text_kinds";
import type { ColumnFacts } from "@seqreg/core/engine/local/column_facts";
import type { ChunkBounds } from "@seqreg/core/parquet/read/parquet_footer";

/** Rows of each group without a value, and those that hold a text that was looked for. */
export interface Gaps {
  /** Rows without a value, by group. */
  readonly empty: number[];
  /** Rows that hold one of the texts, by group. */
  readonly holding: number[];
  /** The different texts that were looked for and are there. */
  readonly texts: Set<string>;
}

const [EMPTY, HOLDING] = [1, 2];
/** More groups than this are left to the engine. */
const MAX_GROUPS = 65_536;
/** More rows too: as many would take two gigabytes. */
const MAX_ROWS = 1_000_000_000;

/** The rows of a table, by what one column holds. */
export class GroupedRows {
  /** The groups: what the column holds, null for nothing. */
  readonly groups: readonly (string | null)[];
  readonly #facts: ColumnFacts;
  readonly #groupOf: Uint16Array;
  /** Memory for the rows of a chunk. */
  readonly #codes: Uint32Array;

  private constructor(facts: ColumnFacts, groups: readonly (string | null)[], groupOf: Uint16Array) {
    this.#facts = facts;
    this.groups = groups;
    this.#groupOf = groupOf;
    this.#codes = new Uint32Array(facts.longest);
  }

  static whole(facts: ColumnFacts): GroupedRows | undefined {
    if (facts.rows > MAX_ROWS) return undefined;
    return new GroupedRows(facts, [null], new Uint16Array(facts.rows));
  }

  /** Reads the column that divides the rows; `undefined` if the files do not contain it. */
  static by(facts: ColumnFacts, column: string): GroupedRows | undefined {
    if (facts.rows > MAX_ROWS) return undefined;
    const groupOf = new Uint16Array(facts.rows);
    const codes = new Uint32Array(facts.longest);
    const groups = new Map<string | null, number>();
    const numberOf = (text: string | null) => groups.get(text) ?? groups.set(text, groups.size).size - 1;
    let start = 0;
    for (const chunk of facts.chunks(column) ?? []) {
      const alone = chunk.nulls() === 0 ? chunk.dictionary() : undefined;
      const [text] = alone?.size === 1 ? alone.texts() : [];
      if (text !== undefined) {
        groupOf.fill(numberOf(text), start, start += chunk.rows);
        continue;
      }
      const indices = codes.subarray(0, chunk.rows);
      const dictionary = chunk.indices(indices);
      if (dictionary === undefined || groups.size + dictionary.size >= MAX_GROUPS) return undefined;
      const texts = [null, ...dictionary.texts()];
      const numbers = new Int32Array(texts.length).fill(-1);
      for (let row = 0; row < indices.length; row++) {
        const index = indices[row];
        if (numbers[index] < 0) numbers[index] = numberOf(texts[index]);
        groupOf[start + row] = numbers[index];
      }
      start += chunk.rows;
    }
    return start === facts.rows ? new GroupedRows(facts, [...groups.keys()], groupOf) : undefined;
  }

  /** Rows of each group. */
  records(): number[] {
    const records = this.groups.map(() => 0);
    for (let row = 0; row < this.#groupOf.length; row++) records[this.#groupOf[row]]++;
    return records;
  }

  /**
   * Counts rows of a column without a value, and those whose text is looked for: of kind 1 as empty, of others as
   * holding it; `undefined` as above.
   */
  count(column: string, test?: TextTest): Gaps | undefined {
    const chunks = this.#facts.chunks(column);
    if (chunks === undefined) return undefined;
    const gaps: Gaps = { empty: this.groups.map(() => 0), holding: this.groups.map(() => 0), texts: new Set() };
    let start = 0;
    for (const chunk of chunks) {
      const groupOf = this.#groupOf.subarray(start, start += chunk.rows);
      const isCounted = test === undefined
        ? this.#countEmpty(chunk, groupOf, gaps)
        : this.#countBoth(chunk, groupOf, gaps, test);
      if (!isCounted) return undefined;
    }
    return gaps;
  }

  #countEmpty(chunk: ChunkBounds, groupOf: Uint16Array, { empty }: Gaps): boolean {
    const nulls = chunk.nulls();
    if (nulls === 0) return true;
    if (this.groups.length > 1) return chunk.countEmpty({ groupOf, empty });
    if (nulls !== undefined) empty[0] += nulls;
    return nulls !== undefined;
  }

  #countBoth(chunk: ChunkBounds, groupOf: Uint16Array, gaps: Gaps, test: TextTest): boolean {
    const codes = this.#codes.subarray(0, chunk.rows);
    const dictionary = chunk.indices(codes);
    if (dictionary === undefined) return false;
    const kinds = new Uint8Array(dictionary.size + 1);
    kinds[0] = EMPTY;
    for (const { index, kind, text } of dictionary.find(test)) {
      kinds[index + 1] = kind === EMPTY ? EMPTY : HOLDING;
      gaps.texts.add(text);
    }
    for (let row = 0; row < codes.length; row++) {
      const kind = kinds[codes[row]];
      if (kind !== 0) (kind === EMPTY ? gaps.empty : gaps.holding)[groupOf[row]]++;
    }
    return true;
  }
}
