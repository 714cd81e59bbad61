/** The digest of a set of records: the same for any order of them, since no registry promises one. */
import { isRecord } from "../../options/is_record.ts";
import { parseJson, writeJson } from "../../contract/json/lossless_json.ts";
import { joinBytes } from "../../io/bytes/join_bytes.ts";
import { sha256Of } from "../../io/digest/sha256.ts";

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
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const QUOTE = 34;
const SEMICOLON = 59;
const GREATER = 62;
const SEPARATOR = new Uint8Array([LINE_FEED]);

/** Starts the digest of an answer of a media type, such as `text/csv`. */
export function startSetDigest(mediaType: string): SetDigest {
  if (/\bjson$/.test(mediaType)) return new JsonRecords();
  if (mediaType === "text/csv") return new LineRecords("csv");
  if (mediaType === "text/tab-separated-values") return new LineRecords("tsv");
  if (/fasta/.test(mediaType)) return new LineRecords("fasta");
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

class Sum {
  #sum = 0n;
  #records = 0;

  add(record: string | Uint8Array): void {
    this.#sum = BigInt.asUintN(256, this.#sum + BigInt(`0x${sha256Of(record)}`));
    this.#records++;
  }

  close(header: string): AnsweredSet {
    return { records: this.#records, set: sha256Of(`${header}\n${this.#sum.toString(16).padStart(64, "0")}`) };
  }
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
    const sum = new Sum();
    const records = recordsOf(value);
    const keys = new Set<string>();
    for (const record of records) collectKeys(record, keys);
    // A list of names makes the engine write the keys in its order, several times faster than sorting each object.
    const sorted = [...keys].sort();
    for (const record of records) sum.add(stringify(record, sorted));
    return sum.close("");
  }
}

function stringify(record: unknown, keys: string[]): string {
  try {
    return JSON.stringify(record, keys);
  } catch {
    // It holds an integer beyond 2^53.
    return canonicalJson(record);
  }
}

function collectKeys(value: unknown, keys: Set<string>): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const each of value) collectKeys(each, keys);
    return;
  }
  for (const [key, each] of Object.entries(value)) {
    keys.add(key);
    collectKeys(each, keys);
  }
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
  readonly #form: "csv" | "tsv" | "fasta";
  readonly #sum = new Sum();
  #header: string | undefined;
  /** The record that has not ended; its last line begins at `#lineStart`. */
  #record = new Uint8Array(1 << 16);
  #used = 0;
  #lineStart = 0;
  #isOpen = false;
  #isQuoted = false;

  constructor(form: "csv" | "tsv" | "fasta") {
    this.#form = form;
  }

  update(chunk: Uint8Array): void {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      this.#append(chunk.subarray(from, end));
      this.#endLine();
      from = end + 1;
    }
    this.#append(chunk.subarray(from));
  }

  digest(): AnsweredSet {
    if (this.#used > this.#lineStart) this.#endLine();
    if (this.#isOpen) this.#endRecord(this.#used);
    return this.#sum.close(this.#header ?? "");
  }

  #append(bytes: Uint8Array): void {
    if (this.#used + bytes.length > this.#record.length) {
      const grown = new Uint8Array(2 * (this.#used + bytes.length));
      grown.set(this.#record.subarray(0, this.#used));
      this.#record = grown;
    }
    this.#record.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  #endLine(): void {
    if (this.#used > this.#lineStart && this.#record[this.#used - 1] === CARRIAGE_RETURN) this.#used--;
    if (this.#form === "fasta") this.#endFastaLine();
    else this.#endRowLine();
    this.#lineStart = this.#used;
  }

  #endRowLine(): void {
    if (this.#used === this.#lineStart && !this.#isQuoted) return;
    this.#isOpen = true;
    const line = this.#record.subarray(this.#lineStart, this.#used);
    if (this.#form === "csv") {
      for (let at = line.indexOf(QUOTE); at !== -1; at = line.indexOf(QUOTE, at + 1)) this.#isQuoted = !this.#isQuoted;
    }
    if (this.#isQuoted) this.#append(SEPARATOR);
    else this.#endRecord(this.#used);
  }

  /** A sequence is the same however its lines are broken. */
  #endFastaLine(): void {
    const line = this.#record.subarray(this.#lineStart, this.#used);
    if (line[0] === GREATER) {
      if (this.#isOpen) this.#endRecord(this.#lineStart);
      this.#isOpen = true;
      this.#append(SEPARATOR);
    } else if (!this.#isOpen) {
      if (line[0] === SEMICOLON) this.#header ??= new TextDecoder().decode(line);
      this.#used = this.#lineStart;
    }
  }

  /** Adds the bytes up to `end` as a record; what follows begins the next. */
  #endRecord(end: number): void {
    const record = this.#record.subarray(0, end);
    if (this.#form !== "fasta" && this.#header === undefined) this.#header = new TextDecoder().decode(record);
    else this.#sum.add(record);
    this.#record.copyWithin(0, end, this.#used);
    this.#used -= end;
    this.#isOpen = false;
  }
}
