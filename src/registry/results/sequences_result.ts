/**
 * Sequences that came from a registry.
 *
 * @module
 */
import { writePlainFasta } from "../../fasta/write/write_fasta.ts";
import { writeAtomic } from "../../io/files/atomic_file.ts";
import { RegistryResult, type ResultParts } from "./result.ts";
import { WRITE_RESULT_OPTIONS, writeResultFile, type WriteResultOptions } from "./result_file.ts";
import type { OptionRules } from "../../contract/options/option_rule.ts";
import { checkOptions } from "../../contract/options/check_options.ts";
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

/** Rules of {@linkcode ToFastaOptions}. */
export const TO_FASTA_OPTIONS = {
  ...WRITE_RESULT_OPTIONS,
  wrap: WRAP,
} satisfies OptionRules<ToFastaOptions>;

/**
 * Sequences, one row each: the accession, the values asked for, `length` (bases), `gc` (share of G and C among A, C, G,
 * T and U, null without any), `ambiguous` (bases that are none of these) and `sequence`.
 */
export class SequencesResult extends RegistryResult {
  /** The sequences, in the order they came. */
  readonly entries: readonly SequenceEntry[];
  /** Whether they came by the sequence operation, or by a FASTA export. */
  readonly route: SequenceRoute;
  readonly #fields: readonly string[];

  /** Results are made by a `Registry`. */
  constructor(parts: SequencesResultParts) {
    super(parts);
    this.entries = parts.entries;
    this.route = parts.route;
    this.#fields = parts.fields ?? [];
  }

  /** Finds the sequence of a record; `undefined` when it did not come. */
  get(accession: string): string | undefined {
    return this.entries.find((entry) => entry.accession === accession)?.sequence;
  }

  /**
   * Writes plain FASTA, which every tool reads, atomically; its provenance comes with it, as `FILE.provenance.json`.
   *
   * A header is the accession alone, or the accession, a blank and the values of the fields that were asked for, joined
   * by `|` (a `|` within a value becomes `/`).
   *
   * @param path Final path; in the working folder, named after operation, query and day, when absent.
   * @returns The path.
   * @throws {RegistryError} With code `disk` if the file cannot be written.
   */
  async toFasta(path?: string, options: ToFastaOptions = {}): Promise<string> {
    checkOptions("toFasta()", options, TO_FASTA_OPTIONS);
    const { wrap, signal } = options;
    const columns = this.#fields.map((field) => this.table.texts(field));
    const records = this.entries.map(({ accession, sequence }, row) => {
      const values = columns.map((texts) => headerValue(texts[row] ?? "")).join("|");
      return { header: values === "" ? accession : `${accession} ${values}`, sequence };
    });
    return await writeResultFile(
      this,
      { ...options, path, extension: "fasta" },
      (to) =>
        writeAtomic(to, writePlainFasta(records, { ...wrap !== undefined && { wrap } }), { ...signal && { signal } }),
    );
  }
}
