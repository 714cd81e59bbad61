/** What finding rows needs: the index, the records, and turns. */
import type { IndexFiles } from "./index_files.ts";
import type { OpenIndexOptions } from "../format/types.ts";
import { Turns } from "../../schedule/turns.ts";

export interface FindContext {
  readonly files: IndexFiles;
  readonly records: Pick<OpenIndexOptions, "rowsOf" | "valuesOf">;
  readonly turns: Turns;
  readonly signal: AbortSignal | undefined;
}

export function contextOf(
  files: IndexFiles,
  { rowsOf, valuesOf, turnMs }: OpenIndexOptions,
  signal: AbortSignal | undefined,
): FindContext {
  return { files, records: { rowsOf, valuesOf }, turns: new Turns(signal, { turnMs }), signal };
}

/** Rows whose values are fetched at once. */
const FETCHED = 128;

export async function* valuesOfRows(
  { records, turns }: FindContext,
  rows: Uint32Array,
): AsyncGenerator<readonly [row: number, values: readonly string[]]> {
  for (let from = 0; from < rows.length; from += FETCHED) {
    const some = [...rows.subarray(from, from + FETCHED)];
    const values = records.valuesOf(some);
    for (const [at, row] of some.entries()) yield [row, values[at]];
    if (turns.over) await turns.next();
  }
}
