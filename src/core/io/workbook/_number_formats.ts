/**
 * What number formats add to a number: a percent sign, leading zeros, text.
 *
 * Source: ECMA-376, part 1, 18.8.31 (`numFmts`).
 */
import { builtInDateFormat, type DateFormat, readDateFormat } from "./_date_formats.ts";
import type { ZipArchive, ZipEntry } from "../zip/zip_archive.ts";
import { readWholePart } from "./_xml_part.ts";

/** How a cell shows a number, if not by its digits alone. */
export type NumberFormat = DateFormat | { readonly kind: "percent" } | LabelFormat | UnitFormat;

/** Whole numbers as identifiers: `00000`, `"EPI_"0`, `000-000`. */
export interface LabelFormat {
  readonly kind: "label";
  /** Text, and placeholders of so many digits, in turn. */
  readonly parts: readonly (string | number)[];
  /** Digits at least; those that a number lacks are zeros. */
  readonly least: number;
  /** Digits after the point of the last digits. */
  readonly decimals: number;
  /** Its text alone. */
  readonly text: string;
}

/** A number with text that is not part of it: `0.0" kg"`. */
export interface UnitFormat {
  readonly kind: "unit";
  readonly text: string;
}

const PERCENT = { kind: "percent" } as const;

/** Returns the format with this number in every workbook; `undefined` if it shows a number by its digits alone. */
export function builtInFormat(id: number): NumberFormat | undefined {
  // 0% and 0.00%
  return id === 9 || id === 10 ? PERCENT : builtInDateFormat(id);
}

/** Quoted text, escaped characters, padding, currencies, brackets such as colours, placeholders, other characters. */
const TOKENS =
  /"([^"]*)"?|\\(.)|_.|\*.|\[\$([^\]-]*)[^\]]*\]|(\[[^\]]*\])|(General|[0#?]+(?:\.[0#?]*)?|[.,/@]|E[+-])|(.)/gisu;

/** A part of a format: placeholders of digits, or text. */
interface FormatPart {
  readonly text: string;
  readonly isDigits: boolean;
}

/**
 * Reads a number format.
 *
 * @param code The code, such as `0.00%`; its first section counts.
 * @returns What the format shows; `undefined` if it shows a number by its digits alone.
 */
export function readNumberFormat(code: string): NumberFormat | undefined {
  const date = readDateFormat(code);
  if (date !== undefined) return date;
  const parts: FormatPart[] = [];
  for (const [, quoted, escaped, currency, bracket, digits, other] of code.matchAll(TOKENS)) {
    if (other === "%") return PERCENT;
    if (other === ";") break;
    // The section is for some numbers only.
    if (bracket !== undefined && /^\[[<>=]/.test(bracket)) return undefined;
    const text = digits ?? quoted ?? escaped ?? currency ?? other ?? "";
    if (text !== "") parts.push({ text, isDigits: digits !== undefined });
  }
  const text = parts.filter(({ isDigits }) => !isDigits).map(({ text }) => text).join("");
  return readLabel(parts, text.trim()) ?? (hasText(text) ? { kind: "unit", text: text.trim() } : undefined);
}

function readLabel(parts: readonly FormatPart[], text: string): LabelFormat | undefined {
  const digits = parts.filter(({ isDigits }) => isDigits).map(({ text }) => text);
  const isWhole = digits.length > 0 && digits.every((each) => /^(?:0+|#+0*|general)$/i.test(each));
  const decimals = digits.length === 1 ? /^[0#]*0\.(0+)$/.exec(digits[0])?.[1].length ?? 0 : 0;
  if (!isWhole && decimals === 0) return undefined;
  const isPadded = digits.length > 1 || /^00+$/.test(digits[0]);
  const isPrefixed = hasText(
    parts.slice(0, parts.findIndex(({ isDigits }) => isDigits)).map(({ text }) => text).join(""),
  );
  if (!isPadded && !isPrefixed || groupsThousands(parts)) return undefined;
  const wholeOf = (each: string) => /^general$/i.test(each) ? "#" : each.split(".")[0];
  return {
    kind: "label",
    parts: parts.map(({ text, isDigits }) => isDigits ? wholeOf(text).length : text),
    // Of `#` one digit as well, since identifiers are rarely 0.
    least: Math.max(1, /0.*$/.exec(digits.map(wholeOf).join(""))?.[0].length ?? 0),
    decimals,
    text,
  };
}

/** What separates thousands where commas do not: `# ##0` shows 12345 as 12 345. */
const THOUSANDS = /^[\s'’.,]$/u;

/** Whether a format shows one number in groups of three digits, without zeros before it. */
function groupsThousands(parts: readonly FormatPart[]): boolean {
  const first = parts.findIndex(({ isDigits }) => isDigits);
  const last = parts.findLastIndex(({ isDigits }) => isDigits);
  const groups = parts.slice(first, last + 1);
  return groups.length > 1 &&
    groups.every(({ text, isDigits }, index) =>
      isDigits ? (index === 0 ? /^#+$/ : /^##[#0]$/).test(text) : THOUSANDS.test(text)
    );
}

function hasText(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/**
 * Writes a number as its cell shows it.
 *
 * @returns The text; `undefined` if the cell shows a rounded number, or one below 0.
 */
export function labelText(number: number, { parts, least, decimals }: LabelFormat): string | undefined {
  if (!(number >= 0 && number <= Number.MAX_SAFE_INTEGER)) return undefined;
  const [whole, fraction] = number.toFixed(decimals).split(".");
  if (Number(fraction === undefined ? whole : `${whole}.${fraction}`) !== number) return undefined;
  let placeholders = 0;
  for (const part of parts) if (typeof part === "number") placeholders += part;
  const all = whole.padStart(least, "0");
  // Digits fill the placeholders from the last one on; digits without a placeholder come before those of the first.
  let at = 0;
  let next = all.length - placeholders;
  return parts.map((part) => {
    if (typeof part === "string") return part;
    next += part;
    const digits = all.slice(at, Math.max(at, next));
    at += digits.length;
    return fraction === undefined ? digits : `${digits}.${fraction}`;
  }).join("");
}

/** Writes a fraction in percent: `48.12%`, with all its digits. */
export function percentText(number: number): string {
  // The point is moved in the text: 0.4812 * 100 is 48.120000000000005.
  const [digits, exponent = "0"] = String(number).split("e");
  return `${Number(`${digits}e${Number(exponent) + 2}`)}%`;
}

/**
 * Reads the styles of cells.
 *
 * @returns The number format of each style, by its index; `undefined` for those that show a number by its digits alone.
 * @throws {ParseError} If the part is malformed.
 */
export async function readStyles(
  archive: ZipArchive,
  entry: ZipEntry,
  options: { readonly name: string; readonly signal?: AbortSignal },
): Promise<readonly (NumberFormat | undefined)[]> {
  const codes = new Map<number, string>();
  const ids: number[] = [];
  let isOfCells = false;
  await readWholePart(archive, entry, {
    onOpen({ own: name }, attributes) {
      const id = Number(attributes.get("numFmtId") ?? 0);
      if (name === "cellXfs") isOfCells = true;
      else if (name === "xf" && isOfCells) ids.push(id);
      // Formats of conditional styles (`dxf`) come later and have numbers of their own.
      else if (name === "numFmt" && !codes.has(id)) codes.set(id, attributes.get("formatCode") ?? "");
    },
    onText() {},
    onClose({ own }) {
      if (own === "cellXfs") isOfCells = false;
    },
  }, options);
  return ids.map((id) => {
    const code = codes.get(id);
    return code === undefined ? builtInFormat(id) : readNumberFormat(code);
  });
}
