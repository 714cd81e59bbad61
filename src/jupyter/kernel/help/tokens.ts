/**
 * Code as tokens, for what has no syntax tree since it is still being written: what is text, what is a comment, which
 * brackets belong together.
 */
import jsTokens from "js-tokens";

/** One token; comments and blanks are skipped. */
export interface Token {
  /** What it is: `value` is a number, a text, a pattern, or the piece of a template between its `${}`. */
  readonly kind: "word" | "value" | "sign";
  readonly text: string;
  /** Offset of its first character. */
  readonly start: number;
  /** Offset behind its last character. */
  readonly end: number;
  /** Of text: whether its end is missing. */
  readonly isOpen: boolean;
}

export interface Tokens {
  /** The tokens in order. */
  readonly tokens: readonly Token[];
  /** For each token that opens a bracket, the index of the one that closes it; `undefined` where none does. */
  readonly partner: ReadonlyMap<number, number>;
  /** Indices of the brackets that are still open where the code ends, outermost first. */
  readonly open: readonly number[];
  /** Whether the code ends inside a comment. */
  readonly inComment: boolean;
}

const SKIPPED = /Comment$|^WhiteSpace$|^LineTerminatorSequence$/;

/** Takes code apart. Never fails: what cannot be understood is signs. */
export function tokenize(code: string): Tokens {
  const tokens: Token[] = [];
  const partner = new Map<number, number>();
  const open: number[] = [];
  let inComment = false;
  let end = 0;
  for (const token of jsTokens(code)) {
    const { type, value: text } = token;
    const start = end;
    end += text.length;
    const isOpen = "closed" in token && !token.closed;
    inComment = isOpen && type === "MultiLineComment" || type === "SingleLineComment";
    if (SKIPPED.test(type)) continue;
    const isSign = type === "Punctuator" || type === "Invalid";
    const kind = isSign ? "sign" : /Name$|Identifier$/.test(type) ? "word" : "value";
    tokens.push({ kind, text, start, end, isOpen: isOpen && type !== "RegularExpressionLiteral" });
    if (!isSign && !/^Template/.test(type)) continue;
    if (/^[)\]}]/.test(text)) {
      const last = open.at(-1);
      const isPair = last !== undefined && ["()", "[]", "{}"].includes(tokens[last].text.at(-1) + text[0]);
      if (isPair) partner.set(open.pop()!, tokens.length - 1);
    }
    if (/[([{]$/.test(text)) open.push(tokens.length - 1);
  }
  return { tokens, partner, open, inComment };
}
