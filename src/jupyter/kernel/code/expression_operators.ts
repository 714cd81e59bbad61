/**
 * Operators applied to expressions of polars, as in `pl.col("length") > 1000`. JavaScript compares the object that
 * stands for the expression with the number: a filter keeps nothing, and nobody says why.
 *
 * @module
 */
import type { Node } from "@babel/types";
import { calleeOf, visitCell } from "./program.ts";

/** Methods that do what an operator seems to do. */
const METHODS: Readonly<Record<string, string>> = {
  ">": "gt",
  ">=": "gtEq",
  "<": "lt",
  "<=": "ltEq",
  "==": "eq",
  "===": "eq",
  "!=": "neq",
  "!==": "neq",
  "+": "plus",
  "-": "minus",
  "*": "multiplyBy",
  "/": "divideBy",
  "%": "modulo",
  "&&": "and",
  "&": "and",
  "||": "or",
  "|": "or",
};
/** The same comparison with its sides swapped. */
const SWAPPED: Readonly<Record<string, string>> = { gt: "lt", gtEq: "ltEq", lt: "gt", ltEq: "gtEq" };
/** Methods that mean the same with their sides swapped. */
const SYMMETRIC = new Set(["eq", "neq", "plus", "multiplyBy", "and", "or"]);
/** Operators whose other side is a condition of its own, seldom one operand. */
const JOINS = new Set(["&&", "&", "||", "|"]);
/** Functions of polars that return expressions. */
const MAKERS = new Set(["pl.col", "pl.lit", "pl.element", "pl.all", "pl.concatList", "pl.concatString"]);
/** Characters of code that a message shows. */
const MOST_SHOWN = 60;

/**
 * Finds them, without running anything.
 *
 * @param code A cell or a script, with polars as `pl`.
 * @param callOf The call that a name was declared as the result of.
 * @returns A sentence for each, with its line.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { findExpressionOperators } from "./expression_operators.ts";
 *
 * assertEquals(findExpressionOperators('frame.filter(pl.col("n") > 1000)'), [
 *   'line 1: JavaScript applies > to the expression itself, not to its values: write pl.col("n").gt(1000)',
 * ]);
 * ```
 */
export function findExpressionOperators(
  code: string,
  callOf: (name: string) => string | undefined = () => undefined,
): string[] {
  const found: (readonly [at: number, said: string])[] = [];
  const textOf = ({ start, end }: Node) => code.slice(start!, end!);
  const say = (own: Node, sign: string, instead: string) => {
    const line = code.slice(0, own.start!).split("\n").length;
    const shown = instead.length > 2 * MOST_SHOWN ? `the method ${METHODS[sign] ?? "not"}()` : instead;
    found.push([
      own.start!,
      `line ${line}: JavaScript applies ${sign} to the expression itself, not to its values: write ${shown}`,
    ]);
  };
  visitCell(code, (node, isInner) => {
    const isExpression = (side: Node) => {
      const maker = makerOf(side, (name) => isInner(name) ? undefined : callOf(name));
      // Its text is no expression.
      return MAKERS.has(maker ?? "") && !textOf(side).includes("toString");
    };
    if (node.type === "UnaryExpression" && node.operator === "!" && isExpression(node.argument)) {
      say(node.argument, "!", `${textOf(node.argument)}.not()`);
    }
    if (node.type !== "BinaryExpression" && node.type !== "LogicalExpression") return;
    const { left, operator, right } = node;
    if (!Object.hasOwn(METHODS, operator)) return;
    const method = METHODS[operator];
    const other = (side: Node) => JOINS.has(operator) ? "…" : textOf(side);
    if (isExpression(left)) say(left, operator, `${textOf(left)}.${method}(${other(right)})`);
    else if (isExpression(right)) {
      const isSwapped = SYMMETRIC.has(method) || Object.hasOwn(SWAPPED, method);
      say(
        right,
        operator,
        isSwapped
          ? `${textOf(right)}.${SWAPPED[method] ?? method}(${other(left)})`
          : `pl.lit(${other(left)}).${method}(${textOf(right)})`,
      );
    }
  });
  return found.sort(([a], [b]) => a - b).map(([, said]) => said);
}

/** The call that a chain of members and calls begins with: `pl.col` of `pl.col("a").sum()`. */
function makerOf(node: Node, callOf: (name: string) => string | undefined): string | undefined {
  const callee = calleeOf(node).join(".");
  if (MAKERS.has(callee)) return callee;
  if (node.type === "Identifier") return callOf(node.name);
  if (node.type === "CallExpression") return makerOf(node.callee, callOf);
  return node.type === "MemberExpression" ? makerOf(node.object, callOf) : undefined;
}
