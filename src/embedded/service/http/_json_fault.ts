/** Finds where a text stops being JSON, since the runtime's own message does not always say. */

/** Where the text goes wrong, and what would have been right there. */
export interface JsonFault {
  /** Offset in UTF-16 units, counted from 0. */
  readonly offset: number;
  /** Line, counted from 1. */
  readonly line: number;
  /** Column in UTF-16 units, counted from 1. */
  readonly column: number;
  readonly expected: string;
}

/** Finds the first fault of a text; nested no deeper than the caller has checked. `undefined` when it is JSON. */
export function findJsonFault(text: string): JsonFault | undefined {
  try {
    const end = skipBlanks(text, readValue(text, skipBlanks(text, 0)));
    if (end < text.length) throw new Fault(end, "the end");
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const before = text.slice(0, error.offset).split("\n");
    return {
      offset: error.offset,
      line: before.length,
      column: before[before.length - 1].length + 1,
      expected: error.expected,
    };
  }
}

class Fault extends Error {
  readonly offset: number;
  readonly expected: string;

  constructor(offset: number, expected: string) {
    super();
    this.offset = offset;
    this.expected = expected;
  }
}

const LITERAL = /true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const BLANKS = /[ \t\n\r]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

function readValue(text: string, at: number): number {
  const character = text[at];
  if (character === "{") return readItems(text, at, "}");
  if (character === "[") return readItems(text, at, "]");
  if (character === '"') return readString(text, at);
  LITERAL.lastIndex = at;
  if (!LITERAL.test(text)) throw new Fault(at, "a value");
  return LITERAL.lastIndex;
}

function readItems(text: string, start: number, close: "}" | "]"): number {
  let at = skipBlanks(text, start + 1);
  if (text[at] === close) return at + 1;
  for (;;) {
    if (close === "}") {
      if (text[at] !== '"') throw new Fault(at, "a key in double quotes");
      at = skipBlanks(text, readString(text, at));
      if (text[at] !== ":") throw new Fault(at, '":"');
      at = skipBlanks(text, at + 1);
    }
    at = skipBlanks(text, readValue(text, at));
    if (text[at] === close) return at + 1;
    if (text[at] !== ",") throw new Fault(at, `"," or "${close}"`);
    at = skipBlanks(text, at + 1);
  }
}

function readString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at];
    if (character === '"') return at + 1;
    if (character < " ") throw new Fault(at, "an escape such as \\n, since a raw control character stands there");
    if (character !== "\\") continue;
    ESCAPE.lastIndex = at;
    if (!ESCAPE.test(text)) throw new Fault(at, "an escape such as \\n or \\u00e9");
    at = ESCAPE.lastIndex - 1;
  }
  throw new Fault(text.length, "the closing double quote");
}

function skipBlanks(text: string, at: number): number {
  BLANKS.lastIndex = at;
  BLANKS.test(text);
  return BLANKS.lastIndex;
}
