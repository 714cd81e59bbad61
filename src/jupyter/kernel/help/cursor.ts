/** What is being written where a cursor stands: a name, a member, a key of options, a text, and within which calls. */
import { tokenize, type Tokens } from "./tokens.ts";

/** One bracket that is open at the cursor. */
export interface Frame {
  /** A call's arguments, an object's keys, a list's values, or anything else. */
  readonly kind: "call" | "object" | "list" | "other";
  /** Of a call: names of what is called, `["registry", "search"]`. */
  readonly callee: readonly string[];
  /** Of a call: whether `new` stands before it. */
  readonly isNew: boolean;
  /** Of a call: the argument that is being written, counted from 0. */
  readonly argument: number;
  /** Of an object: the key whose value is being written; `undefined` where a key is. */
  readonly key?: string;
  /** Of an object: keys that stand before. */
  readonly given: readonly string[];
}

/** A text that is being written. */
export interface OpenText {
  /** Its characters so far, without the quotation mark. */
  readonly text: string;
  readonly mark: string;
  readonly isModule: boolean;
}

/** A position in a cell. */
export interface Cursor {
  /** The text that the cursor stands in. */
  readonly text?: OpenText;
  /** The part of a name that stands before the cursor; empty in a text. */
  readonly word: string;
  /** Names before the dot that the word stands behind. */
  readonly owner: readonly string[];
  /** Brackets that are open, the innermost first. */
  readonly frames: readonly Frame[];
  /** Whether the cursor stands in a comment. */
  readonly inComment: boolean;
  /** Whether a value begins here: behind a bracket, a comma or a colon. */
  readonly beginsValue: boolean;
}

const NO_CALL = new Set(["if", "for", "while", "switch", "catch", "with", "function", "return", "await"]);
/** Signs and words behind which a brace begins an object. */
const BEFORE_OBJECT = new Set(["(", ",", ":", "=", "[", "?", "??", "||", "&&", "return", "...", "await"]);

export function cursorAt(before: string): Cursor {
  const parsed = tokenize(before);
  const { tokens, open, inComment } = parsed;
  const last = tokens.at(-1);
  const isText = last !== undefined && last.isOpen && last.end === before.length && !inComment;
  const word = !isText && last?.kind === "word" && last.end === before.length ? last.text : "";
  // What is being written itself is part of no frame.
  const count = isText || word !== "" ? tokens.length - 1 : tokens.length;
  const frames = open.map((opener, index) => frameOf(parsed, opener, open[index + 1] ?? count)).reverse();
  const previous = tokens[count - 1];
  return {
    ...isText && {
      text: {
        text: last.text.slice(1),
        mark: last.text[0] === "}" ? "`" : last.text[0],
        isModule: previous?.text === "from" || previous?.text === "import" ||
          previous?.text === "(" && tokens[count - 2]?.text === "import",
      },
    },
    word,
    owner: previous?.text === "." || previous?.text === "?." ? namesBefore(parsed, count - 1) : [],
    frames,
    inComment,
    beginsValue: previous === undefined || previous.kind === "sign" && "([{,:=".includes(previous.text),
  };
}

function frameOf(parsed: Tokens, opener: number, to: number): Frame {
  const { tokens, partner } = parsed;
  const before = tokens[opener - 1];
  const parts: number[][] = [[]];
  for (let index = opener + 1; index < to; index = (partner.get(index) ?? index) + 1) {
    if (tokens[index].text === ",") parts.push([]);
    else parts.at(-1)!.push(index);
  }
  const keys = parts.map(([first, second]) =>
    first === undefined ? { name: "", hasValue: false } : {
      name: tokens[first].text.replace(/^["']|["']$/g, ""),
      hasValue: second !== undefined && tokens[second].text === ":",
    }
  );
  const current = keys.at(-1)!;
  const frame: Frame = { kind: "other", callee: [], isNew: false, argument: parts.length - 1, given: [] };
  switch (tokens[opener].text) {
    case "(": {
      const callee = namesBefore(parsed, opener);
      if (callee.length === 0 || NO_CALL.has(callee[0])) return frame;
      const isNew = tokens[opener - 2 * callee.length]?.text === "new";
      return { ...frame, kind: "call", callee, isNew };
    }
    case "[":
      return before?.kind === "word" && !BEFORE_OBJECT.has(before.text) ? frame : { ...frame, kind: "list" };
    case "{":
      if (before === undefined || !BEFORE_OBJECT.has(before.text)) return frame;
      return {
        ...frame,
        kind: "object",
        given: keys.slice(0, -1).map(({ name }) => name),
        ...current.hasValue && { key: current.name },
      };
    default:
      return frame;
  }
}

/** Names joined by dots that end before a token. */
function namesBefore({ tokens }: Tokens, at: number): string[] {
  const names: string[] = [];
  for (let index = at - 1; tokens[index]?.kind === "word"; index -= 2) {
    names.unshift(tokens[index].text);
    if (tokens[index - 1]?.text !== "." && tokens[index - 1]?.text !== "?.") return names;
  }
  // What the first dot stands behind has no name.
  return [];
}
