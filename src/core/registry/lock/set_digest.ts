/** The digest of a set of records: the same for any order of them, since no registry promises one. */
import { isRecord } from "../../options/is_record.ts";
import { parseJson, writeJson } from "../../contract/json/lossless_json.ts";
import { joinBytes } from "../../io/bytes/join_bytes.ts";
import { sha256Of } from "../../io/digest/sha256.ts";
import { type RecordForm, type RecordSum, RecordSums } from "./record_sums.ts";

export interface AnsweredSet {
  /** How many; `null` if the form of the answer is not one whose records are recognised. */
  readonly records: number | null;
  /**
   * SHA-256 of the header and, in hexadecimal digits, the sum modulo 2^256 of the SHA-256 of each record; `null` if
   * records are not recognised.
   */
  readonly set: string | null;
}

/** Takes an answer piece by piece. */
export interface SetDigest {
  update(chunk: Uint8Array): void;
  digest(): AnsweredSet;
}

const NOTHING: AnsweredSet = { records: null, set: null };

/** Starts the digest of an answer of a media type, such as `text/csv`. */
export function startSetDigest(mediaType: string): SetDigest {
  if (/\bjson$/.test(mediaType)) return new JsonRecords();
  if (mediaType === "text/csv") return new LineRecords("CSV");
  if (mediaType === "text/tab-separated-values") return new LineRecords("TSV");
  if (/fasta/.test(mediaType)) return new LineRecords("FASTA");
  return { update: () => {}, digest: () => NOTHING };
}

/** Writes a value as JSON whose objects have their keys sorted. */
export function canonicalJson(value: unknown): string {
  return writeJson(sortKeys(value));
}

/** Sorts the keys of every object within a value. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]): [string, unknown] => [key, sortKeys(each)]).sort(([a], [b]) =>
      a < b ? -1 : a > b ? 1 : 0
    ),
  );
}

function setOf({ header, records, sum }: RecordSum): AnsweredSet {
  return { records, set: sha256Of(`${header}\n${sum.toString(16).padStart(64, "0")}`) };
}

/** Hits of a search, sequences by accession, or a list of definitions. The score of a hit is not part of the record. */
class JsonRecords implements SetDigest {
  readonly #parts: Uint8Array<ArrayBuffer>[] = [];

  update(chunk: Uint8Array): void {
    this.#parts.push(chunk.slice());
  }

  digest(): AnsweredSet {
    let value: unknown;
    try {
      value = parseJson(new TextDecoder().decode(joinBytes(this.#parts)));
    } catch {
      return NOTHING;
    }
    const writer = new SortedRecords();
    const sums = RecordSums.begin("SINGLE");
    for (const record of recordsOf(value)) sums.add(writer.write(record));
    return setOf(sums.close());
  }
}

/** Names and their order. */
interface Names {
  readonly own: readonly string[];
  readonly sorted: readonly string[];
  /** An object that has the names in this order: the engine fills a copy of it faster than it builds one. */
  readonly template: Readonly<Record<string, unknown>>;
}

/** Names that an object puts elsewhere than they were given. */
const UNORDERED = /^(?:[0-9]|__proto__$)/;

/**
 * Writes records as JSON with their keys sorted. The engine is fastest with objects that have them in this order, and
 * records of an answer mostly have the same ones.
 */
class SortedRecords {
  readonly #known: Names[] = [];
  /** Whether no name so far is one that objects put elsewhere. */
  #keepsOrder = true;

  write(record: unknown): string {
    try {
      const ordered = this.#keepsOrder ? this.#ordered(record) : undefined;
      return this.#keepsOrder ? JSON.stringify(ordered) : JSON.stringify(record, sortedNames(record));
    } catch {
      // It holds an integer beyond 2^53.
      return canonicalJson(record);
    }
  }

  #ordered(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.#ordered(each));
    if (!isRecord(value)) return value;
    const { sorted, template } = this.#sort(Object.keys(value));
    const to: Record<string, unknown> = { ...template };
    for (const name of sorted) {
      const each = value[name];
      to[name] = typeof each === "object" ? this.#ordered(each) : each;
    }
    return to;
  }

  #sort(own: readonly string[]): Names {
    const known = this.#known.find((names) => isSame(names.own, own));
    if (known !== undefined) return known;
    this.#keepsOrder &&= !own.some((name) => UNORDERED.test(name));
    const sorted = own.toSorted();
    const names = { own, sorted, template: JSON.parse(`{${sorted.map((name) => `${JSON.stringify(name)}:0`)}}`) };
    if (this.#known.push(names) > MOST_NAMES) this.#known.shift();
    return names;
  }
}

/** Lists of names that are kept. */
const MOST_NAMES = 4;

function isSame(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false;
  return true;
}

/** All names within a value, sorted. */
function sortedNames(value: unknown): string[] {
  const names = new Set<string>();
  collectNames(value, names);
  return [...names].sort();
}

function collectNames(value: unknown, names: Set<string>): void {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) {
    for (const name of Object.keys(value)) names.add(name);
  }
  for (const each of Object.values(value)) collectNames(each, names);
}

function recordsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return [value];
  if (Array.isArray(value.results)) {
    return value.results.map((hit) => {
      if (!isRecord(hit)) return hit;
      const { score: _, ...record } = hit;
      return record;
    });
  }
  return Object.entries(value);
}

/** Records of lines: rows of a table, whose first is the header, or sequences. */
class LineRecords implements SetDigest {
  readonly #form: RecordForm;
  #sums: RecordSums | undefined;

  constructor(form: RecordForm) {
    this.#form = form;
  }

  update(chunk: Uint8Array): void {
    this.#sums ??= RecordSums.begin(this.#form);
    this.#sums.update(chunk);
  }

  digest(): AnsweredSet {
    return setOf((this.#sums ?? RecordSums.begin(this.#form)).close());
  }
}
