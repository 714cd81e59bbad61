/**
 * What went wrong while reading, in bounded memory: counts of everything, the first of each in words.
 */
import { CUT_BGZF } from "../bgzf/bgzf_end.ts";
import { FastaError } from "../text/fasta_error.ts";
import { countOf } from "../../contract/count_of.ts";
import { closeLedger, type Ledger, listSome, type Problem } from "../../contract/ledger.ts";

/** Kinds of problems, each with the words that the ledger uses for it. */
const LABELS = {
  values: "left out, because the number of values differs from ;fields=",
  emptyHeader: "without an id: the header is empty or begins with a blank",
  emptySequence: "without a sequence",
  invalidBase: "with an unexpected character",
  duplicate: "with an id that came before",
  headerText: "with a header that is not UTF-8",
  headerBreak: "with a carriage return in the header",
} as const;

/** A kind of problem of a record. */
export type ProblemKind = keyof typeof LABELS;

/** The order in which the ledger lists them, independent of the order found. */
const KINDS = [
  "values",
  "emptyHeader",
  "duplicate",
  "emptySequence",
  "invalidBase",
  "headerText",
  "headerBreak",
  "comment",
] as const;

/** How many places a sentence of the ledger names. */
const NAMED = 20;

/** Collects problems. */
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
  readonly #most: number;
  readonly #strict: boolean;
  readonly #name: string;
  readonly #places = new Map<ProblemKind | "comment", { count: number; first: string[] }>();

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
  add(kind: ProblemKind | "comment", describe: () => Problem): void {
    if (this.#strict) {
      const problem = describe();
      throw new FastaError(`Cannot read ${this.#name} strictly: ${problem.reason}`, problem);
    }
    this.count += 1;
    let places = this.#places.get(kind);
    if (places === undefined) this.#places.set(kind, places = { count: 0, first: [] });
    places.count += 1;
    const isKept = this.problems.length < this.#most;
    const isNamed = places.first.length < NAMED;
    if (!isKept && !isNamed) return;
    const problem = describe();
    if (isKept) this.problems.push(problem);
    if (!isNamed) return;
    places.first.push(problem.id ? `${problem.id.slice(0, 200)} (line ${problem.line})` : `line ${problem.line}`);
  }

  /** The ledger so far. */
  ledger(): Ledger {
    const reasons: string[] = [];
    const warnings: string[] = [];
    for (const kind of KINDS) {
      const { count, first } = this.#places.get(kind) ?? { count: 0, first: [] };
      if (count === 0) continue;
      const more = count > first.length ? ` and ${count - first.length} more` : "";
      const where = `${listSome(first, NAMED)}${more}`;
      if (kind === "comment") warnings.push(`${countOf(count, "comment line")} skipped: ${where}`);
      else (kind === "values" ? reasons : warnings).push(`${countOf(count, "record")} ${LABELS[kind]}: ${where}`);
    }
    if (this.isBlind) warnings.push("too many ids to look for duplicates among all of them: later ones may be unseen");
    if (this.isCut) warnings.push(CUT_BGZF);
    return closeLedger({
      received: this.received,
      unique: this.received - this.duplicates,
      unparsed: this.#places.get("values")?.count ?? 0,
      reasons,
      warnings,
    });
  }
}
