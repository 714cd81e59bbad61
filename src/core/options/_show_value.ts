/** Values in messages. */
import { isRecord } from "./is_record.ts";

const SHOWN_CHARACTERS = 60;

/** Formats a value: strings and numbers as in code, anything else by its type. */
export function showValue(value: unknown): string {
  switch (typeof value) {
    case "string":
      return quote(value, SHOWN_CHARACTERS);
    case "number":
    case "boolean":
      return String(value);
    case "bigint":
      return `${value}n`.slice(0, SHOWN_CHARACTERS);
    case "object":
      return Array.isArray(value) ? showList(value) : isRecord(value) ? showKeys(value) : showKind(value);
    default:
      return `a ${typeof value}`;
  }
}

/** The type of a value: `a text`, `a list`, `an AbortController`. */
export function showKind(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "string") return "a text";
  if (typeof value !== "object") return `a ${typeof value}`;
  if (Array.isArray(value)) return "a list";
  const name = isRecord(value) ? "object" : Object.prototype.toString.call(value).slice("[object ".length, -1);
  return `${/^[AEIOUaeiou]/.test(name) ? "an" : "a"} ${name.slice(0, SHOWN_CHARACTERS)}`;
}

/** Shows a text in quotes, cut at a number of characters. */
export function quote(text: string, most: number): string {
  return JSON.stringify(text.length > most ? `${text.slice(0, most)}…` : text);
}

function showList(list: readonly unknown[]): string {
  const shown = list.slice(0, 4).map((one) => typeof one === "object" ? showKind(one) : showValue(one));
  return `[${shown.join(", ")}${list.length > 4 ? ", …" : ""}]`;
}

function showKeys(value: Readonly<Record<string, unknown>>): string {
  const keys = Object.keys(value);
  const shown = keys.slice(0, 4).map((key) => /^\w{1,40}$/.test(key) ? key : quote(key, 40));
  return keys.length === 0 ? "{}" : `{ ${shown.join(", ")}${keys.length > 4 ? ", …" : ""} }`;
}
