/**
 * Times of `%time` that are taken within the statement itself.
 *
 * The real kernel runs a cell after it has written it anew, each statement on a line of its own. So a call in front of
 * a statement, or behind it, would shift the lines that errors name. Of what is no expression and declares nothing,
 * such as a loop, the calls stay where they are.
 */
import type { Statement } from "@babel/types";
import { COMMANDS_NAME } from "./cell_commands.ts";
import { calleeOf, readCell } from "./program.ts";

/** Texts that replace what is between two offsets. */
type Edit = readonly [from: number, to: number, text: string];

/** Functions and classes take their names from the declaration that they are the value of. */
const NAMED = /^(?:Arrow)?(?:Function|Class)Expression$/;

/** Moves the calls that begin and end a time into the statement between them. */
export function joinTimes(code: string): string {
  if (!code.includes(COMMANDS_NAME)) return code;
  const body = (readCell(code)?.program.body ?? []).filter(({ type }) => type !== "EmptyStatement");
  const edits = body.flatMap((begin, index) => {
    const timed = body[index + 1];
    if (!isCall(begin, "start") || begin.loc!.end.line !== timed?.loc?.start.line) return [];
    const behind = body[index + 2];
    const end = behind !== undefined && isCall(behind, "stop") ? behind : undefined;
    return joined(code, begin, timed, end);
  });
  return edits.reduceRight((text, [from, to, put]) => text.slice(0, from) + put + text.slice(to), code);
}

function joined(code: string, begin: Statement, timed: Statement, end: Statement | undefined): Edit[] {
  const start = `${COMMANDS_NAME}.start()`;
  const stop = `${COMMANDS_NAME}.stop()`;
  // With the semicolon that parts them.
  const cut: Edit[] = end === undefined ? [] : [[bareEnd(code, timed), end.end!, ";"]];
  if (timed.type === "ExpressionStatement") {
    if (end === undefined) return [[begin.start!, timed.start!, `${start}, `]];
    return [
      [begin.start!, timed.start!, `${start}, (`],
      [bareEnd(code, timed), end.end!, `), ${stop};`],
    ];
  }
  if (timed.type !== "VariableDeclaration") return [];
  const values = timed.declarations.flatMap(({ init }) => init ? [init] : []);
  const [first, last] = [values[0], values.at(-1)];
  if (first === undefined || last === undefined || NAMED.test(first.type) || NAMED.test(last.type)) return [];
  const ended: Edit[] = end === undefined
    ? []
    : [[last.start!, last.start!, `${COMMANDS_NAME}.end((`], [last.end!, last.end!, "))"]];
  const begun: Edit = [first.start!, first.start!, `(${start}, `];
  const closed: Edit = [first.end!, first.end!, ")"];
  // Within the brackets around a value, if there are any.
  const all: Edit[] = first === last ? [begun, ...ended, closed] : [begun, closed, ...ended];
  return [[begin.start!, timed.start!, ""], ...all, ...cut];
}

/** Where a statement ends without its semicolon. */
function bareEnd(code: string, { end }: Statement): number {
  return code[end! - 1] === ";" ? end! - 1 : end!;
}

function isCall(statement: Statement, name: string): boolean {
  return statement.type === "ExpressionStatement" &&
    calleeOf(statement.expression).join(".") === `${COMMANDS_NAME}.${name}`;
}
