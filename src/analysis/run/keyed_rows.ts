/** Rows by the keys of texts, where there may be as many keys as rows. */
import type { DataFrame, Expr, LazyDataFrame } from "nodejs-polars";
import type { Role } from "../source/roles.ts";
import type { Polars, Run } from "./run.ts";
import { replaceTexts } from "../source/replace_texts.ts";
import { valueWords } from "../source/text_keys.ts";
import { keyOf, missingKind, ODD_PATTERN, otherKeys, PLACEHOLDER } from "../source/texts.ts";

const ODD = "seqreg_odd";

/** Names of the columns of keys: `key 0`, `key 1`, … */
export function keyName(at: number): string {
  return `key ${at}`;
}

/** Texts of roles, one column each, of the rows that have all of them. */
function filledTexts<Needed extends Role>(run: Run<Needed, Role>, roles: readonly Needed[]): LazyDataFrame {
  const filled = roles.map((role) => run.text(role).isNotNull()).reduce((a, b) => a.and(b));
  return run.source.scan().filter(filled).select(...roles.map((role, at) => run.text(role).alias(keyName(at))));
}

/**
 * Hashes of the keys of roles, one column each, of the rows that have all of them: for so many keys that they are not
 * held as texts. Equal texts in two of the columns have different hashes. Not every engine has these hashes.
 */
export async function hashedKeys<Needed extends Role>(
  run: Run<Needed, Role>,
  roles: readonly Needed[],
): Promise<DataFrame> {
  const { pl } = run;
  const names = roles.map((_, at) => keyName(at));
  const texts = filledTexts(run, roles);
  const hashes = names.map((name, at) => hashed(pl.col(name), pl, at + 1).alias(name));
  const unsure = names.filter((_, at) => run.mayBeOdd(roles[at]));
  if (unsure.length === 0) return await run.collect(texts.select(...hashes));
  const odd = unsure.map((name) => pl.col(name).str.contains(ODD_PATTERN)).reduce((a, b) => a.or(b));
  const all = await run.collect(texts.select(...hashes, odd.alias(ODD)));
  if (all.filter(pl.col(ODD)).height === 0) return all.select(...names);
  // Only the few rows that may have another key are read as texts.
  const rest = await run.collect(texts.filter(odd));
  const words: ReadonlySet<string>[] = [];
  let others = 0;
  for (const [at, name] of names.entries()) {
    const texts = rest.getColumn(name).unique().toArray();
    words.push(await valueWords(run, run.name(roles[at]), texts));
    if (unsure.includes(name)) others += otherKeys(texts, words[at]).size;
  }
  if (others === 0) return all.select(...names);
  const keyed = names.map((name, at) => rest.getColumn(name).toArray().map((text) => keyOf(String(text), words[at])));
  for (const [at, role] of roles.entries()) {
    const said = rest.getColumn(names[at]).toArray().filter((text) =>
      missingKind(String(text), words[at]) === PLACEHOLDER
    );
    run.notePlaceholders(role, said.length);
  }
  const known = keyed[0].map((_, row) => row).filter((row) => keyed.every((keys) => keys[row] !== null));
  const frame = pl.DataFrame(names.map((name, at) => pl.Series(name, known.map((row) => keyed[at][row]), pl.String)));
  return pl.concat([all.filter(pl.col(ODD).not()).select(...names), run.here(frame.lazy().select(...hashes))]);
}

const COUNT = "seqreg_count";

/** The same keys as texts, lazily, for an engine that groups them itself: texts with another key are joined to it. */
export async function keyedRows<Needed extends Role>(
  run: Run<Needed, Role>,
  roles: readonly Needed[],
): Promise<LazyDataFrame> {
  const { pl } = run;
  const texts = filledTexts(run, roles);
  let rows = texts;
  const names = roles.map((_, at) => keyName(at));
  const unsure = names.filter((_, at) => run.isText(roles[at]));
  if (unsure.length === 0) return rows;
  const odd = unsure.map((name) => pl.col(name).str.contains(ODD_PATTERN)).reduce((a, b) => a.or(b));
  for (const [at, role] of roles.entries()) {
    const name = keyName(at);
    if (!unsure.includes(name)) continue;
    const counted = (await run.collect(texts.filter(odd).groupBy(name).agg(pl.len().alias(COUNT)))).toRecords();
    const found = counted.map(({ [name]: text }) => text);
    const words = await valueWords(run, run.name(role), found);
    const placeholders = counted.filter(({ [name]: text }) => missingKind(String(text), words) === PLACEHOLDER);
    run.notePlaceholders(role, placeholders.reduce((sum, { [COUNT]: n }) => sum + Number(n), 0));
    rows = replaceTexts(pl, rows, { names, of: name, by: otherKeys(found, words) });
  }
  return rows.filter(roles.map((_, at) => pl.col(keyName(at)).isNotNull()).reduce((a, b) => a.and(b)));
}

/**
 * A column as 64-bit hashes, so that millions of different texts can be counted without holding them. The chance that
 * two of fifteen million texts have the same hash is 6 in a million; null has a hash too. The same texts
 * have other hashes under another `kind`.
 */
export function hashed(column: Expr, pl: Polars, kind = 1): Expr {
  // The cast changes no number: without it, the streaming engine of polars 0.54 assumes the type of the column.
  return column.hash(kind, 2, 3, 4).cast(pl.UInt64);
}

/** A column by which two tables are joined; hashes, which not every engine has, take less memory. */
export function joinKey({ abilities, pl }: Pick<Run, "abilities" | "pl">, id: Expr): Expr {
  return abilities.hashes ? hashed(id, pl) : id.cast(pl.String);
}

/** First rows of two tables by which their order is judged. */
const FIRST_ROWS = 10_000;

/** Rows, and the column of their {@linkcode joinKey}. */
interface JoinedRows {
  readonly rows: LazyDataFrame;
  readonly id: string;
}

/**
 * All rows of the source and of another table side by side, if both have the same keys in the same order, as archives
 * of one registry mostly do: this takes a third of the time and memory of a join. `undefined` otherwise, and of an
 * engine that has rows in no order.
 */
export async function sideBySide(
  run: Pick<Run, "abilities" | "pl" | "collect" | "countRows">,
  one: JoinedRows,
  other: JoinedRows & { readonly count: number },
): Promise<LazyDataFrame | undefined> {
  if (!run.abilities.keepsOrder || other.count !== await run.countRows()) return undefined;
  const { pl } = run;
  const same = pl.col(one.id).eq(pl.col(other.id)).sum().alias("same");
  const stack = async (rows: (table: LazyDataFrame) => LazyDataFrame) => {
    const both = pl.concat([await run.collect(rows(one.rows)), await run.collect(rows(other.rows))], {
      how: "horizontal",
    });
    return Number(both.select(same).toRecords()[0].same) === both.height ? both : undefined;
  };
  // A look at the first rows, before all are held in memory.
  if (await stack((table) => table.limit(FIRST_ROWS)) === undefined) return undefined;
  return (await stack((table) => table))?.lazy();
}
