/**
 * Records of an answer whose accession is absent or malformed, or that could not be read: counted, the first ones
 * named.
 */
import { countOf } from "../../contract/count_of.ts";
import { listSome } from "../../contract/ledger.ts";
import { AccessionSet } from "./accession_set.ts";

/** A record whose accession is absent or malformed, or that could not be read. */
export interface InvalidRecord {
  /** Line of the text, counted from 1; absent where the format has no lines. */
  readonly line?: number;
  /** The accession as it came; absent where the record has none. */
  readonly value?: string;
  /** What is wrong, in words. */
  readonly reason: string;
  /** Accession of a record that could not be read, if it is known. */
  readonly accession?: string;
  /** Whether the record can be read but for its accession. */
  readonly isReadable: boolean;
}

const EXPECTED = "expected vj followed by 12 digits";

/** A hit whose accession is absent, malformed or no text. */
export function invalidValue(value: unknown): InvalidRecord {
  if (value === undefined || value === null) return invalidAccession("");
  if (typeof value !== "object") return invalidAccession(String(value));
  const kind = Array.isArray(value) ? "an array" : "an object";
  return { reason: `the accession is ${kind}, not one text: ${EXPECTED}`, isReadable: true };
}

/** A record whose accession is absent or malformed. */
export function invalidAccession(value: string, line?: number): InvalidRecord {
  return {
    ...line !== undefined && { line },
    ...value !== "" && { value },
    reason: value === "" ? "the record has no accession" : `is not an accession: ${EXPECTED}`,
    isReadable: true,
  };
}

/** Records that are named at most. */
const NAMED = 20;
/** Characters of a value that are shown. */
const SHOWN = 60;

/** Collects invalid records in bounded memory. */
export class InvalidLog {
  readonly #unread = new NamedFaults();
  readonly #unnamed = new NamedFaults();
  readonly #accessions = new AccessionSet();
  readonly #unit: string;

  /** Takes what a record is called that cannot be read; `row` by default. */
  constructor(unit = "row") {
    this.#unit = unit;
  }

  get count(): number {
    return this.#unread.count + this.#unnamed.count;
  }

  /** Those that can be read but for their accession. */
  get readable(): number {
    return this.#unnamed.count;
  }

  /** Whether a record with this accession came and could not be read. */
  hasUnread(accession: string): boolean {
    return this.#accessions.has(accession);
  }

  add({ line, value, reason, accession, isReadable }: InvalidRecord): void {
    if (accession !== undefined && !isReadable) this.#accessions.add(accession);
    const quoted = value === undefined ? "" : JSON.stringify(value.slice(0, SHOWN));
    (isReadable ? this.#unnamed : this.#unread).add(reason, quoted, line);
  }

  /** Words the reason that these records are for a ledger. */
  describe(): string {
    return [
      this.#unread.describe((count) => `${countOf(count, this.#unit)} could not be read`),
      this.#unnamed.describe((count) => `${countOf(count, "record")} without a valid accession`),
    ].filter((text) => text !== "").join("; ");
  }
}

/** What shares one reason. */
interface Fault {
  /** The first of them, each by its value and line, and how often it came. */
  readonly first: Map<string, { readonly value: string; readonly line: number | undefined; times: number }>;
  count: number;
}

/** Counts faults by their reason, which is written once, and names the first ones of each. */
class NamedFaults {
  readonly #faults = new Map<string, Fault>();
  #named = 0;
  count = 0;

  add(reason: string, value: string, line: number | undefined): void {
    this.count++;
    const isNew = !this.#faults.has(reason);
    if (isNew && this.#named >= NAMED) return;
    const fault = this.#faults.get(reason) ?? { first: new Map(), count: 0 };
    this.#faults.set(reason, fault);
    fault.count++;
    const key = `${value} ${line ?? ""}`;
    const known = fault.first.get(key);
    if (known !== undefined) known.times++;
    else if (this.#named < NAMED) {
      this.#named++;
      fault.first.set(key, { value, line, times: 1 });
    }
  }

  /** `WORDS: first REASON (line 3), likewise second (line 5) and 3 more`; empty without a fault. */
  describe(words: (count: number) => string): string {
    if (this.count === 0) return "";
    const groups = [...this.#faults].map(([reason, { first, count }]) => {
      const [one, ...others] = [...first.values()];
      const shown = [one, ...others].reduce((sum, { times }) => sum + times, 0);
      const rest = [
        ...others.map(({ value, line, times }) => {
          const place = line === undefined ? "" : value === "" ? `line ${line}` : `(line ${line})`;
          return nameOf([value, place], times);
        }),
        ...count > shown ? [`${count - shown} more`] : [],
      ];
      const place = one.line === undefined ? "" : `(line ${one.line})`;
      const likewise = rest.length === 0 ? "" : `, likewise ${listSome(rest, rest.length)}`;
      return `${nameOf([one.value, reason, place], one.times)}${likewise}`;
    });
    const known = [...this.#faults.values()].reduce((sum, { count }) => sum + count, 0);
    const more = this.count > known ? ` and ${this.count - known} more` : "";
    return `${words(this.count)}: ${groups.join(", ")}${more}`;
  }
}

function nameOf(parts: readonly string[], times: number): string {
  return [...parts, times > 1 ? `(${times} times)` : ""].filter((part) => part !== "").join(" ");
}

/** Counts things and names the first ones. */
export class NamedCount {
  readonly #first: string[] = [];
  count = 0;

  add(name: string): void {
    this.count++;
    if (this.#first.length < NAMED) this.#first.push(name);
  }

  /** `WORDS: first, second and 3 more`; empty for an empty list. */
  describe(words: (count: number) => string): string {
    if (this.count === 0) return "";
    const more = this.count > this.#first.length ? ` and ${this.count - this.#first.length} more` : "";
    return `${words(this.count)}: ${listSome(this.#first, NAMED)}${more}`;
  }
}
