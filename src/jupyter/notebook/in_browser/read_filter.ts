/** What a person writes into the filter of a column, as a filter. Runs in the browser; see `cells.ts`. */

/** A filter of a column, as `live/live_question.ts` has it, without its column. */
export interface FilterRule {
  readonly kind: "range" | "holds" | "is" | "missing" | "present";
  readonly text?: string;
  readonly min?: string;
  readonly max?: string;
  readonly above?: boolean;
  readonly below?: boolean;
  /** Whether the other rows are meant, those without a value among them. */
  readonly not?: boolean;
}

/** What a text means: a filter, none, or that it cannot be read. */
export interface ReadFilter {
  readonly rule?: FilterRule;
  readonly fault?: string;
}

/**
 * Reads a filter: `word` (contains), `=text` (exactly), `10..20`, `>5`, `<=5`, `2016-01..2016-03`, `missing`,
 * `present`; after `!` the rows that it leaves out.
 */
export function readFilter(text: string, kind: "number" | "date" | "text"): ReadFilter {
  const words = text.trim();
  if (words === "") return {};
  const marks = /^[\s!]*!/.exec(text)?.[0] ?? "";
  if (marks !== "") {
    const { rule, fault } = readFilter(text.slice(marks.length), kind);
    const isNot = marks.split("!").length % 2 === 0;
    return fault !== undefined ? { fault } : rule === undefined ? {} : { rule: { ...rule, ...isNot && { not: true } } };
  }
  if (words === "missing" || words === "present") return { rule: { kind: words } };
  if (kind === "text") {
    const exact = text.trimStart();
    return { rule: exact.startsWith("=") ? { kind: "is", text: exact.slice(1) } : { kind: "holds", text: words } };
  }
  const bound = (part: string) => readBoundOf(part, kind);
  const range = /^(.*?)\s*\.\.\s*(.*)$/.exec(words);
  const compared = /^(>=|<=|>|<|=|≥|≤)\s*(.*)$/.exec(words);
  if (range !== null && range[1] + range[2] !== "") {
    const [min, max] = [range[1], range[2]].map((part) => part === "" ? undefined : bound(part));
    if ((range[1] === "" || min !== undefined) && (range[2] === "" || max !== undefined)) {
      return { rule: { kind: "range", ...min !== undefined && { min }, ...max !== undefined && { max } } };
    }
  } else if (compared !== null) {
    const value = bound(compared[2]);
    if (value !== undefined) {
      const sign = compared[1];
      if (sign === "=") return { rule: { kind: "range", min: value, max: value } };
      if (sign.startsWith(">") || sign === "≥") {
        return { rule: { kind: "range", min: value, ...sign === ">" && { above: true } } };
      }
      return { rule: { kind: "range", max: value, ...sign === "<" && { below: true } } };
    }
  } else {
    const value = bound(words);
    if (value !== undefined) return { rule: { kind: "range", min: value, max: value } };
  }
  const example = kind === "number"
    ? "a number or a range: write 12, 10..20, >5, <=5, missing or present"
    : "a date or a range: write 2016, 2016-03, 2016-01..2016-03, >2016-05-31, missing or present";
  return { fault: `"${words}" is not ${example}` };
}

/** What the field of a filter shows while it is empty. */
export function filterHint(kind: string): string {
  return kind === "number" ? "10..20, >5" : kind === "date" ? "2016..2018" : "contains";
}

/** What may be written into the field of a filter, in words. */
export function filterHelp(kind: string): string {
  if (kind === "number") return "a number, 10..20, >5, <=5";
  return kind === "date" ? "2016, 2016-03, 2016-01..2016-03, >2016-05-31" : "word: contains; =text: exactly";
}

/** A number or a date as a filter holds it; `undefined` if it is neither. */
export function readBoundOf(text: string, kind: "number" | "date"): string | undefined {
  if (kind === "number") {
    const digits = /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(",", "") : text;
    return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(digits) && digits.length <= 100 ? digits : undefined;
  }
  if (!/^\d{4}(-\d\d(-\d\d)?)?$/.test(text)) return undefined;
  const day = new Date(`${(text + "-01-01").slice(0, 10)}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? text : undefined;
}
