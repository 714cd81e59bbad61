/** An order of records that looks random, is the same on every engine, and needs no hash. */
import type { Expr, LazyDataFrame } from "nodejs-polars";
import type { Role } from "../source/roles.ts";
import type { Polars, Run } from "./run.ts";

/** A prime below 2^31: products of two numbers below it fit into 64 bits, with a sign, on every engine. */
export const ORDERS = 2_147_483_647;

/** Accessions as most registries write them: a prefix, then a number. */
const PREFIXED = /^[A-Za-z_]*[0-9]{1,18}$/;
const PREFIX_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";

/**
 * Adds a column of numbers from 0 to {@linkcode ORDERS} − 1 by the digits of accessions and a seed: whole-number
 * arithmetic, so that every engine computes the same. Equal numbers are possible; an accession without digits has the
 * same as 0.
 */
export async function withDrawOrder<Needed extends Role>(
  run: Run<Needed, Role>,
  rows: LazyDataFrame,
  { id, seed, name }: { readonly id: string; readonly seed: number; readonly name: string },
): Promise<LazyDataFrame> {
  const { pl } = run;
  const text = pl.col(id).cast(pl.String);
  const [{ least, most }] = (await run.collect(rows.select(text.min().alias("least"), text.max().alias("most"))))
    .toRecords();
  // Which texts are there decides, not their order; a pattern takes several times as long as a prefix.
  const isPrefixed = [least, most].every((one) => typeof one === "string" && PREFIXED.test(one));
  const digits = isPrefixed ? text.str.stripCharsStart(PREFIX_CHARACTERS) : text.str.replaceAll("[^0-9]+", "");
  const [first, second, third, fourth] = constantsOf(seed).map((one) => whole(pl, one));
  const prime = whole(pl, ORDERS);
  const number = pl.col(name);
  // Squares modulo a prime, so that neighbours lie apart. A column each: an expression used twice is computed twice.
  return rows
    .withColumns(digits.str.slice(-18).cast(pl.Int64, false).fillNull(whole(pl, 0)).alias(name))
    .withColumns(number.add(first).modulo(prime).mul(whole(pl, 48_271)).add(second).modulo(prime).alias(name))
    .withColumns(number.mul(number).add(third).modulo(prime).alias(name))
    .withColumns(number.mul(number).add(fourth).modulo(prime).alias(name));
}

/** A whole number; a plain one of JavaScript is a float to polars. */
function whole(pl: Polars, value: number): Expr {
  return pl.lit(value).cast(pl.Int64);
}

/** Numbers below the prime that depend on a seed. */
function constantsOf(seed: number): [number, number, number, number] {
  let state = BigInt(seed) + 1n;
  const next = () =>
    Number((state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) % 2n ** 64n) >> 33n);
  return [next(), next(), next(), next()];
}
