/** Groups by any field of the data, those with most records and the others together. */
import type { LazyDataFrame } from "nodejs-polars";
import { checkSingle, findField } from "../source/find_field.ts";
import type { Role } from "../source/roles.ts";
import { count } from "../chart/words.ts";
import { caseNote } from "./notes.ts";
import { notePlaceNames } from "./place_names_note.ts";
import { byCount, type Run } from "./run.ts";
import { kindOf, readTexts } from "../source/text_keys.ts";
import { keyOf } from "../source/texts.ts";
import { exactColumn } from "@seqreg/core/engine/frames";

const [VALUE, GROUP] = ["seqreg_group_value", "seqreg_group_key"];

export interface FieldGroups {
  readonly field: string;
  /**
   * Names of the groups, the largest first, then those of the others and of records without a value, if there are any.
   */
  readonly names: readonly string[];
  /** The name of the group of the others, and of those without a value. */
  readonly rest: readonly string[];
  withGroup(rows: LazyDataFrame, column: string): LazyDataFrame;
  /** The group of a value of that column. */
  nameOf(value: unknown): string;
}

/** Counts the values of a field and makes groups of the most frequent. */
export async function groupByField(
  run: Run<Role, Role>,
  { field: asked, most }: { readonly field: string; readonly most: number },
): Promise<FieldGroups> {
  const { pl } = run;
  const { fields, roles } = run.options;
  const column = findField(run.source, asked, { fields, roles, doing: "group by" });
  const { name: field, dtype } = column;
  checkSingle(column, `group by ${JSON.stringify(field)}`);
  // Engines write floats in ways of their own: here they are numbers until they are names.
  const type = /^Float/.test(dtype) ? pl.Float64 : pl.String;
  const value = exactColumn(pl, field).cast(type);
  const tallied = (await run.tally({ value })).map(({ keys: [value], count }) => ({
    keys: [value === null || Number.isNaN(value) ? null : value],
    count,
  }));
  // Locations have groups by country, unless the field was named.
  const role = asked === "country" && field !== asked ? asked : undefined;
  const read = readTexts(run, { role, name: field, texts: tallied.map(({ keys: [value] }) => value) });
  const readKey = (text: string) => keyOf(read.textOf(text), read.words);
  const keys = new Map<string, number>();
  let none = 0;
  for (const { keys: [value], count } of tallied) {
    const key = value === null ? null : readKey(String(value));
    if (key === null) none += count;
    else keys.set(key, (keys.get(key) ?? 0) + count);
  }
  const rows = [...keys].map(([key, count]) => ({ keys: [key], count })).sort(byCount);
  const shown = rows.slice(0, rows.length === most + 1 ? most + 1 : most).map(({ keys: [key] }) => String(key));
  const others = rows.length - shown.length;
  const free = (name: string): string => keys.has(name) ? free(`${name} `) : name;
  const other = free(`other (${count(others)})`);
  const unstated = free("none stated");
  const values = tallied.flatMap(({ keys: [value] }) => value === null ? [] : [value]);
  const frame = pl.DataFrame([
    pl.Series(VALUE, values, type),
    pl.Series(
      GROUP,
      values.map((value) => {
        const key = readKey(String(value));
        return key === null ? unstated : shown.includes(key) ? key : other;
      }),
      pl.String,
    ),
  ]);
  await notePlaceNames(run, field, [...keys].map(([name, count]) => ({ name, count })));
  const note = kindOf(run, field) === "country" ? undefined : caseNote(keys, field);
  if (note !== undefined) run.note(note);
  return {
    field,
    names: [...shown, ...others > 0 ? [other] : [], ...none > 0 ? [unstated] : []],
    rest: [...others > 0 ? [other] : [], ...none > 0 ? [unstated] : []],
    withGroup: (scanned, column) =>
      scanned.withColumns(value.alias(VALUE)).join(frame.lazy(), { leftOn: VALUE, rightOn: VALUE, how: "left" })
        .withColumns(pl.col(GROUP).alias(column)),
    nameOf: (value) => value === null || value === undefined ? unstated : String(value),
  };
}
