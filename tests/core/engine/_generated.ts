/** Frames of hostile values, and queries over them, from a seed: what every engine has to compute as polars does. */
import pl from "nodejs-polars";
import type { DataFrame, Expr, LazyDataFrame } from "nodejs-polars";
import { canonicalRows } from "../../../src/core/engine/digest/frame_digest.ts";
import type { ColumnDtype, EngineLake, EngineSession } from "../../../src/core/engine/engine.ts";
import { drawFrom } from "../../_randoms.ts";

const TEXTS = [
  "",
  " ",
  "a",
  "A",
  "a ",
  " a",
  "it's",
  'say "x"',
  "back\\slash",
  "$1",
  "%",
  "_",
  "line\nbreak",
  "tab\t",
  "\u0001",
  "é",
  "İı",
  "KIſS",
  "kiss",
  "ẞ",
  "e\u0301",
  "ß",
  "\u{1F9A0}",
  "\u00a0",
  "2013-12-XX",
  "2020",
  "2020-02",
  "2020-02-03",
  "NaN",
  "null",
  "?",
  "unknown",
  "N/A",
  "vj000000000001",
  "vj000000000010",
  "007",
  "-5",
  "+5",
  "9223372036854775807",
  "9223372036854775808",
  "1.0",
  " 5 ",
];
const FLOATS = [0, -0, 1, -1, 0.1, 0.5, 99.99, 1e300, -1e300, 5e-324, NaN, Infinity, -Infinity, 2 ** 53, 1e9];
const WHOLES = [0, 1, -1, 5, 7, 1000, 30_000, -30_000, 2 ** 31, -(2 ** 31), 2 ** 53 - 1];
const DAYS = [0, 1, -1, 18_295, 20_000, -25_567];
const PATTERNS = [
  "^a",
  "(?i)^\\s*(?:unknown|n/a|\\?)?\\s*$",
  "[0-9]+$",
  "^\\s|\\s$|[^\\x00-\\x{17f}]",
  "it's|\\\\",
  "5",
];

/** A query, and what it is called. */
export interface GeneratedCase {
  readonly name: string;
  readonly query: LazyDataFrame;
  /** Whether the order of its rows is part of its result. */
  readonly isOrdered: boolean;
  /** Whether its values are those of rows: of 0 and −0, which are equal, an aggregate may give either. */
  readonly keepsValues: boolean;
}

/** Column that holds the seed of a row's frame. */
const CASE = "case";

/** Makes a frame of some rows, or of none. */
function generateFrame(seed: number): DataFrame {
  const random = drawFrom(seed);
  const pick = <T>(values: readonly T[]): T => values[random(values.length)];
  const rows = random(12) === 0 ? 0 : 1 + random(40);
  const some = <T>(values: readonly T[]) => Array.from({ length: rows }, () => random(6) === 0 ? null : pick(values));
  const lists = some(TEXTS).map((text) => text === null ? null : Array.from({ length: random(3) }, () => pick(TEXTS)));
  return pl.DataFrame([
    pl.Series(CASE, new Array(rows).fill(seed), pl.Int64),
    pl.Series("k", some(["x", "y", "X", ""]), pl.String),
    pl.Series("t", some(TEXTS), pl.String),
    pl.Series('quo"te`s', some(TEXTS), pl.String),
    pl.Series("n", some(WHOLES), pl.Int64),
    pl.Series("f", some(FLOATS), pl.Float64),
    pl.Series("g", some(FLOATS), pl.Float64),
    pl.Series("b", some([true, false]), pl.Bool),
    pl.Series("d", some(DAYS), pl.Int64).cast(pl.Int32).cast(pl.Date),
    pl.Series("l", [[""], ...lists], pl.List(pl.String)).tail(rows),
  ]);
}

/** Makes a query over the frame of a seed, which is among the rows of a scan. */
export function generateCase(seed: number, scan: LazyDataFrame): GeneratedCase {
  const random = drawFrom(~seed);
  const pick = <T>(values: readonly T[]): T => values[random(values.length)];
  const number = (): Expr =>
    pick<() => Expr>([
      () => pl.col("n"),
      () => pl.col("f"),
      () => pl.col("n").cast(pl.Float64),
      () => pl.col("f").cast(pl.Int64, false),
      () => pl.col("f").div(pl.col("g")),
      () => pl.col("f").mul(pl.lit(100)),
      () => pl.col("f").sub(pl.col("g")).abs(),
      () => pl.col("n").modulo(pl.lit(7).cast(pl.Int64)),
      () => pl.col("f").fillNull(pl.lit(1)),
      () => pl.when(condition()).then(pl.col("f")).otherwise(pl.lit(null)),
      () => pl.when(pl.col("b")).then(pl.lit("NaN").cast(pl.Float64)).otherwise(pl.col("n").cast(pl.Float64)),
      () => pl.col("t").cast(pl.Int64, false),
      () => pl.col("t").str.replaceAll("[^0-9]+", "").str.slice(-18).cast(pl.Int64, false),
      () => pl.col("d").cast(pl.Int64),
    ])();
  const text = (): Expr =>
    pick<() => Expr>([
      () => pl.col("t"),
      () => pl.col('quo"te`s'),
      () => pl.col("n").cast(pl.String),
      () => pl.col("b").cast(pl.String),
      () => pl.col("d").cast(pl.String),
      () => pl.col("t").str.slice(-3),
      () => pl.col("t").str.stripCharsStart("av'\\"),
      () => pl.when(condition()).then(pl.col("t")).otherwise(pl.lit('it\'s \\ "x" \n \u0001')),
    ])();
  const condition = (): Expr =>
    pick<() => Expr>([
      () => pl.col("b"),
      () => pl.col("b").not(),
      () => pl.col("f").gtEq(pl.col("g")),
      () => pl.col("f").eq(pl.col("g")),
      () => pl.col("f").neq(pl.lit(0)),
      () => pl.col("n").lt(pl.lit(5)),
      () => pl.col("t").ltEq(pl.col('quo"te`s')),
      () => pl.col("t").eq(pl.lit(pick(TEXTS))),
      () => pl.col("t").str.contains(pick(PATTERNS)),
      () => pl.col("t").str.startsWith("a"),
      () => pl.col("t").str.contains("a", true),
      () => pl.col("t").isIn([pick(TEXTS), pick(TEXTS), "a"]),
      () => pl.col("n").isIn([1, 5, 7]),
      () => pl.col("f").isNan(),
      () => pl.col("f").isFinite().and(pl.col("b")),
      () => pl.col("f").isInfinite().or(pl.col("t").isNull()),
      () => pl.col("l").isNotNull(),
    ])();
  const named = (expressions: readonly Expr[]) => expressions.map((one, at) => one.alias(`e${at}`));
  const rowsOf = scan.filter(pl.col(CASE).eq(pl.lit(seed)));
  const some = () => rowsOf.filter(condition()).select("t", "n", "f", "d");
  const kinds: Readonly<Record<string, () => LazyDataFrame>> = {
    select: () => rowsOf.select(...named([number(), number(), text(), text(), condition(), condition()]), pl.col("l")),
    filter: () => rowsOf.filter(condition()).withColumns(number().alias("more"), text().alias("t")),
    group: () =>
      rowsOf.groupBy([pick(["k", "t", "b", "d", "n"])]).agg(
        pl.len().alias("len"),
        pl.col("b").sum().alias("yes"),
        condition().sum().alias("such"),
        pl.col("f").min().alias("least"),
        pl.col("f").max().alias("most"),
        pl.col("d").max().alias("latest"),
        pl.col('quo"te`s').min().alias("first"),
        pl.col("f").dropNulls().nUnique().alias("floats"),
        pl.col("l").count().alias("lists"),
      ),
    "group by floats": () => rowsOf.select(pl.col("f").alias("f"), pl.col("k")).groupBy(["f", "k"]).agg(pl.len()),
    aggregate: () =>
      rowsOf.select(
        pl.len().alias("len"),
        pl.col("t").nUnique().alias("texts"),
        pl.col("f").nUnique().alias("floats"),
        condition().sum().alias("such"),
        pl.col("f").filter(condition()).max().alias("most"),
        pl.col("n").min().alias("least"),
      ),
    quantiles: () => {
      // The mean is exact while the sum is below 2^53.
      const small = pl.when(pl.col("n").abs().lt(pl.lit(1e5))).then(pl.col("n")).otherwise(pl.lit(null)).cast(pl.Int64);
      return rowsOf.groupBy([pick(["k", "b", "d"])]).agg(
        small.mean().alias("mean"),
        pl.col("b").mean().alias("share"),
        pl.col("n").median().alias("median"),
        pl.col("f").median().alias("middle"),
        pl.col("f").quantile(pick([0, 0.25, 0.5, 0.9, 1])).alias("quantile"),
      );
    },
    ends: () =>
      rowsOf.filter(condition()).groupBy([pick(["k", "b", "d"])]).agg(
        pl.col("n").first().alias("first"),
        pl.col("t").last().alias("last"),
        pl.col("f").dropNulls().first().alias("filled"),
        pl.col("d").filter(condition()).last().alias("such"),
        pl.col("l").first().alias("list"),
      ),
    "ends of all": () => rowsOf.select(pl.col("t").first().alias("first"), pl.col("f").last().alias("last")),
    rank: () => rowsOf.select("n", "t", "k", "d").withColumns(pl.col("n").rank("ordinal").over("k").alias("rank")),
    "full join": () => {
      const other = rowsOf.filter(condition()).groupBy(["t"]).agg(pl.col("d").max().alias("day"));
      return rowsOf.filter(condition()).select("t", "n").join(other, {
        on: "t",
        how: "full",
        coalesce: random(2) === 0,
      });
    },
    days: () =>
      rowsOf.select(
        pl.col("d"),
        pl.col("d").gt(pl.lit(new Date("2020-02-03"))).alias("after"),
        pl.col("d").ltEq(pl.lit("1970-01-01").cast(pl.Date)).alias("before"),
      ),
    cases: () =>
      rowsOf.select(
        pl.col("t"),
        pl.col("t").str.contains(pick(["(?i)i", "(?i)[h-k]", "(?i:k|s)$", "(?i)^[^i]*$", "(?i)ß"])).alias("is"),
      ),
    sizes: () => rowsOf.groupBy("t").agg(pl.len().alias("size")).groupBy("size").agg(pl.len().alias("groups")),
    sort: () =>
      rowsOf.select(pl.col("f"), pl.col("t"), pl.col("n"), pl.col("b")).unique()
        .sort(["f", "t", "n", "b"].map((name) => pl.col(name)), random(2) === 0, random(2) === 0).limit(1 + random(9)),
    join: () => {
      const other = rowsOf.groupBy(["t"]).agg(pl.len().alias("n"), pl.col("d").max().alias("day"));
      return rowsOf.select(pl.col("t"), pl.col("n"), pl.col("f"))
        .join(other, { on: "t", how: pick(["left", "inner"]), suffix: "_o" });
    },
    semi: () =>
      rowsOf.select(pl.col("t"), pl.col("k")).join(rowsOf.filter(condition()).select("t"), {
        on: "t",
        how: pick(["semi", "anti"]),
      }),
    union: () => pl.concat([some(), some()]).groupBy(["t"]).agg(pl.len(), pl.col("f").max(), pl.col("n").min()),
    // polars itself panics at a slice behind the last row of a union.
    "rows of a union": () => pl.concat([some(), some()]).limit(1 + random(30)),
  };
  const kind = pick(Object.keys(kinds));
  const keepsValues = ["select", "filter", "rows of a union", "rank", "days", "cases"].includes(kind);
  const isOrdered = kind === "sort" || kind === "rows of a union";
  return { name: `${kind}, seed ${seed}`, query: kinds[kind](), isOrdered, keepsValues };
}

/** Writes the frames of some seeds into a folder, as one table of a lake. */
export async function writeGenerated(
  folder: string,
  from: number,
  to: number,
  name = "generated",
): Promise<EngineLake> {
  const frames = Array.from({ length: to - from }, (_, at) => generateFrame(from + at));
  const frame = frames.length === 1 ? frames[0] : pl.concat(frames);
  const location = `${folder}/${name}.parquet`;
  frame.writeParquet(location);
  const { size } = await Deno.stat(location);
  const columns = frame.columns.map((name) => ({ name, dtype: DTYPES[name] ?? "String" }));
  const parts = [{ name: `${name}.parquet`, location, rows: frame.height, bytes: size }];
  const scan = () => pl.scanParquet(location, { cache: false });
  return { location: folder, tables: [{ name, rows: frame.height, columns, parts, scan }] };
}

const DTYPES: Readonly<Record<string, ColumnDtype>> = {
  [CASE]: "Int64",
  n: "Int64",
  f: "Float64",
  g: "Float64",
  b: "Bool",
  d: "Date",
  l: "List(String)",
};

/** Runs a case here and on a session; describes the difference, if there is one. */
export async function compareCase(generated: GeneratedCase, session: EngineSession): Promise<string | undefined> {
  return await compareResult(generated, await session.collect(generated.query));
}

/** Runs a case here; describes how another engine's result differs, if it does. */
export async function compareResult(
  { query, isOrdered, keepsValues }: GeneratedCase,
  result: DataFrame,
): Promise<string | undefined> {
  const frames = [query.collectSync(), result];
  const [here, there] = await Promise.all(frames.map(async (frame) => {
    const rows = await canonicalRows(frame, { signedZeros: keepsValues });
    return { columns: JSON.stringify(frame.columns), rows: isOrdered ? rows : rows.sort() };
  }));
  if (here.columns !== there.columns) return `columns ${here.columns} here, ${there.columns} there`;
  const at = Array.from({ length: Math.max(here.rows.length, there.rows.length) }, (_, row) => row)
    .find((row) => here.rows[row] !== there.rows[row]);
  return at === undefined ? undefined : `row ${at} of ${here.rows.length} here and ${there.rows.length} there:\n` +
    `  here  ${here.rows[at]}\n  there ${there.rows[at]}`;
}
