/** What went wrong while reading, in bounded memory: counts of everything, the first of each in words. */
import { CUT_BGZF } from "../bgzf/bgzf_end.ts";
import { FastaError } from "../text/fasta_error.ts";
import { countOf } from "../../contract/count_of.ts";
import { closeLedger, type Ledger, listSome, type Problem } from "../../contract/ledger.ts";
import type { LedgerCode } from "../../contract/ledger_codes.ts";
import { type LedgerEntry, noteEntry, noteUnfinished } from "../../contract/ledger_entries.ts";

/** Kinds of problems, in the order in which the ledger lists them, each with its code and its words there. */
const KINDS = [
  {
    kind: "values",
    code: "value-count",
    unit: "record",
    label: "left out, because the number of values differs from ;fields=",
  },
  {
    kind: "emptyHeader",
    code: "id-empty",
    unit: "record",
    label: "without an id: the header is empty",
  },
  { kind: "duplicate", code: "duplicates", unit: "record", label: "with an id that came before" },
  { kind: "emptySequence", code: "sequence-empty", unit: "record", label: "without a sequence" },
  {
    kind: "hiddenRecord",
    code: "record-hidden",
    unit: "record",
    label: 'with ">" inside the sequence, where another record may have vanished',
  },
  { kind: "invalidBase", code: "bases-unexpected", unit: "record", label: "with an unexpected character" },
  { kind: "headerText", code: "header-encoding", unit: "record", label: "with a header that is not UTF-8" },
  { kind: "headerBreak", code: "header-line-break", unit: "record", label: "with a carriage return in the header" },
  { kind: "comment", code: "comments-skipped", unit: "comment line", label: "skipped" },
] as const satisfies readonly { kind: string; code: LedgerCode; unit: string; label: string }[];

/** A kind of problem of a record, or of a line between records. */
export type ProblemKind = (typeof KINDS)[number]["kind"];

/** How many records a sentence of the ledger names. */
const NAMED = 20;

export class ProblemLog {
  /** The first problems, as many as were asked for. */
  readonly problems: Problem[] = [];
  /** How many problems there were. */
  count = 0;
  /** Records that were given out. */
  received = 0;
  /** Those whose id came before. */
  duplicates = 0;
  /** Whether there were too many ids to look for duplicates among all. */
  isBlind = false;
  /** Whether the file is BGZF without its end block. */
  isCut = false;
  /** Whether all batches were taken. */
  isRead = false;
  readonly #most: number;
  readonly #strict: boolean;
  readonly #name: string;
  readonly #found = new Map<ProblemKind, { count: number; first: string[]; ids: string[] }>();

  constructor(name: string, most: number, strict: boolean) {
    this.#name = name;
    this.#most = most;
    this.#strict = strict;
  }

  /**
   * Records a problem; its message is built only as long as problems are listed individually.
   *
   * @throws {FastaError} If the reading is strict.
   */
  add(kind: ProblemKind, describe: () => Problem): void {
    if (this.#strict) {
      const problem = describe();
      throw new FastaError(`Cannot read ${this.#name} strictly: ${problem.reason}`, problem);
    }
    this.count += 1;
    let found = this.#found.get(kind);
    if (found === undefined) this.#found.set(kind, found = { count: 0, first: [], ids: [] });
    found.count += 1;
    const isKept = this.problems.length < this.#most;
    const isNamed = found.first.length < NAMED;
    if (!isKept && !isNamed) return;
    const problem = describe();
    if (isKept) this.problems.push(problem);
    if (!isNamed) return;
    if (problem.id) found.ids.push(problem.id.slice(0, 200));
    found.first.push(problem.id ? `${problem.id.slice(0, 200)} (line ${problem.line})` : `line ${problem.line}`);
  }

  ledger(): Ledger {
    const entries: LedgerEntry[] = [];
    for (const { kind, code, unit, label } of KINDS) {
      const { count, first, ids } = this.#found.get(kind) ?? { count: 0, first: [], ids: [] };
      if (count === 0) continue;
      const more = count > first.length ? ` and ${count - first.length} more` : "";
      const where = `${listSome(first, NAMED)}${more}`;
      entries.push(noteEntry(code, `${countOf(count, unit)} ${label}: ${where}`, { count, ids }));
    }
    if (this.isBlind) {
      const text = "too many ids to look for duplicates among all of them: later ones may be unseen";
      entries.push(noteEntry("duplicates-uncounted", text));
    }
    if (!this.isRead) entries.push(noteUnfinished(this.received));
    if (this.isCut) entries.push(noteEntry("bgzf-end-absent", CUT_BGZF));
    return closeLedger({
      received: this.received,
      unique: this.received - this.duplicates,
      unparsed: this.#found.get("values")?.count ?? 0,
      entries,
    });
  }
}
