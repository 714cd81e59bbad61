/** Warnings about pictures that mislead: where real users of such data went wrong. */
import { listSome } from "@seqreg/core/contract/ledger";
import type { PeriodUnit } from "../chart/periods.ts";
import { count, counted, does, label, percent } from "../chart/words.ts";

/** Share above which a note calls one category dominant. */
const DOMINANT = 0.5;
/** Share of zeros above which a mean of percentages says nothing. */
const MANY_ZEROS = 0.25;

/** Warns when one category has most of the records: a picture of all records is then one of that category. */
export function dominanceNote(
  rows: readonly { readonly name: unknown; readonly count: number }[],
  what: string,
): string | undefined {
  const sum = rows.reduce((sum, { count }) => sum + count, 0);
  const top = rows.reduce((best, row) => row.count > best.count ? row : best, { name: "", count: 0 });
  if (rows.length < 2 || top.count <= sum * DOMINANT) return undefined;
  return `One ${what} dominates: ${label(top.name)} has ${percent(top.count, sum)} of ${
    count(sum)
  } records. What is seen is mostly how much was sequenced; draw a stratified sample or look at each ${what} alone`;
}

/** Warns when many values of a percentage are exactly zero. */
export function zeroNote(zeros: number, n: number, field: string): string | undefined {
  if (n === 0 || zeros / n < MANY_ZEROS) return undefined;
  return `${
    percent(zeros, n)
  } of the values of ${field} are exactly 0: in such data 0 often stands for "not computed". ` +
    "Means and quantiles are pulled down by them; look at the values above 0 alone";
}

/** Warns when dates are too coarse for the periods of the picture; `ranges` of them may be in several years. */
export function coarseNote(
  coarse: number,
  n: number,
  { field, period, ranges }: { readonly field: string; readonly period: PeriodUnit; readonly ranges: number },
): string | undefined {
  if (coarse === 0) return undefined;
  const isWeek = period.endsWith("week");
  const unit = isWeek ? "week" : period;
  const what = [
    ...ranges < coarse ? [isWeek ? "a date of several weeks" : "only a year"] : [],
    ...ranges > 0 ? ["a range over several years"] : [],
  ].join(" or ");
  const first = `${counted(coarse, "records")} (${percent(coarse, n)}) ${does(coarse, "have")} ${what} in ${field} ` +
    `and ${does(coarse, "are")} in no ${unit}`;
  if (ranges === coarse) return `${first}: in which of them it was is not known`;
  const byYear = ranges === 0 ? "By year they all count" : `By year all but ${counted(ranges, "ranges")} count`;
  return `${first}: put on the first of January they would make a peak that is not there. ${byYear}`;
}

/** Names that a note lists. */
const NAMED = 5;

/** Warns of groups whose names differ in upper and lower case alone. */
export function caseNote(
  groups: Iterable<readonly [name: string, records: number]>,
  field: string,
): string | undefined {
  const twins = [...Map.groupBy(groups, ([name]) => name.toLowerCase()).values()].filter(({ length }) => length > 1);
  if (twins.length === 0) return undefined;
  const words = twins.map((names) =>
    names.map(([name, records]) => `${label(name)} (${count(records)})`).join(" and ")
  );
  return `${counted(twins.length, "names")} of ${field} ${does(twins.length, "are")} written in upper and lower case ` +
    `and counted apart: ${listSome(words, NAMED)}. To join them, write them alike first (docs/polars.md)`;
}
