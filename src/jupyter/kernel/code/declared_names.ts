/** Names that a cell declares where other cells see them. */
import type { Node } from "@babel/types";
import { boundNames, calleeOf, readCell } from "./program.ts";

export interface DeclaredName {
  readonly name: string;
  readonly isImported: boolean;
  /** The call that it is the result of, without `await` before it: `registry.search`. */
  readonly unawaited?: string;
  /** The call that it is the result of, awaited or not. */
  readonly call?: string;
  /** The declaration's own text, with the comment above it. */
  readonly text: string;
}

/** A comment, or lines of comments, directly above a declaration. */
const ABOVE = /(?:\/\*(?:(?!\*\/)[^])*\*\/\s*|(?:\/\/[^\n]*\n[^\S\n]*)+)$/;
/** Characters in which it is looked for: the pattern takes a time that grows with their square. */
const MOST_ABOVE = 10_000;

/** Lists the names that a cell declares outside any bracket, in order; none of a cell that cannot be read. */
export function declaredNames(code: string): DeclaredName[] {
  let from = 0;
  return (readCell(code)?.program.body ?? []).flatMap((statement) => {
    const before = code.slice(from, statement.start!);
    from = statement.end!;
    const { declaration } = statement as { declaration?: Node | null };
    const declaring = declaration && /Declaration$/.test(declaration.type) ? declaration : statement;
    const names = boundNames(declaring);
    if (names.length === 0) return [];
    const calls = callsOf(declaring);
    const isImported = /^(?:ImportDeclaration|TSImportEqualsDeclaration)$/.test(statement.type);
    const above = isImported ? "" : ABOVE.exec(before.slice(-MOST_ABOVE))?.[0] ?? "";
    const text = (above + code.slice(statement.start!, from)).trim().replace(/;$/, "");
    return names.map((name) => ({ name, ...calls.get(name), isImported, text }));
  });
}

/** The calls that names are the results of. */
function callsOf(declaration: Node): ReadonlyMap<string, Pick<DeclaredName, "call" | "unawaited">> {
  const calls = new Map<string, Pick<DeclaredName, "call" | "unawaited">>();
  for (const { id, init } of declaration.type === "VariableDeclaration" ? declaration.declarations : []) {
    const isAwaited = init?.type === "AwaitExpression";
    const call = init ? calleeOf(isAwaited ? init.argument : init).join(".") : "";
    if (id.type === "Identifier" && call !== "") calls.set(id.name, { call, ...!isAwaited && { unawaited: call } });
  }
  return calls;
}
