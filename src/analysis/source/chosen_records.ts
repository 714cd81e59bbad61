/** Which of the records of a source are analysed. */
import { type ByValues, oneRecordPer } from "./one_per.ts";
import { filterSource, type RecordFilter } from "./record_filter.ts";
import type { OpenSource, Polars } from "./source.ts";

/** Which they are, as written in a source line. */
export interface ChosenRecords {
  /** What they have, in words. */
  readonly filter?: string;
  /** Field of which each value has one record. */
  readonly onePer?: string;
}

export async function chooseRecords(
  pl: Polars,
  source: OpenSource,
  { filter = {}, onePer, ...values }: ByValues & {
    readonly filter?: RecordFilter | undefined;
    readonly onePer?: string | undefined;
  },
): Promise<{ readonly source: OpenSource; readonly chosen: ChosenRecords }> {
  const { fields, roles, signal } = values;
  const kept = await filterSource(pl, source, { filter, fields, roles, signal });
  const words = kept.words === "" ? {} : { filter: kept.words };
  if (onePer === undefined) return { source: kept.source, chosen: words };
  const one = await oneRecordPer(pl, kept.source, onePer, values);
  return { source: one.source, chosen: { ...words, onePer: one.field } };
}

/** The same as notes, for an analysis without a figure. */
export function chosenNotes({ filter, onePer }: ChosenRecords): string[] {
  return [
    ...filter === undefined ? [] : [`Only records with ${filter}`],
    ...onePer === undefined ? [] : [`One of them for each ${onePer}`],
  ];
}
