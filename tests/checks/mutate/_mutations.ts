/**
 * The mutations of a source: one operator, condition, literal or body changed at a time, found by TypeScript's parser.
 */
import ts from "typescript";

/** One change of a source. */
export interface Mutation {
  /** Offset of the first replaced UTF-16 unit. */
  readonly start: number;
  /** Offset behind the last one. */
  readonly end: number;
  readonly replacement: string;
  /** Line of the change, from 1. */
  readonly line: number;
  /** The line as it is, without its indentation. */
  readonly original: string;
  /** The line as the change makes it. */
  readonly mutated: string;
}

type Change = readonly [start: number, end: number, replacement: string];

const BINARY: Readonly<Record<string, readonly string[]>> = {
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "===": ["!=="],
  "!==": ["==="],
  "&&": ["||"],
  "||": ["&&"],
  "&": ["|"],
  "|": ["&"],
  "^": ["&"],
  "<<": [">>"],
  ">>": ["<<"],
  ">>>": ["<<"],
  "+=": ["-="],
  "-=": ["+="],
  "*=": ["/="],
  "/=": ["*="],
  "&&=": ["||="],
  "||=": ["&&="],
  "??=": ["&&="],
  "|=": ["&="],
  "&=": ["|="],
};

const METHODS: Readonly<Record<string, string>> = {
  startsWith: "endsWith",
  endsWith: "startsWith",
  some: "every",
  every: "some",
  min: "max",
  max: "min",
  toUpperCase: "toLowerCase",
  toLowerCase: "toUpperCase",
  indexOf: "lastIndexOf",
  lastIndexOf: "indexOf",
};

/** Finds every mutation of a source, in its order. Types, imports and the texts of errors are left as they are. */
export function findMutations(source: string): Mutation[] {
  const file = ts.createSourceFile("source.ts", source, ts.ScriptTarget.ESNext, true);
  const changes: Change[] = [];
  const visit = (node: ts.Node): void => {
    if (isLeftAlone(node)) return;
    changes.push(...changesOf(node, file));
    ts.forEachChild(node, visit);
  };
  visit(file);
  changes.sort(([a], [b]) => a - b);
  return changes.map((change) => describe(change, source, file));
}

export function applyMutation(
  source: string,
  { start, end, replacement }: Pick<Mutation, "start" | "end" | "replacement">,
): string {
  return source.slice(0, start) + replacement + source.slice(end);
}

function isLeftAlone(node: ts.Node): boolean {
  return ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) ||
    ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || isError(node);
}

/** `new NameError(…)`: its text is for people, and tests compare a part of it at most. */
function isError(node: ts.Node): boolean {
  return ts.isNewExpression(node) && ts.isIdentifier(node.expression) && /Error|Exception$/.test(node.expression.text);
}

function changesOf(node: ts.Node, file: ts.SourceFile): Change[] {
  const [start, end] = [node.getStart(file), node.getEnd()];
  if (ts.isBinaryExpression(node)) {
    const token = node.operatorToken;
    // `??` may not stand with `&&` or `||` without parentheses: its right side goes instead.
    if (token.kind === ts.SyntaxKind.QuestionQuestionToken) return [[node.left.getEnd(), end, ""]];
    const others = BINARY[token.getText(file)] ?? [];
    return others.map((other) => [token.getStart(file), token.getEnd(), other] as const);
  }
  if (ts.isPrefixUnaryExpression(node)) return changesOfPrefix(node, file);
  if (ts.isPostfixUnaryExpression(node)) {
    return [[end - 2, end, node.operator === ts.SyntaxKind.PlusPlusToken ? "--" : "++"]];
  }
  if (ts.isIfStatement(node)) return conditions(node.expression, file, "true", "false");
  if (ts.isConditionalExpression(node)) return conditions(node.condition, file, "true", "false");
  if (ts.isWhileStatement(node)) return conditions(node.expression, file, "false");
  if (ts.isForStatement(node) && node.condition !== undefined) return conditions(node.condition, file, "false");
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [[start, end, "false"]];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [[start, end, "true"]];
  if (ts.isPropertyAccessExpression(node) && ts.isCallExpression(node.parent) && node.parent.expression === node) {
    const other = Object.hasOwn(METHODS, node.name.text) ? METHODS[node.name.text] : undefined;
    return other === undefined ? [] : [[node.name.getStart(file), node.name.getEnd(), other]];
  }
  if (ts.isArrayLiteralExpression(node) && node.elements.length > 0 && !isTarget(node)) return [[start, end, "[]"]];
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return changesOfText(node, file);
  if (ts.isBlock(node) && node.statements.length > 0 && ts.isFunctionLike(node.parent)) return [[start, end, "{}"]];
  return [];
}

function changesOfPrefix(node: ts.PrefixUnaryExpression, file: ts.SourceFile): Change[] {
  const start = node.getStart(file);
  switch (node.operator) {
    case ts.SyntaxKind.ExclamationToken:
    case ts.SyntaxKind.MinusToken:
      return [[start, start + 1, ""]];
    case ts.SyntaxKind.PlusPlusToken:
      return [[start, start + 2, "--"]];
    case ts.SyntaxKind.MinusMinusToken:
      return [[start, start + 2, "++"]];
    default:
      return [];
  }
}

function conditions(condition: ts.Expression, file: ts.SourceFile, ...values: readonly string[]): Change[] {
  return values.map((value) => [condition.getStart(file), condition.getEnd(), value] as const);
}

/** `[a, b] = …` names what is assigned. */
function isTarget(node: ts.ArrayLiteralExpression): boolean {
  return ts.isBinaryExpression(node.parent) && node.parent.left === node &&
    node.parent.operatorToken.kind === ts.SyntaxKind.EqualsToken;
}

/** A text with a blank is a sentence for people. */
function changesOfText(node: ts.StringLiteralLike, file: ts.SourceFile): Change[] {
  const isName = ts.isPropertyAssignment(node.parent) && node.parent.name === node;
  if (isName || ts.isLiteralTypeNode(node.parent) || / \S/.test(node.text)) return [];
  return [[node.getStart(file), node.getEnd(), node.text === "" ? '"?"' : '""']];
}

function describe([start, end, replacement]: Change, source: string, file: ts.SourceFile): Mutation {
  const { line } = file.getLineAndCharacterOfPosition(start);
  const lineStart = file.getPositionOfLineAndCharacter(line, 0);
  const lineEnd = source.indexOf("\n", start) === -1 ? source.length : source.indexOf("\n", start);
  // What is replaced may go on for several lines: they are cut short.
  const rest = end <= lineEnd ? source.slice(end, lineEnd) : "";
  return {
    start,
    end,
    replacement,
    line: line + 1,
    original: source.slice(lineStart, lineEnd).trim(),
    mutated: (source.slice(lineStart, start) + replacement + rest).trim(),
  };
}
