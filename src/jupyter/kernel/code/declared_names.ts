/**
 * Names that a cell declares where other cells see them.
 *
 * @module
 */
import { type Token, tokenize } from "./tokens.ts";

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

/**
 * Lists the names that a cell declares outside any bracket, in order.
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
  const { tokens, partner } = tokenize(code);
  const found: DeclaredName[] = [];
  const skip = (at: number) => (partner.get(at) ?? at) + 1;
  for (let at = 0; at < tokens.length; at = skip(at)) {
    const { kind, text } = tokens[at];
    if (kind !== "word" || tokens[at - 1]?.text === ".") continue;
    const isImported = text === "import";
    if (isImported && tokens[at + 1]?.text !== "(" && tokens[at + 1]?.text !== ".") {
      const end = tokens.findIndex((token, index) => index > at && token.kind === "string");
      if (end < 0) continue;
      for (const name of namesOfImport(tokens.slice(at + 1, end))) {
        found.push({ name, isImported, text: code.slice(tokens[at].start, tokens[end].end) });
      }
      at = end;
    } else if (text === "function" || text === "class") {
      const named = tokens[at + 1]?.text === "*" ? at + 2 : at + 1;
      if (tokens[named]?.kind !== "word") continue;
      found.push({ name: tokens[named].text, isImported: false, text: textFrom(code, tokens, partner, at) });
    } else if (text === "const" || text === "let" || text === "var") {
      const names: string[] = [];
      let next = at + 1;
      for (;;) {
        const [bound, behind] = bindings(tokens, partner, next);
        const { call, isAwaited, end } = initializer(tokens, partner, behind);
        const isWhole = bound.length === 1 && tokens[next].kind === "word";
        for (const name of bound) {
          if (names.includes(name)) continue;
          names.push(name);
          found.push({
            name,
            isImported: false,
            text: textFrom(code, tokens, partner, at),
            ...isWhole && call !== undefined && { call, ...!isAwaited && { unawaited: call } },
          });
        }
        next = end + 1;
        if (tokens[end]?.text !== "," || bound.length === 0) break;
      }
      at = Math.max(at, next - 2);
    }
  }
  return found;
}

function namesOfImport(tokens: readonly Token[]): string[] {
  return tokens.filter(({ kind, text }, index) =>
    kind === "word" && !["from", "as", "type"].includes(text) && tokens[index + 1]?.text !== "as"
  ).map(({ text }) => text);
}

/** Names of one pattern or name, and the index behind it. */
function bindings(
  tokens: readonly Token[],
  partner: ReadonlyMap<number, number>,
  at: number,
): readonly [names: string[], behind: number] {
  const token = tokens[at];
  if (token?.kind === "word") return [[token.text], at + 1];
  const end = partner.get(at);
  if (end === undefined) return [[], at + 1];
  const names: string[] = [];
  for (let index = at + 1; index < end;) {
    const next = tokens[index];
    const isKey = tokens[index + 1]?.text === ":";
    if (next.kind === "word" && !isKey) names.push(next.text);
    if (next.text === "[" || next.text === "{") names.push(...bindings(tokens, partner, index)[0]);
    index = next.text === "[" || next.text === "{" ? (partner.get(index) ?? index) + 1 : index + (isKey ? 2 : 1);
    // A default value has no names of its own.
    if (tokens[index]?.text === "=") {
      while (index < end && tokens[index].text !== ",") index = (partner.get(index) ?? index) + 1;
    }
    if (tokens[index]?.text === ",") index++;
  }
  return [names, end + 1];
}

/** The call that a declaration begins with, and where the declaration of this one name ends. */
function initializer(tokens: readonly Token[], partner: ReadonlyMap<number, number>, from: number): {
  readonly call?: string;
  readonly isAwaited: boolean;
  readonly end: number;
} {
  let end = from;
  let equals = -1;
  while (end < tokens.length && tokens[end].text !== "," && tokens[end].text !== ";") {
    if (tokens[end].text === "=" && equals < 0) equals = end;
    const next = (partner.get(end) ?? end) + 1;
    if (endsStatement(tokens, next)) {
      end = next;
      break;
    }
    end = next;
  }
  if (equals < 0) return { isAwaited: false, end };
  const isAwaited = tokens[equals + 1]?.text === "await";
  let index = equals + (isAwaited ? 2 : 1);
  let call = "";
  while (index < end && (tokens[index].kind === "word" || tokens[index].text === ".")) call += tokens[index++].text;
  const isCall = tokens[index]?.text === "(" && (partner.get(index) ?? -1) + 1 === end;
  return { ...isCall && call !== "" && { call }, isAwaited, end };
}

/** Whether a statement without a semicolon ends before this token. */
function endsStatement(tokens: readonly Token[], at: number): boolean {
  const [before, next] = [tokens[at - 1], tokens[at]];
  if (next === undefined || !next.afterLine) return false;
  const goesOn = next.kind === "sign" && !["{", "++", "--"].includes(next.text) || next.kind === "template" ||
    ["in", "instanceof", "as", "satisfies"].includes(next.text);
  const isUnfinished = before.kind === "sign" && ![")", "]", "}", "++", "--", "!"].includes(before.text);
  return !goesOn && !isUnfinished;
}

/** Text of a declaration, from the comment directly above it to its end. */
function textFrom(code: string, tokens: readonly Token[], partner: ReadonlyMap<number, number>, at: number): string {
  let from = at;
  while (["async", "export", "default", "abstract"].includes(tokens[from - 1]?.text ?? "")) from--;
  let end = at + 1;
  const isBlock = tokens[at].text === "function" || tokens[at].text === "class";
  while (end < tokens.length && tokens[end].text !== ";" && !endsStatement(tokens, end)) {
    const isBody = isBlock && tokens[end].text === "{";
    end = (partner.get(end) ?? end) + 1;
    if (isBody) break;
  }
  const start = tokens[from].start;
  const above = /(?:\/\*(?:(?!\*\/)[^])*\*\/\s*|(?:\/\/[^\n]*\n[^\S\n]*)+)$/.exec(
    code.slice(tokens[from - 1]?.end ?? 0, start),
  )?.[0] ?? "";
  return (above + code.slice(start, tokens[end - 1]?.end ?? start)).trim();
}
