/**
 * What a cell imports.
 *
 * @module
 */
import type { Node } from "@babel/types";
import { visitCell } from "./program.ts";

/**
 * Lists the names of modules that a cell imports, types aside; none of a cell that cannot be read.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { importsOf } from "./imports.ts";
 *
 * const code = "import a from 'npm:a'; import type { B } from 'b'; await import('c')";
 *
 * assertEquals(importsOf(code), ["npm:a", "c"]);
 * ```
 */
export function importsOf(code: string): string[] {
  const names = new Set<string>();
  visitCell(code, (node) => {
    const source = sourceOf(node);
    if (source?.type === "StringLiteral") names.add(source.value);
  });
  return [...names];
}

function sourceOf(node: Node): Node | null | undefined {
  switch (node.type) {
    case "ImportDeclaration":
      return node.importKind === "type" ? undefined : node.source;
    case "ExportNamedDeclaration":
    case "ExportAllDeclaration":
      return node.exportKind === "type" ? undefined : node.source;
    case "CallExpression":
      return node.callee.type === "Import" ? node.arguments[0] : undefined;
    default:
      return undefined;
  }
}
