/**
 * Names that a cell declares where other cells see them.
 *
 * @module
 */
import type { Expression, Statement } from "@babel/types";
import { boundNames, calleeOf, readCell } from "./program.ts";

/** One name that a cell declares. */
export interface DeclaredName {
  /** The name. */
  readonly name: string;
  /** Whether it was imported. */
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

/**
 * Lists the names that a cell declares outside any bracket, in order; none of a cell that cannot be read.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { declaredNames } from "./declared_names.ts";
 *
 * const names = declaredNames("import { a as b } from 'x';\nconst { c, d: [e] } = f(), g = h.i(1);");
 *
 * assertEquals(names.map(({ name }) => name), ["b", "c", "e", "g"]);
 * assertEquals(names.at(-1)?.unawaited, "h.i");
 * ```
 */
export function declaredNames(code: string): DeclaredName[] {
  let from = 0;
  return (readCell(code)?.program.body ?? []).flatMap((statement) => {
    const before = code.slice(from, statement.start!);
    from = statement.end!;
    const calls = callsOf(statement);
    if (calls.length === 0) return [];
    const isImported = /^(?:ImportDeclaration|TSImportEqualsDeclaration)$/.test(statement.type);
    const above = isImported ? "" : ABOVE.exec(before.slice(-MOST_ABOVE))?.[0] ?? "";
    const text = (above + code.slice(statement.start!, from)).trim().replace(/;$/, "");
    return calls.map((named) => ({ ...named, isImported, text }));
  });
}

/** Names of a statement, each with the call that it is the result of. */
function callsOf(statement: Statement | Expression): Pick<DeclaredName, "name" | "call" | "unawaited">[] {
  switch (statement.type) {
    case "ImportDeclaration":
      return statement.specifiers.map(({ local }) => ({ name: local.name }));
    case "TSImportEqualsDeclaration":
      return [{ name: statement.id.name }];
    case "ExportNamedDeclaration":
      return statement.declaration ? callsOf(statement.declaration) : [];
    case "ExportDefaultDeclaration":
      return statement.declaration.type === "TSDeclareFunction" ? [] : callsOf(statement.declaration);
    case "VariableDeclaration":
      return statement.declare ? [] : statement.declarations.flatMap(({ id, init }) => {
        const isAwaited = init?.type === "AwaitExpression";
        const call = init && id.type === "Identifier" ? calleeOf(isAwaited ? init.argument : init).join(".") : "";
        return boundNames(id).map((name) => ({ name, ...call && { call, ...!isAwaited && { unawaited: call } } }));
      });
    case "FunctionDeclaration":
    case "ClassDeclaration":
    case "TSEnumDeclaration":
      return boundNames(statement).map((name) => ({ name }));
    default:
      return [];
  }
}
