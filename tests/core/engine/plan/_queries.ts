/** Queries that together have every step, expression and option that plans may have. */
import pl from "nodejs-polars";
import type { LazyDataFrame } from "nodejs-polars";

/** Where the scans of the queries read; nothing has to be there. */
export const SCANNED = "/lake/table/part-*.parquet";

/** Types of the columns of the table. */
export const COLUMNS = { a: "String", n: "Int64", f: "Float64", b: "Bool", d: "Date", l: "List(String)" } as const;

const scan = () => pl.scanParquet(SCANNED, { cache: false });
const frame = () => pl.DataFrame([pl.Series("a", ["x", null], pl.String), pl.Series("m", [1, 2], pl.Int64)]).lazy();
const [a, n, f, b, d, l] = ["a", "n", "f", "b", "d", "l"].map((name) => pl.col(name));

export const QUERIES: Readonly<Record<string, () => LazyDataFrame>> = {
  scan,
  columns: () => scan().select("a", "n"),
  literals: () =>
    scan().select(
      a,
      pl.lit(1).alias("one"),
      pl.lit(-0.5).alias("half"),
      pl.lit(-0).alias("zero"),
      pl.lit("it's \\ \n").alias("text"),
      pl.lit(null).alias("none"),
      pl.lit(true).alias("yes"),
      pl.lit(7).cast(pl.Int64).alias("whole"),
      pl.lit("NaN").cast(pl.Float64).alias("nan"),
      pl.lit("-Infinity").cast(pl.Float64).alias("least"),
    ),
  comparisons: () =>
    scan().select(
      a.eq(pl.lit("x")).alias("1"),
      n.neq(pl.lit(5)).alias("2"),
      f.lt(n).alias("3"),
      f.ltEq(pl.lit(1)).alias("4"),
      d.gt(d).alias("5"),
      n.gtEq(pl.lit(2)).alias("6"),
    ),
  arithmetic: () =>
    scan().select(
      f.add(n).alias("1"),
      f.sub(pl.lit(1)).abs().alias("2"),
      f.mul(pl.lit(100)).alias("3"),
      f.div(n).alias("4"),
      n.modulo(pl.lit(7).cast(pl.Int64)).alias("5"),
    ),
  conditions: () => scan().filter(b.and(f.isFinite()).or(a.isNull().not())),
  predicates: () =>
    scan().select(
      f.isNan().alias("1"),
      f.isNotNan().alias("2"),
      f.isInfinite().alias("3"),
      a.isNotNull().alias("4"),
      n.isIn([1, 2]).alias("5"),
      a.isIn(["x", "it's"]).alias("6"),
      n.isNotNan().alias("7"),
      n.isFinite().alias("8"),
      n.isInfinite().alias("9"),
    ),
  choices: () =>
    scan().select(
      pl.when(b).then(pl.lit(null)).when(f.gt(pl.lit(0))).then(n).otherwise(f).alias("c"),
      f.fillNull(n),
      pl.when(pl.lit(null)).then(n).otherwise(n.add(pl.lit(1).cast(pl.Int64))).alias("m"),
    ),
  casts: () =>
    scan().select(
      f.cast(pl.Int64, false).alias("1"),
      a.cast(pl.Int64, false).alias("2"),
      n.cast(pl.String).alias("3"),
      n.cast(pl.Float64).alias("4"),
      b.cast(pl.Int64).alias("5"),
      d.cast(pl.Int64).alias("6"),
      pl.lit(null).cast(pl.String).alias("7"),
      pl.lit("12").cast(pl.Int64, false).alias("8"),
      pl.lit(null).cast(pl.Bool).alias("11"),
      pl.lit(null).cast(pl.Date).alias("12"),
      pl.lit(true).cast(pl.Int64).alias("9"),
      pl.lit(1.5).cast(pl.Int64, false).alias("10"),
    ),
  texts: () =>
    scan().select(
      a.str.contains("(?i)^\\s*(?:unknown|\\?)?\\s*$").alias("1"),
      a.str.contains("x.y", true).alias("2"),
      a.str.startsWith("x").alias("3"),
      a.str.endsWith("x").alias("4"),
      a.str.slice(-18).alias("5"),
      a.str.stripCharsStart("abc").alias("6"),
      a.str.replaceAll("[^0-9]+", "").alias("7"),
    ),
  aggregates: () =>
    scan().select(
      pl.len().alias("rows"),
      n.sum().alias("sum"),
      b.sum().alias("yes"),
      f.min().alias("least"),
      a.max().alias("most"),
      a.nUnique().alias("distinct"),
      f.dropNulls().nUnique().alias("values"),
      a.count().alias("filled"),
      n.filter(b).sum().alias("some"),
    ),
  "aggregates of changed filtered values": () =>
    scan().select(
      n.filter(b).cast(pl.Float64).mean().alias("1"),
      a.filter(b).str.slice(-2).max().alias("2"),
      f.filter(b).isNotNan().sum().alias("3"),
      n.filter(b).add(pl.lit(1).cast(pl.Int64)).min().alias("4"),
    ),
  groups: () => scan().groupBy(["a", "b"]).agg(pl.len().alias("n"), f.max().alias("most")),
  "groups in any order": () => scan().groupBy("a", false).agg(pl.len()),
  "groups of groups": () =>
    scan().groupBy("a").agg(pl.len().alias("size")).groupBy("size").agg(pl.len().alias("groups")),
  extended: () => scan().select("a", "f").withColumns(f.mul(pl.lit(2)).alias("f"), a.isNull().alias("none")),
  means: () =>
    scan().groupBy("a").agg(
      n.mean().alias("1"),
      f.mean().alias("2"),
      b.mean().alias("3"),
      n.median().alias("4"),
      f.quantile(0.25).alias("5"),
      n.std().alias("6"),
      f.var().alias("7"),
    ),
  "means of all": () => scan().select(n.mean().alias("1"), n.filter(b).median().alias("2")),
  ends: () =>
    scan().groupBy("a").agg(
      n.first().alias("1"),
      l.last().alias("2"),
      n.dropNulls().first().alias("3"),
      n.filter(b).last().alias("4"),
    ),
  "ends of all": () => scan().filter(b).select(n.first().alias("1"), a.last().alias("2")),
  "dates that are written": () =>
    scan().select(
      d.gt(pl.lit(new Date("2020-02-29"))).alias("1"),
      d.eq(pl.lit("0001-01-01").cast(pl.Date)).alias("2"),
      d.ltEq(pl.lit("2020-12-31").str.strptime(pl.Date, "%Y-%m-%d")).alias("3"),
    ),
  "counts as whole numbers": () =>
    scan().groupBy("a").agg(pl.len().alias("rows"), n.count().alias("filled"))
      .withColumns(
        pl.col("filled").cast(pl.Int64).sub(pl.col("rows")).alias("1"),
        pl.col("filled").sub(pl.lit(1)).alias("2"),
        pl.col("filled").add(pl.col("rows")).alias("3"),
      ),
  "upper and lower case": () =>
    scan().select(
      a.str.contains("(?i)kiwis").alias("1"),
      a.str.contains("x(?i:[a-c_])\\x69").alias("2"),
      a.str.contains("(?i)é|\\x{131}|ß").alias("3"),
    ),
  "ranks of rows that differ": () =>
    scan().select("a", "f", "n").withColumns(f.rank("ordinal").over("a").alias("rank")),
  ranked: () => scan().withColumns(f.rank("ordinal").over("a").alias("rank")),
  distinct: () => scan().select("a").unique(),
  "first rows": () => scan().select("a").filter(a.isNotNull()).limit(5),
  "rows between": () => scan().slice(3, 5),
  sorted: () => scan().select("a", "n").sort([a, n], [false, true], true),
  "sorted with lists": () => scan().select("n", "l").sort("n"),
  "first of unique sorted": () => scan().groupBy("a").agg(n.max()).sort("a", true).limit(2),
  "from sorted": () => scan().select("a", "n").sort("n").slice(3, 2),
  "first of sorted": () => scan().select("a", "n").sort("n").limit(2),
  "union in sequence": () => pl.concat([scan().select("a"), scan().select("a")], { parallel: false, rechunk: false }),
  union: () => pl.concat([scan().select("a", "n"), scan().filter(b).select("a", "n")]).groupBy("a").agg(n.sum()),
  "first rows of a union": () => pl.concat([scan().select("a"), scan().select("a").filter(a.isNotNull())]).slice(25, 5),
  "numbered union": () => pl.concat([scan().select("a"), scan().select("a")]).withRowIndex("row"),
  "numbered rows": () => scan().withRowIndex("row").filter(pl.col("row").isIn([1, 3])),
  "numbered columns": () => scan().select("a").withRowIndex("row", 1),
  "left join": () => scan().join(frame(), { on: "a", how: "left" }),
  "inner join": () => scan().join(scan().select("a", "n"), { leftOn: "a", rightOn: "a", how: "inner", suffix: "_q" }),
  "join in sequence": () =>
    scan().select("a").join(frame(), { on: "a", how: "left", allowParallel: false, forceParallel: true }),
  "semi join": () => scan().select("a").join(frame(), { on: "a", how: "semi" }),
  "full join": () => scan().select("a", "n").join(frame(), { on: "a", how: "full" }),
  "full join of one key": () => scan().select("a", "n").join(frame(), { on: "a", how: "full", coalesce: true }),
  "anti join": () => scan().select("a").join(frame(), { on: "a", how: "anti" }),
};

/** Queries that are refused, with the part that the error names. */
export const REFUSED: Readonly<Record<string, readonly [query: () => LazyDataFrame, part: string]>> = {
  hash: [() => scan().select(a.hash(1, 2, 3, 4)), "a function that polars does not write down"],
  "sum of floats": [() => scan().select(f.sum()), "sum() of floats"],
  "mean of texts": [() => scan().select(a.mean()), "mean() of texts"],
  "median of days": [() => scan().select(d.median()), "median() or quantile() of days"],
  "deviation of texts": [() => scan().select(a.std()), "std() or var() of texts"],
  "first of a frame": [() => frame().select(pl.col("m").first()), "the order of the rows of a frame"],
  "first of a join": [
    () => scan().join(frame(), { on: "a", how: "left" }).groupBy("a").agg(n.first()),
    "the order of the rows of a join",
  ],
  "rank after a join": [
    () => scan().join(frame(), { on: "a", how: "left" }).withColumns(n.rank("ordinal").over("a").alias("r")),
    "the order of the rows of a join",
  ],
  "difference of counts": [
    () => scan().groupBy("a").agg(n.count().sub(pl.len()).alias("c")),
    "sub of counts, which wraps in polars",
  ],
  "difference of counts that are columns": [
    () => scan().groupBy("a").agg(n.count(), pl.len().alias("r")).filter(n.sub(pl.col("r")).lt(pl.lit(0))),
    "sub of counts, which wraps in polars",
  ],
  "time within a day": [() => scan().filter(d.gt(pl.lit(new Date(1)))), "a time within a day"],
  "date as a value": [() => scan().select(a, pl.lit(new Date(0)).alias("day")), "a date outside of a comparison"],
  "date that is none": [() => scan().filter(d.gt(pl.lit("2020-02-30").cast(pl.Date))), 'the date "2020-02-30"'],
  "replacement of nothing": [() => scan().select(a.str.replaceAll("x*", "y")), "matches the empty text"],
  "replacement of ends": [() => scan().select(a.str.replaceAll("(?:b|$)", "y")), "matches the empty text"],
  "literal that is not finite": [() => scan().select(f, pl.lit(Infinity).alias("i")), "a literal that is not finite"],
  "division of whole numbers": [() => scan().select(n.div(pl.lit(2).cast(pl.Int64)).alias("q")), "a division of whole"],
  "sum of booleans": [() => scan().select(b.add(b)), "add of booleans"],
  "sum of days": [() => scan().select(d.add(d)), "add of days"],
  "least of lists": [() => scan().select(l.min()), "min() of lists"],
  "texts among whole numbers": [() => scan().select(n.isIn(["x"])), "isIn()"],
  "replacement by what was found": [() => scan().select(a.str.replaceAll("x", "$0")), "parts of what was found"],
  "numbered sums": [() => scan().select(n.sum()).withRowIndex("row"), "the order of aggregates"],
  "another type": [() => scan().select(n.cast(pl.Int32)), 'the type "Int32"'],
  "comparison of lists": [() => scan().select(l.eq(l)), "a comparison of lists"],
  "whole numbers for texts": [() => scan().select(n.fillNull(a)), "fillNull()"],
  "choice by a number": [() => scan().select(pl.when(n).then(a).otherwise(a).alias("c")), "when()"],
  "beginning of a number": [() => scan().select(n.str.stripCharsStart("1")), "stripCharsStart()"],
  "pattern in a number": [() => scan().select(n.str.replaceAll("1", "2")), "replaceAll()"],
  "text in a number": [() => scan().select(n.str.contains("1")), "contains()"],
  "start of a number": [() => scan().select(n.str.startsWith("1")), "startsWith()"],
  "end of a number": [() => scan().select(n.str.slice(-2)), "slice()"],
  "part of a text": [() => scan().select(a.str.slice(-4, 2)), "the function of texts Slice with -4, 2"],
  "beginning of a text": [() => scan().select(a.str.slice(2)), "the function of texts Slice with 2, null"],
  "values without nulls": [() => scan().select(f.dropNulls()), "dropNulls() outside of nUnique()"],
  "sum and rows": [() => scan().withColumns(n.sum().alias("s")), "an aggregate together with values of rows"],
  "filtered values": [() => scan().select(n.filter(b)), "filter() of values outside of an aggregate"],
  "filtered values that are filled": [
    () => scan().select(n.filter(b).fillNull(pl.lit(0).cast(pl.Int64)).mean()),
    "filter() of values outside of an aggregate",
  ],
  "filtered values that are missing": [
    () => scan().select(n.filter(b).isNull().sum()),
    "filter() of values outside of an aggregate",
  ],
  "filtered values or any": [
    () => scan().select(b.filter(b).or(b).sum()),
    "filter() of values outside of an aggregate",
  ],
  "distinct filtered values of another name": [
    () => scan().select(a.filter(b).alias("x").nUnique()),
    "filter() of values outside of an aggregate",
  ],
  "first of the ends of filtered texts": [
    () => scan().select(a.filter(b).str.slice(-2).first()),
    "filter() of values outside of an aggregate",
  ],
  "sum of a constant": [() => scan().groupBy("a").agg(pl.lit(1).sum().alias("s")), "sum() of a constant"],
  "sum in place of rows": [
    () => scan().select("n").withColumns(n.sum()),
    "an aggregate together with values of rows",
  ],
  "rank of lists": [() => scan().withColumns(l.rank("ordinal").over("a").alias("r")), "rank() of anything"],
  "text of a float": [() => scan().select(f.cast(pl.String)), "a cast of floats to texts"],
  "limit of groups": [() => scan().groupBy("a").agg(pl.len()).limit(1), "the order of groups"],
  "sort between steps": [() => scan().sort("a").filter(b), "sort() before another step"],
  "union of other columns": [
    () => pl.concat([scan().select("a"), scan().select("n")]),
    "a concat() of rows whose columns",
  ],
  "union of other types": [
    () => pl.concat([scan().select("a"), scan().select(n.alias("a"))]),
    "a concat() of rows whose columns",
  ],
  "union side by side": [() => pl.concat([scan(), scan()], { how: "diagonal" }), "Union with diagonal true"],
  "first rows of a union with a frame": [
    () => pl.concat([scan().select("a"), frame().select("a")]).limit(5),
    "the order of the rows of a frame",
  ],
  "numbers of a part of a union": [
    () => pl.concat([scan().select("a"), scan().select("a").filter(a.isNotNull())]).withRowIndex("row"),
    "numbers of the rows of a part",
  ],
  "window": [() => scan().select(n.sum().over("a").alias("r")), "Agg within over()"],
  "selector": [() => scan().drop("a"), "the expression Selector"],
  "possessive pattern": [() => scan().filter(a.str.contains("a*+")), "has no equal in Java"],
  "slice from the end": [() => scan().slice(-3, 2), "a slice from the end"],
  "unknown column": [() => scan().select("absent"), 'the column "absent"'],
};
