/** How many different values columns hold, at no more cost than the question is worth. */
import type { Expr, LazyDataFrame } from "nodejs-polars";
import type { TextTest } from "@seqreg/core/parquet/read/text_kinds";
import type { ColumnFacts } from "@seqreg/core/engine/local/column_facts";
import { countGroupSizes } from "./group_sizes.ts";
import { countMissingTexts } from "./missing_texts.ts";
import { joinKey } from "./keyed_rows.ts";
import type { Run } from "./run.ts";
import { exactColumn, isTextType } from "@seqreg/core/engine/frames";

/** Distinct values of large tables up to which they are counted. */
export const FEW = 10_000;
/** Rows up to which everything is counted exactly. */
const MANY_ROWS = 1_000_000;
/** First rows by which the fields of a larger table are judged: of all at once, then of one where these do not tell. */
const [FIRST_ROWS, MORE_ROWS] = [100_000, 1_000_000];

/** What is known of a column's values. */
export interface Distinct {
  /** Distinct values that are not null; null for too many to be counted. */
  readonly distinct: number | null;
  /** Whether each record has one of its own. */
  readonly isKey: boolean;
  /** Whether texts that were looked for may be among them, where that was asked. */
  readonly mayHold?: boolean;
}

/** What is known before values are counted. */
interface KnownOfColumns {
  readonly records: number;
  readonly facts: ColumnFacts | undefined;
  readonly all: boolean;
  /** Texts that are looked for where that costs nothing. */
  readonly test?: TextTest;
}

/**
 * Whether placeholders are looked for among distinct values alone, which dictionaries or another engine have at hand:
 * to count the rows of a large table that hold them takes seconds.
 */
export function countsValuesAlone(run: Pick<Run, "abilities">, { records, facts, all }: KnownOfColumns): boolean {
  return (facts !== undefined || !run.abilities.collectsColumns) && records > MANY_ROWS && !all;
}

/**
 * Counts distinct values of columns other than lists, by column name.
 *
 * Of a large table, more than {@linkcode FEW} values that are no key are not counted: whether they are more is known
 * sooner than how many. The answer depends neither on the order of the rows nor on the engine.
 */
export async function countDistinct(
  run: Run,
  /** Number of values of each column. */
  values: ReadonlyMap<string, number>,
  /** Number of different placeholders in each column; they are not values. */
  words: ReadonlyMap<string, number>,
  wanted: KnownOfColumns,
): Promise<Map<string, Distinct>> {
  const found = run.abilities.collectsColumns
    ? await countByFiles(run, values, words, wanted)
    : await countByEngine(run, values, words, wanted);
  if (wanted.all || wanted.records <= MANY_ROWS) return found;
  return new Map([...found].map(([name, known]) => [name, {
    ...known,
    distinct: !known.isKey && (known.distinct ?? Infinity) + (words.get(name) ?? 0) > FEW ? null : known.distinct,
  }]));
}

async function countByEngine(
  run: Run,
  values: ReadonlyMap<string, number>,
  words: ReadonlyMap<string, number>,
  { records, test }: KnownOfColumns,
): Promise<Map<string, Distinct>> {
  const { pl, source } = run;
  const isId = (name: string, filled: number) =>
    name === source.idField && source.distinctIds !== undefined && filled === records;
  const left = [...values].filter(([name, filled]) => !isId(name, filled)).map(([name]) => name);
  // A count for each column: an engine that counts several in one pass multiplies its rows by them.
  const counts = left.map((name) =>
    source.scan().select(exactColumn(pl, name).dropNulls().nUnique().alias(DISTINCT)).withColumns(
      pl.lit(name).alias(COLUMN),
    )
  );
  const distincts = new Map(
    (await run.collectEach(counts)).map((row) => [String(row[COLUMN]), Number(row[DISTINCT])]),
  );
  const texts = test === undefined ? [] : [...values.keys()].filter((name) => isTextType(dtypeOf(run, name)));
  const holding = await countMissingTexts(run, texts);
  return new Map([...values].map(([name, filled]) => {
    const distinct = distincts.get(name) ?? source.distinctIds!;
    const isKey = records > 0 && distinct === records && filled === records;
    return [name, { distinct: distinct - (words.get(name) ?? 0), isKey, mayHold: holding.has(name) }];
  }));
}

function dtypeOf({ source }: Run, name: string): string {
  return source.columns.find((column) => column.name === name)?.dtype ?? "";
}

const [COLUMN, DISTINCT] = ["seqreg_column", "seqreg_distinct"];

/** Counts as much as files and first rows leave open. */
async function countByFiles(
  run: Run,
  values: ReadonlyMap<string, number>,
  words: ReadonlyMap<string, number>,
  wanted: KnownOfColumns,
): Promise<Map<string, Distinct>> {
  const { pl, source } = run;
  const { records, facts, all, test } = wanted;
  const mayHold = new Map<string, boolean>();
  const found = new Map<string, Distinct>();
  const judge = (name: string, distinct: number) =>
    found.set(name, {
      distinct: distinct - (words.get(name) ?? 0),
      isKey: records > 0 && distinct === records && values.get(name) === records,
    });
  const count = async (names: readonly string[], expression: (name: string) => Expr, rows: LazyDataFrame) =>
    names.length === 0
      ? {}
      : (await run.collect(rows.select(...names.map((name) => expression(name).alias(name))))).toRecords()[0];
  const ownDistinct = (name: string) => exactColumn(pl, name).dropNulls().nUnique();
  const firstDistinct = (names: readonly string[], rows: number) =>
    count(names, ownDistinct, source.scan().select(...names.map((name) => exactColumn(pl, name))).limit(rows));

  const fromFiles = new Map<string, number | undefined>();
  for (const [name, filled] of values) {
    if (name === source.idField && source.distinctIds !== undefined && filled === records) {
      judge(name, source.distinctIds);
      continue;
    }
    const looked = facts?.look(name, all ? Infinity : FEW, test);
    const told = looked?.distinct;
    if (test !== undefined) mayHold.set(name, looked?.mayHold ?? true);
    if (told !== undefined && Number.isFinite(told)) judge(name, told);
    else fromFiles.set(name, told);
  }
  if (all || records <= MANY_ROWS) {
    for (const name of fromFiles.keys()) judge(name, Number((await count([name], ownDistinct, source.scan()))[name]));
    return found;
  }

  // Many values, of which one is there twice or absent, are proof; only what shows neither is counted to the end.
  const isProof = (name: string, first: number, rows: number) =>
    first > FEW && (values.get(name)! < records || first < rows);
  const first = await firstDistinct([...fromFiles.keys()], FIRST_ROWS);
  const few: string[] = [];
  for (const [name, told] of fromFiles) {
    if (isProof(name, Number(first[name]), FIRST_ROWS)) found.set(name, { distinct: null, isKey: false });
    else if (Number(first[name]) <= FEW && told === undefined) few.push(name);
    else if (isProof(name, Number((await firstDistinct([name], MORE_ROWS))[name]), MORE_ROWS)) {
      found.set(name, { distinct: null, isKey: false });
    } else {judge(
        name,
        (await countGroupSizes(run, exactColumn(pl, name))).reduce((sum, { groups }) => sum + groups, 0),
      );}
  }
  const counts = await count(
    few,
    (name) => joinKey(run, exactColumn(pl, name)).filter(exactColumn(pl, name).isNotNull()).nUnique(),
    source.scan(),
  );
  for (const name of few) judge(name, Number(counts[name]));
  return new Map([...found].map(([name, known]) => [name, { ...known, mayHold: mayHold.get(name) ?? false }]));
}
