/** Sequences that came from a registry. */
import { type PlainFastaInput, writePlainFasta } from "../../fasta/write/write_fasta.ts";
import { releaseFrames } from "../../tables/types/release_frames.ts";
import { writeNamed } from "../../io/files/named_format.ts";
import { RegistryResult, type ResultParts } from "./result.ts";
import { WRITE_RESULT_OPTIONS, writeResultFile, type WriteResultOptions } from "./result_file.ts";
import type { OptionRules } from "../../options/option_rule.ts";
import { checkOptions } from "../../options/check_options.ts";
import { WRAP } from "../../fasta/text/wrap.ts";
import { headerValue } from "../../fasta/write/header_template.ts";

/** One record with its sequence. */
export interface SequenceEntry {
  /** Its accession. */
  readonly accession: string;
  /** Its bases, as they came, without white space. */
  readonly sequence: string;
}

/** Which way sequences came. */
export type SequenceRoute = "sequence" | "export";

/** What a {@linkcode SequencesResult} is made of. */
export interface SequencesResultParts extends ResultParts {
  /** The sequences. */
  readonly entries: readonly SequenceEntry[];
  /** Which way they came. */
  readonly route: SequenceRoute;
  /** Public fields that came with each sequence; none by default. */
  readonly fields?: readonly string[];
}

/** Options of {@linkcode SequencesResult.toFasta}. */
export interface ToFastaOptions extends WriteResultOptions {
  /** Bases of a line; 0 for one line a sequence; 70 by default. */
  readonly wrap?: number;
}

/** Rows that are looked at at a time. */
const ROWS_AT_ONCE = 32_768;
/** Pages of sequences after which garbage is collected. */
const RELEASE_PAGES = 4;

export const TO_FASTA_OPTIONS = {
  ...WRITE_RESULT_OPTIONS,
  wrap: WRAP,
} satisfies OptionRules<ToFastaOptions>;

/**
 * Sequences, one row each: the accession, the requested values, `length` (bases), `gc` (share of G and C among A, C, G,
 * T and U, null without any), `ambiguous` (other bases) and `sequence`.
 */
export class SequencesResult extends RegistryResult {
  /** The sequences, in the order they came; many of them are read a page at a time, as `rows` are. */
  readonly entries: readonly SequenceEntry[];
  /** Whether they came by the sequence operation, or by a FASTA export. */
  readonly route: SequenceRoute;
  readonly #fields: readonly string[];
  readonly #pageRows: number;

  /** Results are made by a `Registry`. */
  constructor(parts: SequencesResultParts) {
    super(parts);
    this.entries = parts.entries;
    this.route = parts.route;
    this.#fields = parts.fields ?? [];
    this.#pageRows = parts.pageRows ?? ROWS_AT_ONCE;
  }

  /** Finds the sequence of a record; `undefined` when it did not come. */
  get(accession: string): string | undefined {
    const row = this.#rowOf(accession);
    return row === -1 ? undefined : this.entries[row].sequence;
  }

  /**
   * Writes plain FASTA, which every tool reads, atomically; its provenance comes with it, as `FILE.provenance.json`.
   *
   * A header is the accession alone, or the accession, a blank and the values of the fields that were asked for, joined
   * by `|` (a `|` within a value becomes `/`).
   *
   * @param path Final path, compressed if it ends in `.gz`; when absent, in the working folder and named after
   * operation, query and day.
   * @returns The path.
   * @throws {TypeError} If the path ends as that of another format.
   * @throws {RegistryError} With code `disk` if the file cannot be written.
   */
  async toFasta(path?: string, options: ToFastaOptions = {}): Promise<string> {
    checkOptions("toFasta()", options, TO_FASTA_OPTIONS);
    const { wrap, signal } = options;
    return await writeResultFile(
      this,
      { ...options, path, extension: "fasta" },
      (to) => writeNamed(to, "fasta", writePlainFasta(this.#records(), { wrap }), { signal }),
    );
  }

  /** Reads records as FASTA has them, a page at a time. */
  async *#records(): AsyncGenerator<PlainFastaInput> {
    const { rows } = this.table;
    for (let from = 0; from < rows; from += this.#pageRows) {
      const texts = this.table.textRows(this.#fields, this.#pageRows, from);
      const entries = this.entries.slice(from, from + this.#pageRows);
      for (const [row, { accession, sequence }] of entries.entries()) {
        const values = texts[row].map((text) => headerValue(text ?? "")).join("|");
        yield { header: values === "" ? accession : `${accession} ${values}`, sequence };
      }
      if (from > 0 && from / this.#pageRows % RELEASE_PAGES === 0) await releaseFrames();
    }
  }

  #rowOf(accession: string): number {
    const { rows } = this.table;
    const field = this.columns[0].field;
    for (let from = 0; from < rows; from += ROWS_AT_ONCE) {
      const row = this.table.texts(field, ROWS_AT_ONCE, from).indexOf(accession);
      if (row !== -1) return from + row;
    }
    return -1;
  }
}
