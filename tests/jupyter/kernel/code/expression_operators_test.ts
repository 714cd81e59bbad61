import { assertEquals } from "@std/assert";
import { findExpressionOperators } from "../../../../src/jupyter/kernel/code/expression_operators.ts";

Deno.test("findExpressionOperators() names the method for each operator, on both sides", () => {
  const cases: Record<string, string> = {
    'pl.col("a b") > 1000': 'pl.col("a b").gt(1000)',
    'pl.col("a") >= x.y(2)': 'pl.col("a").gtEq(x.y(2))',
    'pl.col("a").sum() < 1': 'pl.col("a").sum().lt(1)',
    '"x" === pl.col("a")': 'pl.col("a").eq("x")',
    '1000 <= pl.col("a")': 'pl.col("a").gtEq(1000)',
    'pl.col("a") + pl.lit(1)': 'pl.col("a").plus(pl.lit(1))',
    '1 - pl.col("a")': 'pl.lit(1).minus(pl.col("a"))',
    '!pl.col("a").isNull()': 'pl.col("a").isNull().not()',
    'pl.col("a").gt(1) && y': 'pl.col("a").gt(1).and(…)',
    "own != 3": "own.neq(3)",
  };
  for (const [code, expected] of Object.entries(cases)) {
    const [said] = findExpressionOperators(code, (name) => name === "own" ? "pl.col" : undefined);
    assertEquals(said?.split("write ").at(-1), expected, code);
  }
});

Deno.test("findExpressionOperators() is silent about everything else", () => {
  for (
    const code of [
      'pl.col("a").gt(1)',
      'const a = pl.col("a"), b = 2 > 1;',
      'x = pl.col("a"); y > 2',
      '`${pl.col("a")}`',
      'pl.col("a").toString() === "a"',
      "other.pl.col(1) > 2",
      '[pl.col("a"), pl.col("b")]',
      'f({ a: pl.col("a") }) > 2',
      "pl.DataFrame({ a: [1] }).height > 0",
      "// pl.col(1) > 2",
      '"pl.col(1) > 2"',
      'const f = () => pl.col("a");',
      "pl > 2",
      'pl.col("a") >',
      "const f = (own) => own > 1",
    ]
  ) assertEquals(findExpressionOperators(code, (name) => name === "own" ? "pl.col" : undefined), [], code);
});
