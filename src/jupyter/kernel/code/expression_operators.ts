/**
 * Operators applied to expressions of polars, as in `pl.col("length") > 1000`. JavaScript compares the object that
 * stands for the expression with the number: a filter keeps nothing, and nobody says why.
 *
 * @module
 */
import { endOfOperand } from "./stoppable_awaits.ts";
import { tokenize } from "./tokens.ts";

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
  const parsed = tokenize(code);
  const { tokens } = parsed;
  const said = new Map<number, string>();
  const textOf = (from: number, to: number) => code.slice(tokens[from].start, tokens[to].end);
  for (const [index, { kind, text, start }] of tokens.entries()) {
    if (kind !== "word" || tokens[index - 1]?.text === ".") continue;
    const isMade = tokens[index + 1]?.text === "." && MAKERS.has(`${text}.${tokens[index + 2]?.text}`) &&
      tokens[index + 3]?.text === "(";
    if (!isMade && !MAKERS.has(callOf(text) ?? "")) continue;
    const end = endOfOperand(parsed, index);
    // Its text is no expression.
    if (end === undefined || textOf(index, end).includes("toString")) continue;
    const own = textOf(index, end);
    const after = tokens[end + 1]?.text ?? "";
    const before = tokens[index - 1]?.text ?? "";
    let instead: string | undefined;
    let sign = after;
    if (Object.hasOwn(METHODS, after)) {
      const last = endOfOperand(parsed, end + 2);
      const other = last === undefined || JOINS.has(after) ? "…" : textOf(end + 2, last);
      instead = `${own}.${METHODS[after]}(${other})`;
    } else if (before === "!") [sign, instead] = ["!", `${own}.not()`];
    else if (Object.hasOwn(METHODS, before) && isOperand(tokens[index - 2]?.kind, tokens[index - 2]?.text)) {
      const other = tokens[index - 2].kind === "sign" || JOINS.has(before) ? "…" : tokens[index - 2].text;
      const method = METHODS[before];
      sign = before;
      instead = SYMMETRIC.has(method) || Object.hasOwn(SWAPPED, method)
        ? `${own}.${SWAPPED[method] ?? method}(${other})`
        : `pl.lit(${other}).${method}(${own})`;
    }
    if (instead === undefined || instead.length > 2 * MOST_SHOWN) instead &&= `the method ${METHODS[sign] ?? "not"}()`;
    if (instead === undefined || said.has(start)) continue;
    const line = code.slice(0, start).split("\n").length;
    said.set(
      start,
      `line ${line}: JavaScript applies ${sign} to the expression itself, not to its values: write ${instead}`,
    );
  }
  return [...said.values()];
}

/** Whether an operand ends with this token: then a sign behind it stands between two. */
function isOperand(kind: string | undefined, text: string | undefined): boolean {
  return kind !== undefined && (kind !== "sign" || text === ")" || text === "]");
}
