/**
 * Operators applied to expressions of polars, as in `pl.col("length") > 1000`. JavaScript compares the object that
 * stands for the expression with the number: a filter keeps nothing, and nobody says why.
 */
import type { Node } from "@babel/types";
import { calleeOf, visitCell } from "./program.ts";

/** Methods that do what an operator seems to do, and those that do it with the sides swapped, where there are any. */
const METHODS: Readonly<Record<string, readonly [own: string, swapped?: string]>> = {
  ">": ["gt", "lt"],
  ">=": ["gtEq", "ltEq"],
  "<": ["lt", "gt"],
  "<=": ["ltEq", "gtEq"],
  "==": ["eq", "eq"],
  "===": ["eq", "eq"],
  "!=": ["neq", "neq"],
  "!==": ["neq", "neq"],
  "+": ["plus", "plus"],
  "-": ["minus"],
  "*": ["multiplyBy", "multiplyBy"],
  "/": ["divideBy"],
  "%": ["modulo"],
  "&&": ["and", "and"],
  "&": ["and", "and"],
  "||": ["or", "or"],
  "|": ["or", "or"],
};
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
 */
export function findExpressionOperators(
  code: string,
  callOf: (name: string) => string | undefined = () => undefined,
): string[] {
  const found: (readonly [at: number, said: string])[] = [];
  const textOf = ({ start, end }: Node) => code.slice(start!, end!);
  const say = (own: Node, sign: string, instead: string) => {
    const { line } = own.loc!.start;
    const shown = instead.length > 2 * MOST_SHOWN ? `the method ${METHODS[sign]?.[0] ?? "not"}()` : instead;
    found.push([
      own.start!,
      `line ${line}: JavaScript applies ${sign} to the expression itself, not to its values: write ${shown}`,
    ]);
  };
  visitCell(code, (node, { isInner }) => {
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
    const [method, swapped] = METHODS[operator];
    const other = (side: Node) => JOINS.has(operator) ? "…" : textOf(side);
    if (isExpression(left)) say(left, operator, `${textOf(left)}.${method}(${other(right)})`);
    else if (isExpression(right)) {
      const [first, called, second] = swapped === undefined
        ? [`pl.lit(${other(left)})`, method, textOf(right)]
        : [textOf(right), swapped, other(left)];
      say(right, operator, `${first}.${called}(${second})`);
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
