/** Patterns of Rust's `regex` in the grammar of Java, as far as both have one meaning. */
import { unsupported } from "@seqreg/core/engine/plan/unsupported";

/** Escapes that both grammars have, with one meaning under Java's flag for Unicode classes. */
const ESCAPES = /^\\(?:[sSdDwW]|[nrt]|x[0-9A-Fa-f]{2}|x\{[0-9A-Fa-f]{1,6}\}|[.*+?^${}()|[\]\\/&~#-])/;
/** Groups that both grammars have. */
const GROUP = /^\((?:\?(?:i)?:)?/;
const REPEAT = /^\{[0-9]+(?:,[0-9]*)?\}/;
/** A range within a class. */
const RANGE = /^([A-Za-z0-9])-([A-Za-z0-9])/;

/**
 * Translates a pattern. Java's own flag for upper and lower case takes the dotted and the dotless i for forms of `i`,
 * which Unicode's simple case folding does not: what a letter stands for is written out as a class instead.
 *
 * @param pattern A pattern of Rust's `regex`.
 * @throws {TypeError} If a part of it has another meaning in Java, or none.
 */
export function javaPattern(pattern: string): string {
  let java = "";
  for (const { token, inClass, isFolded, rest } of tokensOf(pattern)) {
    if (token === "(?i:") java += "(?:";
    // Java's $ also stands before a last line break.
    else if (token === "$" && !inClass) java += "\\z";
    else java += isFolded ? foldedToken(token, { inClass, fail: () => refused(pattern, rest) }) : token;
  }
  return `(?U)${java}`;
}

/** Whether a pattern has a match of no characters. */
export function matchesEmpty(pattern: string): boolean {
  let plain = "";
  for (const { token, inClass } of tokensOf(pattern)) {
    if (token === "[" && !inClass) plain += "x";
    else if (inClass || token === "]") continue;
    else plain += token === "(?i:" ? "(?:" : /^(?:\(|\)|\||\*|\+|\?|\^|\$|\{.+\}|\(\?:)$/.test(token) ? token : "x";
  }
  return new RegExp(plain).test("");
}

interface RegexToken {
  readonly token: string;
  /** Whether it stands in a class; of the brackets around it the last does. */
  readonly inClass: boolean;
  /** Whether upper and lower case are one to it. */
  readonly isFolded: boolean;
  /** The pattern from it on. */
  readonly rest: string;
}

function* tokensOf(pattern: string): Generator<RegexToken> {
  const isAll = pattern.startsWith("(?i)");
  const folded = [isAll];
  let rest = isAll ? pattern.slice(4) : pattern;
  let inClass = false;
  while (rest !== "") {
    const escape = ESCAPES.exec(rest)?.[0];
    const group = inClass ? undefined : GROUP.exec(rest)?.[0];
    const repeat = inClass ? undefined : REPEAT.exec(rest)?.[0];
    const range = inClass ? RANGE.exec(rest)?.[0] : undefined;
    const token = escape ?? group ?? repeat ?? range ?? String.fromCodePoint(rest.codePointAt(0)!);
    if (escape === undefined && token === "\\" || isRefused(token, rest, inClass)) throw refused(pattern, rest);
    if (group !== undefined) folded.push(group === "(?i:" || folded.at(-1) === true);
    yield { token, inClass, isFolded: folded.at(-1) === true, rest };
    if (!inClass && token === ")") folded.pop();
    if (token === "[") inClass = true;
    else if (token === "]") inClass = false;
    rest = rest.slice(token.length);
  }
}

/** What a token stands for where upper and lower case are one, within a class or as one. */
function foldedToken(token: string, { inClass, fail }: { readonly inClass: boolean; readonly fail: () => TypeError }) {
  const range = inClass ? RANGE.exec(token) : null;
  if (range !== null) {
    const [first, last] = [range[1], range[2]].map((end) => end.codePointAt(0)!);
    const letters = Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at));
    return token + letters.flatMap((letter) => formsOf(letter)).filter((form) => !letters.includes(form)).join("");
  }
  const code = /^\\x\{?([0-9A-Fa-f]+)\}?$/.exec(token)?.[1];
  const character = code === undefined ? token : String.fromCodePoint(parseInt(code, 16));
  if ([...character].length !== 1 || !/\p{L}|\p{M}|\p{Nl}|\p{So}/u.test(character)) return token;
  if (inClass && code !== undefined) throw fail();
  const forms = formsOf(character);
  if (forms.length === 1) return token;
  return inClass ? forms.join("") : `[${forms.join("")}]`;
}

/** Forms of ASCII's letters beyond ASCII: the sign of the kelvin, and the long s. */
const BEYOND_ASCII: Readonly<Record<string, string>> = { k: "\u212a", s: "\u017f" };
const known = new Map<string, readonly string[]>();

/** All characters that simple case folding takes for one, which is what `iu` of JavaScript does; itself first. */
function formsOf(character: string): readonly string[] {
  const before = known.get(character);
  if (before !== undefined) return before;
  if (/^[A-Za-z]$/.test(character)) {
    const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
    return [character, character === lower ? upper : lower, ...BEYOND_ASCII[lower] ?? ""];
  }
  const forms = [character];
  const isForm = new RegExp(`^${character.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&")}$`, "iu");
  for (let code = 0; code < 0x1f000; code++) {
    if (code === 0xd800) code = 0xe000;
    const other = String.fromCodePoint(code);
    if (other !== character && isForm.test(other)) forms.push(other);
  }
  known.set(character, forms);
  return forms;
}

function isRefused(token: string, rest: string, inClass: boolean): boolean {
  // Classes within classes, and their intersections, differ; so do named groups, flags and possessive repeats.
  if (inClass) return token === "[" || rest.startsWith("&&") || rest.startsWith("--") || rest.startsWith("~~");
  return token === "(" && rest.startsWith("(?") || /^(?:[*+?]|\{[0-9,]+\})\+/.test(rest) || token === "{" ||
    token === ".";
}

function refused(pattern: string, rest: string): TypeError {
  return unsupported(
    `the pattern ${JSON.stringify(pattern)}, which has no equal in Java from ${
      JSON.stringify(rest.slice(0, 20))
    } on (filter by startsWith() or by another pattern)`,
  );
}
