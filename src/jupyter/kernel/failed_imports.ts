/**
 * Packages that a cell imports and that cannot be had. The real kernel looks for them before it runs the cell; where
 * one is absent it reports that the cell was not run and nothing else.
 */
import { visitCell } from "./code/program.ts";
import type { OwnRequests } from "./own_requests.ts";
import { within } from "./within.ts";

/** How long the kernel may look for them once more. */
const IMPORT_MS = 15_000;
/** Addresses of modules that are not packages of npm: the kernel reports these itself. */
const NO_PACKAGE = /^(?:\.{0,2}\/|(?!npm:)[A-Za-z][A-Za-z0-9+.-]*:)/;

/** Finds the first package of a cell that cannot be imported, with the reason in Deno's words. */
export async function findFailedImport(
  code: string,
  own: Pick<OwnRequests, "failureOf">,
): Promise<{ readonly ename: string; readonly evalue: string } | undefined> {
  for (const name of importsOf(code)) {
    if (NO_PACKAGE.test(name)) continue;
    // A name that the kernel cannot read off the code: so the kernel reports the reason.
    const failure = await within(own.failureOf(`await import([${JSON.stringify(name)}][0])`), IMPORT_MS);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

/** Names of modules that a cell imports, types aside. */
function importsOf(code: string): Set<string> {
  const names = new Set<string>();
  visitCell(code, (node) => {
    const isType = "importKind" in node && node.importKind === "type" ||
      "exportKind" in node && node.exportKind === "type";
    const isImport = node.type === "CallExpression" && node.callee.type === "Import";
    const source = isImport ? node.arguments[0] : "source" in node && !isType ? node.source : undefined;
    if (source?.type === "StringLiteral") names.add(source.value);
  });
  return names;
}
