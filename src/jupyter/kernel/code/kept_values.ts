/**
 * Values that the real kernel loses: of `NaN`, `Infinity`, `-0` and bigints it gets nothing but that they are there,
 * whether a cell ends with one or throws it.
 *
 * So what may be one is passed through a function that keeps it (`inside/kept_values.ts`), on the same line. Of an
 * `await` the function comes behind what is awaited: columns in the stack of an error stay.
 */
import type { Node } from "@babel/types";
import { type Insert, insertAll, readCell, visitCell } from "./program.ts";
import { OUTER_NAME } from "./stoppable_awaits.ts";

export const KEEP_NAME = "__seqreg_keep";

/** Expressions that may be such a value; others show themselves. */
const MAY_BE = new Set<Node["type"]>([
  "AssignmentExpression",
  "BigIntLiteral",
  "BinaryExpression",
  "CallExpression",
  "ConditionalExpression",
  "Identifier",
  "LogicalExpression",
  "MemberExpression",
  "NumericLiteral",
  "OptionalCallExpression",
  "OptionalMemberExpression",
  "SequenceExpression",
  "TSAsExpression",
  "TSNonNullExpression",
  "UnaryExpression",
  "UpdateExpression",
]);

/**
 * Rewrites a cell whose awaits are stoppable.
 *
 * @returns The code; as it was where nothing may be such a value, or it cannot be read.
 */
export function keepValues(code: string): string {
  const cell = readCell(code);
  if (cell === undefined || cell.errors.length > 0) return code;
  const inserts: Insert[] = [];
  const keep = (start: number, end: number) => inserts.push([start, `${KEEP_NAME}((`], [end, "))"]);
  const last = cell.program.body.at(-1);
  if (last?.type === "ExpressionStatement") {
    const { expression } = last;
    const end = code[last.end! - 1] === ";" ? last.end! - 1 : last.end!;
    if (MAY_BE.has(expression.type)) keep(last.start!, end);
    else if (
      expression.type === "AwaitExpression" && expression.argument.type === "CallExpression" &&
      code.startsWith(`${OUTER_NAME}(`, expression.argument.start!)
    ) inserts.push([expression.argument.end! - 1, `, ${KEEP_NAME}`]);
  }
  if (/\bthrow\b/.test(code)) {
    visitCell(code, (node) => {
      if (node.type !== "ThrowStatement" || !THROWN.has(node.argument.type)) return;
      const start = Number(node.argument.extra?.parenStart ?? node.argument.start);
      const blank = start === node.start! + "throw".length ? " " : "";
      const end = code[node.end! - 1] === ";" ? node.end! - 1 : node.end!;
      // What is thrown may be caught, and is not the value of the cell.
      inserts.push([start, `${blank}${KEEP_NAME}((`], [end, "), 1)"]);
    });
  }
  return insertAll(code, inserts.sort(([a], [b]) => a - b));
}

/** Expressions that are thrown and make no error of their own. */
const THROWN = new Set<Node["type"]>(["BigIntLiteral", "BinaryExpression", "Identifier", "UnaryExpression"]);
