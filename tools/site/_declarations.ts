/** Declarations as the source writes them, without bodies: what a symbol's page shows. */
import ts from "typescript";
import { fileURLToPath } from "node:url";

/** Where `deno doc` found a symbol. */
export interface SourceLocation {
  readonly filename: string;
  /** From 0. */
  readonly line: number;
  /** From 0. */
  readonly col: number;
}

const files = new Map<string, ts.SourceFile>();

/** The declaration that begins at a location, with the comments of its members; empty if it is not found. */
export function declarationOf({ filename, line, col }: SourceLocation): string {
  if (!filename.startsWith("file:")) return "";
  const file = files.get(filename) ?? parse(filename);
  const at = file.getLineStarts()[line] + col;
  const node = find(file, file, at);
  if (node === undefined) return "";
  const text = file.text.slice(node.getStart(file), endOf(node, file));
  const indent = " ".repeat(col);
  return text.split("\n").map((row) => row.startsWith(indent) ? row.slice(col) : row).join("\n").trim();
}

function parse(filename: string): ts.SourceFile {
  const text = Deno.readTextFileSync(fileURLToPath(filename));
  const file = ts.createSourceFile(filename, text, ts.ScriptTarget.Latest, true);
  files.set(filename, file);
  return file;
}

/** The outermost declaration that begins there, or whose first line contains the offset. */
function find(node: ts.Node, file: ts.SourceFile, at: number): ts.Node | undefined {
  if (!ts.isSourceFile(node) && isDeclaration(node) && node.getStart(file) <= at && at < node.getEnd()) {
    if (node.getStart(file) === at || ts.isVariableStatement(node)) return node;
    const inner = ts.forEachChild(node, (child) => find(child, file, at));
    return inner ?? (file.text.slice(node.getStart(file), at).includes("\n") ? undefined : node);
  }
  return ts.forEachChild(node, (child) => child.pos <= at && at < child.end ? find(child, file, at) : undefined);
}

function isDeclaration(node: ts.Node): boolean {
  return ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) || ts.isVariableStatement(node) || ts.isClassElement(node);
}

/** Where the part that readers need ends. */
function endOf(node: ts.Node, file: ts.SourceFile): number {
  if (ts.isClassDeclaration(node)) {
    return file.text.indexOf("{", node.heritageClauses?.end ?? node.name?.end ?? node.pos);
  }
  const body = Reflect.get(node, "body");
  if (body !== undefined && ts.isBlock(body)) return body.getStart(file);
  if (ts.isVariableStatement(node)) {
    const [{ type, initializer, name }] = node.declarationList.declarations;
    const end = type?.end ?? name.end;
    return initializer !== undefined && node.getEnd() - node.getStart(file) > 600 ? end : node.getEnd();
  }
  return node.getEnd();
}
