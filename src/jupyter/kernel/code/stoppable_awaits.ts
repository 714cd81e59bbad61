/**
 * A cell whose every `await` Stop can end: `await work` becomes `await STOPPABLE(work)`.
 *
 * JavaScript cannot end an `await` from outside: the kernel's own interrupt ends one step of the work, and the
 * cell then waits for ever. So the proxy puts a call round what a cell waits for, in the cell's own code and on the
 * same line; the call ends at Stop (`inside/stopping.ts`). A cell that cannot be read stays as it is.
 */
import { type Insert, insertAll, visitCell } from "./program.ts";

/** Name of the function that what a function awaits is passed through. */
export const AWAIT_NAME = "__seqreg_await";
/** Name of the function that what the cell itself awaits is passed through; as long, for equal columns. */
export const OUTER_NAME = "__seqreg_outer";
/** Name of the function that what `for await` goes through is passed through. */
export const EACH_NAME = "__seqreg_each";

/**
 * Rewrites a cell.
 *
 * @returns The code; as it was where nothing is awaited, or it cannot be read.
 */
export function makeStoppable(code: string): string {
  if (!/\bawait\b/.test(code)) return code;
  const inserts: Insert[] = [];
  visitCell(code, (node, around) => {
    if (node.type === "AwaitExpression") {
      const start = Number(node.argument.extra?.parenStart ?? node.argument.start);
      // `await(x)`, where nothing parts the word from what it awaits.
      const blank = start === node.start! + "await".length ? " " : "";
      inserts.push([start, `${blank}${around.isOfCell() ? OUTER_NAME : AWAIT_NAME}(`], [node.end!, ")"]);
    } else if (node.type === "ForOfStatement" && node.await) {
      const { right } = node;
      const isList = right.type === "SequenceExpression";
      inserts.push([right.start!, `${EACH_NAME}(${isList ? "(" : ""}`], [right.end!, isList ? "))" : ")"]);
    }
  });
  return insertAll(code, inserts.sort(([a], [b]) => a - b));
}
