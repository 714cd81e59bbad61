/** An order of records that looks random, is the same on every engine, and needs no hash. */
import type { Expr, LazyDataFrame } from "nodejs-polars";
import type { Role } from "../source/roles.ts";
import type { Polars, Run } from "./run.ts";

/** A prime below 2^31: products of two numbers below it fit into 64 bits, with a sign, on every engine. */
export const ORDERS = 2_147_483_647;

/** What stands before the number in an accession, as most registries write them. */
const PREFIX_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
const PREFIX = /^[A-Za-z_]*/;
/** Rows whose accessions decide whether a pattern can be spared. */
const FIRST_ROWS = 1000;

/** Rows with a column of numbers from 0 to {@linkcode ORDERS} − 1. */
export interface DrawOrder {
  /** Every row has a number. */
  readonly all: LazyDataFrame;
  /**
   * The same numbers in a fraction of the time, null for rows whose accession is null or not a prefix and a number;
   * absent where such accessions are to be expected, or the engine is not quicker.
   */
  readonly quick?: LazyDataFrame;
}

/**
 * Adds a column of numbers by the digits of accessions and a seed: whole-number arithmetic, so that every engine
 * computes the same. Equal numbers are possible; an accession without digits has the same as 0.
 */
export async function withDrawOrder<Needed extends Role>(
  run: Run<Needed, Role>,
  rows: LazyDataFrame,
  { id, seed, name }: { readonly id: string; readonly seed: number; readonly name: string },
): Promise<DrawOrder> {
  const { pl } = run;
  const accession = pl.col(id).cast(pl.String);
  const text = accession.fillNull(pl.lit("0"));
  const number = text.str.stripCharsStart(PREFIX_CHARACTERS).cast(pl.Int64, false);
  const digits = text.str.replaceAll("[^0-9]+", "").str.slice(-18).cast(pl.Int64, false);
  const mixed = (number: Expr) => withMixed(pl, rows.withColumns(number.alias(name)), { seed, name });
  const all = mixed(number.fillNull(digits).fillNull(whole(pl, 0)));
  if (!run.abilities.collectsColumns) return { all };
  const first = await run.collect(rows.limit(FIRST_ROWS).select(text.alias(id), number.alias(name)));
  if (first.getColumn(name).nullCount() > 0) return { all };
  // A prefix of a known length is cut off in a sixth of the time.
  const [prefix] = PREFIX.exec(String(first.getColumn(id).toArray()[0] ?? ""))!;
  const rest = pl.when(accession.str.startsWith(prefix)).then(accession.str.slice(prefix.length))
    .otherwise(pl.lit(null)).cast(pl.Int64, false);
  const isCommon = first.select(rest.alias(name)).getColumn(name).nullCount() === 0;
  return { all, quick: mixed(isCommon ? rest : number) };
}

/** Mixes the numbers of a column: squares modulo a prime, so that neighbours lie apart. */
function withMixed(
  pl: Polars,
  rows: LazyDataFrame,
  { seed, name }: { readonly seed: number; readonly name: string },
): LazyDataFrame {
  const [first, second, third] = constantsOf(seed).map((one) => whole(pl, one));
  const [prime, factor] = [ORDERS, 48_271].map((one) => whole(pl, one));
  const number = pl.col(name);
  // A column each: an expression used twice is computed twice.
  return rows
    .withColumns(number.modulo(prime).mul(factor).add(first).modulo(prime).alias(name))
    .withColumns(number.mul(number).add(second).modulo(prime).alias(name))
    .withColumns(number.mul(number).add(third).modulo(prime).alias(name));
}

/** A whole number; a plain one of JavaScript is a float to polars. */
function whole(pl: Polars, value: number): Expr {
  return pl.lit(value).cast(pl.Int64);
}

/** Numbers below the prime that depend on a seed. */
function constantsOf(seed: number): [number, number, number] {
  let state = BigInt(seed) + 1n;
  const next = () =>
    Number((state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) % 2n ** 64n) >> 33n);
  return [next(), next(), next()];
}
