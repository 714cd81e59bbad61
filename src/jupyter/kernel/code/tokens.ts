/**
 * TypeScript taken apart into tokens, as far as a cell must be understood: what is text, what is a comment, which
 * brackets belong together. No grammar and no types.
 *
 * @module
 */

/** Kinds of {@linkcode Token}s. */
export type TokenKind = "word" | "number" | "string" | "template" | "regex" | "sign";

/** One token; comments and blanks are skipped. */
export interface Token {
  /** What it is; a template is one token for each piece between its `${}`. */
  readonly kind: TokenKind;
  /** Its characters. */
  readonly text: string;
  /** Offset of its first character. */
  readonly start: number;
  /** Offset behind its last character. */
  readonly end: number;
  /** Whether a line ends between the token before and this one. */
  readonly afterLine: boolean;
  /** Of text: whether its end is missing. */
  readonly isOpen?: boolean;
}

/** Code as tokens. */
export interface Tokens {
  /** The tokens in order. */
  readonly tokens: readonly Token[];
  /** For each token that opens a bracket, the index of the one that closes it; `undefined` where none does. */
  readonly partner: ReadonlyMap<number, number>;
  /** Indices of the brackets that are still open where the code ends, outermost first. */
  readonly open: readonly number[];
  /** Whether every bracket and text ends where it should. */
  readonly isWhole: boolean;
  /** Whether the code ends inside a comment. */
  readonly inComment: boolean;
}

const BLANK = /[\s\uFEFF]+/y;
const COMMENT = /\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|#![^\n]*/y;
const WORD = /#?[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;
const NUMBER = /0[xob][\da-f_]+n?|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:e[+-]?[\d_]+)?n?/iy;
const STRING = /(["'])(?:\\[^]|(?!\1)[^\\\n])*(\1?)/y;
const REGEX = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y;
const SIGN =
  /\.\.\.|=>|\?\.(?!\d)|>>>=|\*\*=|<<=|>>=|&&=|\|\|=|\?\?=|===|!==|\*\*|\+\+|--|<<|&&|\|\||\?\?|[<>=!+\-*/%&|^]=|[^]/uy;
const TEMPLATE_PIECE = /(?:\\[^]|\$(?!\{)|[^\\`$])*(`|\$\{)?/y;

/** Words behind which an expression begins. */
const BEFORE_EXPRESSION = new Set(
  "return typeof case in of delete void throw new else do await yield instanceof extends".split(" "),
);
const CLOSING: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/** Takes code apart. Never fails: what cannot be understood is signs. */
export function tokenize(code: string): Tokens {
  const tokens: Token[] = [];
  const partner = new Map<number, number>();
  const open: number[] = [];
  let isWhole = true;
  let inComment = false;
  let afterLine = false;
  const read = (pattern: RegExp, at: number) => {
    pattern.lastIndex = at;
    return pattern.exec(code);
  };
  const push = (kind: TokenKind, start: number, end: number, isOpen = false) => {
    tokens.push({ kind, text: code.slice(start, end), start, end, afterLine, ...isOpen && { isOpen } });
    afterLine = false;
    return end;
  };
  const close = (opens: (text: string) => boolean) => {
    const last = open.at(-1);
    if (last === undefined || !opens(tokens[last].text)) isWhole = false;
    else {
      open.pop();
      partner.set(last, tokens.length - 1);
    }
  };
  for (let at = 0; at < code.length;) {
    const blank = read(BLANK, at);
    if (blank !== null) {
      afterLine ||= blank[0].includes("\n");
      at += blank[0].length;
      continue;
    }
    const comment = code[at] === "/" || code[at] === "#" && at === 0 ? read(COMMENT, at) : null;
    if (comment !== null) {
      afterLine ||= comment[0].includes("\n");
      at += comment[0].length;
      inComment = at === code.length && !/^\/\*[^]*\*\/$/.test(comment[0]);
      continue;
    }
    const start = at;
    const character = code[at];
    const found = read(WORD, at);
    if (found !== null) at = push("word", start, start + found[0].length);
    else if (character === '"' || character === "'") {
      const [text, , end] = read(STRING, at)!;
      if (end === "") isWhole = false;
      at = push("string", start, start + text.length, end === "");
    } else if (character === "`" || character === "}" && inTemplate(tokens, open)) {
      const [piece, end] = read(TEMPLATE_PIECE, at + 1)!;
      at = push("template", start, start + 1 + piece.length, end === undefined);
      if (end === undefined) isWhole = false;
      if (character === "}") close(() => true);
      if (end === "${") open.push(tokens.length - 1);
    } else if (/[\d]/.test(character) || character === "." && /\d/.test(code[at + 1] ?? "")) {
      at = push("number", start, start + (read(NUMBER, at)?.[0].length ?? 1));
    } else if (character === "/" && beginsExpression(tokens, afterLine) && read(REGEX, at) !== null) {
      at = push("regex", start, REGEX.lastIndex);
    } else {
      const [sign] = read(SIGN, at)!;
      at = push("sign", start, start + sign.length);
      if (sign === "(" || sign === "[" || sign === "{") open.push(tokens.length - 1);
      else if (Object.hasOwn(CLOSING, sign)) close((text) => text === CLOSING[sign]);
    }
  }
  return { tokens, partner, open, isWhole: isWhole && open.length === 0 && !inComment, inComment };
}

/** Whether the bracket that is open innermost is that of a template's `${`. */
function inTemplate(tokens: readonly Token[], open: readonly number[]): boolean {
  const last = open.at(-1);
  return last !== undefined && tokens[last].kind === "template";
}

/** Whether an expression may begin behind these tokens, so that a stroke begins a pattern and divides nothing. */
function beginsExpression(tokens: readonly Token[], afterLine: boolean): boolean {
  const last = tokens.at(-1);
  if (last === undefined) return true;
  if (last.kind === "word") return BEFORE_EXPRESSION.has(last.text) && tokens.at(-2)?.text !== ".";
  if (last.kind === "template") return last.text.endsWith("${");
  if (last.kind !== "sign") return false;
  if (last.text === "}") return afterLine;
  if (last.text === "!") {
    const before = tokens.at(-2);
    const follows = before !== undefined && before.end === last.start && !last.afterLine;
    return !(follows && (before.kind === "word" || before.text === ")" || before.text === "]"));
  }
  return ![")", "]", "++", "--"].includes(last.text);
}
