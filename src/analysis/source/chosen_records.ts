/** Which of the records of a source are analysed. */
import { counted, does } from "../chart/words.ts";
import { filterSource, type RecordFilter } from "./record_filter.ts";
import type { OpenSource, Polars } from "./source.ts";
import type { LazyDataFrame } from "nodejs-polars";
import { checkSingle, findField } from "./find_field.ts";
import { findRole, type RoleFields, type RolePreferences } from "./roles.ts";
import { valueWords } from "./text_keys.ts";
import { MISSING_PATTERN, ODD_PATTERN, otherKeys } from "./texts.ts";
import { replaceTexts } from "./replace_texts.ts";
import { exactColumn, isTextType } from "@seqreg/core/engine/frames";

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

const [VALUE, LEAST, COUNT] = ["seqreg_one_per_value", "seqreg_one_per_accession", "seqreg_one_per_count"];

/** How records are chosen by their values. */
interface ByValues {
  readonly fields?: RoleFields | undefined;
  readonly roles?: RolePreferences | undefined;
  /** Adds the notes on the values. */
  readonly note: (text: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Keeps of each value of a field, as groups are made, the record with the least accession; `field` is its name. */
async function oneRecordPer(
  pl: Polars,
  source: OpenSource,
  onePer: string,
  { fields, roles, note, signal }: ByValues,
): Promise<{ readonly source: OpenSource; readonly field: string }> {
  const column = findField(source, onePer, { fields, roles, doing: "take one record for each" });
  const { name, field } = column;
  const accession = fields?.accession ?? source.idField ??
    findRole(source.columns, "accession", { preferred: roles?.accession ?? source.roles?.accession ?? [] })?.name;
  if (accession === undefined) {
    throw new RangeError(
      `Cannot take one record for each ${field}: the data has no accessions to choose by; name their field by ` +
        '{ fields: { accession: "…" } }, or by --field accession=… on the command line',
    );
  }
  checkSingle(column, `take one record for each ${field}`);
  const known = { pl, source, note, options: { fields, roles } };
  const collect = (query: LazyDataFrame) => source.collect(query, { signal });
  const value = exactColumn(pl, name).cast(pl.String).alias(VALUE);
  const odd = source.scan().select(value).filter(pl.col(VALUE).str.contains(ODD_PATTERN));
  const found = (await collect(odd.groupBy(VALUE).agg(pl.len()))).getColumn(VALUE).toArray();
  const others = otherKeys(found, await valueWords({ ...known, collect }, name, found));
  const { files: _files, distinctIds: _distinctIds, misfits: _misfits, ...rest } = source;
  const id = exactColumn(pl, accession);
  const isText = isTextType(source.columns.find((column) => column.name === accession)?.dtype ?? "");
  const named = isText ? pl.when(id.str.contains(MISSING_PATTERN)).then(pl.lit(null)).otherwise(id) : id;
  const leastOf = (all: LazyDataFrame) =>
    replaceTexts(pl, all.select(value, named.alias(LEAST)), {
      names: [VALUE, LEAST],
      of: VALUE,
      by: others,
    }).filter(pl.col(VALUE).isNotNull()).groupBy(VALUE).agg(pl.col(LEAST).min().alias(LEAST));
  let rows: LazyDataFrame | undefined;
  const scan = () => {
    if (rows !== undefined) return rows;
    const all = source.scan();
    // A record of several values is there once.
    const chosen = leastOf(all).groupBy(LEAST).agg(pl.len()).select(pl.col(LEAST));
    return rows = all.join(chosen, { leftOn: accession, rightOn: LEAST, how: "inner" });
  };
  const count = async (query: LazyDataFrame) =>
    Number((await collect(query.select(pl.len().alias(COUNT)))).toRecords()[0][COUNT]);
  const each = leastOf(source.scan()).select(pl.col(LEAST).isNull().alias(LEAST));
  const groups = (await collect(each.groupBy(LEAST).agg(pl.len().alias(COUNT)))).toRecords();
  const groupsOf = (isNamed: boolean) => Number(groups.find((group) => group[LEAST] !== isNamed)?.[COUNT] ?? 0);
  const [chosen, unnamed] = [groupsOf(true), groupsOf(false)];
  if (unnamed > 0) {
    note(
      `${counted(unnamed, "values")} of ${field} ${does(unnamed, "have")} no record, since theirs have no accession`,
    );
  }
  const more = await count(scan()) - chosen;
  if (more > 0) note(`${counted(more, "more records")} than one for each ${field}: accessions of several records`);
  return { field, source: { ...rest, scan } };
}
