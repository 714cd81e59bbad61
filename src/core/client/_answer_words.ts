/** What the body of an answer says in words, where it is not what was asked for. */
import { isRecord } from "../options/is_record.ts";
import { terminalText } from "../io/bytes/terminal_text.ts";

const SHOWN_LETTERS = 300;

/** Keys of JSON bodies that hold a message, the most telling first. */
const KEYS = ["detail", "message", "msg", "error", "errors", "title", "error_description"];

/** Finds the message in a JSON body: a text, or that of nested objects and lists; `undefined` without one. */
export function wordsOf(value: unknown, depth = 0): string | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : value;
  if (depth > 3) return undefined;
  if (Array.isArray(value)) {
    const words = value.slice(0, 5).map((each) => wordsOf(each, depth + 1)).filter((each) => each !== undefined);
    return words.length === 0 ? undefined : [...new Set(words)].join("; ");
  }
  if (!isRecord(value)) return undefined;
  for (const key of KEYS) {
    const words = Object.hasOwn(value, key) ? wordsOf(value[key], depth + 1) : undefined;
    if (words !== undefined) return words;
  }
  return undefined;
}

/** Finds the message in an XML body, such as object stores send: `AccessDenied: Request has expired`. */
export function wordsOfXml(text: string): string | undefined {
  const element = (name: string) =>
    new RegExp(`<(?:\\w+:)?${name}(?:\\s[^<>]*)?>([^<>]{1,1000})</`, "i").exec(text)?.[1].trim();
  const message = ["message", "detail", "reason", "error_description"].map(element).find((each) => each !== undefined);
  const words = [element("code"), message].filter((each) => each !== undefined && each !== "");
  return words.length === 0 ? undefined : words.join(": ");
}

/** Makes a message fit into a sentence: one line, without control characters, cut. */
export function shorten(text: string): string {
  const line = terminalText(text.trim().replace(/\s+/g, " "));
  return line.length > SHOWN_LETTERS ? `${line.slice(0, SHOWN_LETTERS)}…` : line;
}
