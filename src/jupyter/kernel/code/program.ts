/** A cell as a syntax tree, read by Babel's parser: TypeScript with JSX, as Deno's kernel reads it. */
import { parse, type ParseResult, type ParserOptions } from "@babel/parser";
import type { File, Node } from "@babel/types";

/**
 * Characters of a cell that is read: some 0.2 s of computing, 0.4 s at first, in which no other message passes. Nobody
 * writes a longer one by hand, so no worker is kept for it: it goes to the kernel unchanged.
 */
const MOST_READ = 1 << 18;
const OPTIONS: ParserOptions = {
  sourceType: "module",
  plugins: ["typescript", "jsx", "decorators"],
  errorRecovery: true,
  attachComment: false,
  allowUndeclaredExports: true,
};

/** A node, and the nodes that it is a part of. */
interface NestedNode {
  readonly node: Node;
  readonly outer?: NestedNode;
  /** Names that are known within the node alone, from when they are first asked for. */
  names?: ReadonlySet<string>;
}

let last: { readonly code?: string; readonly cell?: ParseResult<File>; places?: readonly NestedNode[] } = {};

/**
 * Reads a cell; `undefined` where it is no TypeScript, or too long to be read while others wait. `errors` holds faults
 * in spite of which the tree is whole.
 */
export function readCell(code: string): ParseResult<File> | undefined {
  if (last.code !== code) {
    last = { code };
    try {
      if (code.length <= MOST_READ) last = { code, cell: parse(code, OPTIONS) };
    } catch {
      // The kernel says what is wrong with it.
    }
  }
  return last.cell;
}

/**
 * Visits all nodes of a cell, none of one that cannot be read.
 *
 * @param visit Receives a node; whether a name means something of an inner scope there; whether it is in no function.
 */
export function visitCell(
  code: string,
  visit: (node: Node, around: { isInner(name: string): boolean; isOfCell(): boolean }) => void,
): void {
  const cell = readCell(code);
  if (cell === undefined) return;
  const isAround = (place: NestedNode, test: (at: NestedNode) => boolean) => {
    for (let at: NestedNode | undefined = place; at !== undefined; at = at.outer) if (test(at)) return true;
    return false;
  };
  for (const place of last.places ??= placesOf(cell.program)) {
    visit(place.node, {
      isInner: (name) => isAround(place, (at) => (at.names ??= new Set(namesWithin(at.node))).has(name)),
      isOfCell: () => !isAround(place, ({ node }) => "params" in node),
    });
  }
}

function placesOf(program: Node): NestedNode[] {
  const places: NestedNode[] = [{ node: program }];
  // The list grows while it is gone through.
  for (const outer of places) {
    // Lists of parts, and looking at where each node stands, take three times as long.
    for (const key in outer.node) {
      const part: unknown = key === "loc" ? undefined : outer.node[key as keyof Node];
      if (isNode(part)) places.push({ node: part, outer });
      else if (Array.isArray(part)) { for (const node of part) if (isNode(node)) places.push({ node, outer }); }
    }
  }
  return places;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

/** Names that are known within a node alone. */
function namesWithin(node: Node): string[] {
  switch (node.type) {
    case "BlockStatement":
    case "StaticBlock":
      return node.body.flatMap(boundNames);
    case "SwitchStatement":
      return node.cases.flatMap(({ consequent }) => consequent.flatMap(boundNames));
    case "ForStatement":
      return node.init ? boundNames(node.init) : [];
    case "ForInStatement":
    case "ForOfStatement":
      return node.left.type === "VariableDeclaration" ? boundNames(node.left) : [];
    case "CatchClause":
      return node.param ? boundNames(node.param) : [];
    case "FunctionExpression":
      return [node.id ?? [], node.params].flat().flatMap(boundNames);
    default:
      // Functions and methods of all other kinds.
      return "body" in node && "params" in node ? node.params.flatMap(boundNames) : [];
  }
}

/** A text that is put into code in front of an offset. */
export type Insert = readonly [at: number, text: string];

/** Puts texts into code, in the order of their offsets. */
export function insertAll(code: string, inserts: readonly Insert[]): string {
  const parts = inserts.map(([at, text], index) => code.slice(inserts[index - 1]?.[0] ?? 0, at) + text);
  return parts.join("") + code.slice(inserts.at(-1)?.[0] ?? 0);
}

/** Names that a pattern, a parameter or a declaration binds. */
export function boundNames(node: Node): string[] {
  switch (node.type) {
    case "Identifier":
      return [node.name];
    case "ObjectPattern":
      return node.properties.flatMap((each) => boundNames(each.type === "RestElement" ? each : each.value));
    case "ArrayPattern":
      return node.elements.flatMap((each) => each === null ? [] : boundNames(each));
    case "AssignmentPattern":
      return boundNames(node.left);
    case "RestElement":
      return boundNames(node.argument);
    case "TSParameterProperty":
      return boundNames(node.parameter);
    case "VariableDeclaration":
      return node.declare ? [] : node.declarations.flatMap(({ id }) => boundNames(id));
    case "ImportDeclaration":
      return node.specifiers.map(({ local }) => local.name);
    case "TSImportEqualsDeclaration":
      return [node.id.name];
    case "FunctionDeclaration":
    case "ClassDeclaration":
    case "TSEnumDeclaration":
      return node.id && !node.declare ? [node.id.name] : [];
    default:
      return [];
  }
}

/** Names joined by dots, `["registry", "search"]`, of what is called; empty where it has no such name. */
export function calleeOf(node: Node): string[] {
  return node.type === "CallExpression" ? namesOf(node.callee) : [];
}

function namesOf(node: Node): string[] {
  if (node.type === "Identifier") return [node.name];
  if (node.type !== "MemberExpression" || node.computed || node.property.type !== "Identifier") return [];
  const owner = namesOf(node.object);
  return owner.length === 0 ? [] : [...owner, node.property.name];
}
