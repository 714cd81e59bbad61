/**
 * A cell whose every `await` Stop can end: `await work` becomes `await STOPPABLE(work)`.
 *
 * JavaScript cannot end an `await` from outside: the kernel's own interrupt ends one step of the work, and the
 * cell then waits for ever. So the proxy puts a call round what a cell waits for, in the cell's own code and on the
 * same line; the call ends at Stop (`stop_code.ts`). An expression that cannot be recognised with certainty stays as it
 * is.
 *
 * @module
 */
import { type Token, tokenize, type Tokens } from "./tokens.ts";

/** Name of the function that what is awaited is passed through. */
export const AWAIT_NAME = "__seqreg_await";
/** Name of the function that what `for await` goes through is passed through. */
export const EACH_NAME = "__seqreg_each";

/** Words before an operand: `await typeof x`. */
const PREFIX_WORDS = new Set(["typeof", "void", "delete", "await"]);
const PREFIX_SIGNS = new Set(["+", "-", "!", "~", "++", "--"]);
/** Words with which no simple operand begins, or one whose end is not looked for. */
const NO_OPERAND = new Set(
  ("async break case catch class const continue debugger default do else enum export extends finally for function if " +
    "in instanceof let return static switch throw try var while with yield").split(" "),
);

/**
 * Rewrites a cell.
 *
 * @returns The code; as it was where nothing is awaited, or it cannot be taken apart.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { makeStoppable } from "./stoppable_awaits.ts";
 *
 * assertEquals(makeStoppable("const a = await f(x).g + 1"), "const a = await __seqreg_await(f(x).g) + 1");
 * assertEquals(makeStoppable("1 + 1"), "1 + 1");
 * ```
 */
export function makeStoppable(code: string): string {
  if (!/\bawait\b/.test(code)) return code;
  const parsed = tokenize(code);
  if (!parsed.isWhole) return code;
  const inserts: (readonly [at: number, text: string])[] = [];
  const wrap = (name: string, start: number, end: number) => inserts.push([start, `${name}(`], [end, ")"]);
  const { tokens, partner } = parsed;
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== "word" || token.text !== "await") continue;
    const before = tokens[index - 1];
    if (before?.text === "for") {
      const last = partner.get(index + 1);
      const from = last === undefined ? undefined : indexOfWord(parsed, "of", index + 2, last);
      if (last !== undefined && from !== undefined) wrap(EACH_NAME, tokens[from + 1].start, tokens[last - 1].end);
      continue;
    }
    if (before?.text === "." || before?.text === "?.") continue;
    const end = endOfOperand(parsed, index + 1);
    if (end !== undefined) wrap(AWAIT_NAME, tokens[index + 1].start, tokens[end].end);
  }
  let written = "";
  let from = 0;
  // What is inserted at the same place closes from within.
  for (const [at, text] of inserts.sort(([a], [b]) => a - b)) {
    written += code.slice(from, at) + text;
    from = at;
  }
  return written + code.slice(from);
}

/** Finds a word between two tokens, outside brackets within. */
function indexOfWord({ tokens, partner }: Tokens, word: string, from: number, to: number): number | undefined {
  for (let index = from; index < to - 1; index = (partner.get(index) ?? index) + 1) {
    if (tokens[index].kind === "word" && tokens[index].text === word && index > from) return index;
  }
  return undefined;
}

/** Index of the last token of the operand that begins here; `undefined` if none does, or it is unclear. */
export function endOfOperand(parsed: Tokens, at: number): number | undefined {
  const token = parsed.tokens[at];
  if (token === undefined) return undefined;
  const isPrefix = token.kind === "word" ? PREFIX_WORDS.has(token.text) : PREFIX_SIGNS.has(token.text);
  if (isPrefix) return endOfOperand(parsed, at + 1);
  const next = parsed.tokens[at + 1];
  // `await using x = …` declares.
  if (
    token.text === "using" && next?.kind === "word" && !next.afterLine && !/^(in|of|instanceof|as)$/.test(next.text)
  ) {
    return undefined;
  }
  const isNew = token.kind === "word" && token.text === "new";
  const first = endOfPrimary(parsed, isNew ? at + 1 : at);
  if (first === undefined || next?.text === "=>") return undefined;
  return isNew ? endOfNew(parsed, first) : endOfSteps(parsed, first);
}

function endOfPrimary({ tokens, partner }: Tokens, at: number): number | undefined {
  const token = tokens[at];
  if (token === undefined) return undefined;
  if (token.kind === "word") return NO_OPERAND.has(token.text) || token.text === "new" ? undefined : at;
  if (token.kind === "template") return endOfTemplate({ tokens, partner }, at);
  if (token.kind !== "sign") return at;
  return ["(", "[", "{"].includes(token.text) ? partner.get(at) : undefined;
}

/** A template is a chain of pieces. */
function endOfTemplate({ tokens, partner }: Pick<Tokens, "tokens" | "partner">, at: number): number | undefined {
  let last: number | undefined = at;
  while (last !== undefined && tokens[last].text.endsWith("${") && partner.has(last)) last = partner.get(last);
  return last;
}

/** `new A.B<T>(x)`, then what follows the instance. */
function endOfNew(parsed: Tokens, first: number): number | undefined {
  const { tokens, partner } = parsed;
  let last = first;
  for (;;) {
    const next = tokens[last + 1];
    if (next?.text === "." && tokens[last + 2]?.kind === "word") last += 2;
    else if (next?.text === "[" && partner.has(last + 1)) last = partner.get(last + 1)!;
    else break;
  }
  last = endOfTypeArguments(parsed, last) ?? last;
  const called = tokens[last + 1]?.text === "(" ? partner.get(last + 1) : undefined;
  return endOfSteps(parsed, called ?? last);
}

/** What follows an operand without a blank rule: `.name`, `?.name`, `[…]`, `(…)`, `<T>(…)`, a template, `!`, `++`. */
function endOfSteps(parsed: Tokens, first: number): number | undefined {
  const { tokens, partner } = parsed;
  let last = first;
  for (;;) {
    const next: Token | undefined = tokens[last + 1];
    if (next === undefined) return last;
    const sameLine = !next.afterLine;
    if (next.text === "." || next.text === "?." && tokens[last + 2]?.kind === "word") {
      if (tokens[last + 2]?.kind !== "word") return undefined;
      last += 2;
    } else if (next.text === "?.") last++;
    else if (next.text === "(" || next.text === "[") {
      const end = partner.get(last + 1);
      if (end === undefined) return undefined;
      last = end;
    } else if (next.kind === "template" && next.text.startsWith("`")) {
      const end = endOfTemplate(parsed, last + 1);
      if (end === undefined) return undefined;
      last = end;
    } else if (sameLine && ["!", "++", "--"].includes(next.text)) last++;
    else {
      const behind = next.text === "<" ? endOfTypeArguments(parsed, last) : undefined;
      if (behind === undefined) return last;
      last = behind;
    }
  }
}

/** The `>` of type arguments that stand directly behind a token, with a call behind them. */
function endOfTypeArguments({ tokens, partner }: Tokens, last: number): number | undefined {
  if (tokens[last + 1]?.text !== "<" || tokens[last + 1].start !== tokens[last].end) return undefined;
  let depth = 0;
  for (let index = last + 1; index < tokens.length; index = (partner.get(index) ?? index) + 1) {
    const { kind, text } = tokens[index];
    if (text === "<") depth++;
    else if (text === ">") depth--;
    else if (kind === "sign" && !/^(?:[[({,.|&?:]|=>|\.\.\.)$/.test(text)) return undefined;
    if (depth === 0) {
      const next = tokens[index + 1];
      return next?.text === "(" || next?.kind === "template" ? index : undefined;
    }
  }
  return undefined;
}
