/** Limits of a registry that the specification does not show, learnt from what it refuses or cuts. */
import { InvalidRequestError, type RegistryClient, StatusError, UnexpectedResponseError } from "../../client/mod.ts";
import { MAX_SEARCH_DEPTH } from "../../contract/limits.ts";

/** What a limit is about: results in a page, accessions in a selection, accessions in a sequence request. */
export type LimitKind = "pageSize" | "selection" | "sequence";

const WORDS: Readonly<Record<LimitKind, string>> = {
  pageSize: "results in a page",
  selection: "accessions in an export",
  sequence: "accessions in a sequence request",
};

/** What a refusal says when it is about too much, and not about a value that is absent or malformed. */
const TOO_MUCH =
  /\b(most|max\w*|exceed\w*|limit\w*|less|fewer|smaller|large|big|long|many|between|range)\b|too_long|<=?/i;

/** Limits that a registry has shown so far; `null` where it has shown none. */
export class LearnedLimits {
  readonly #most = new Map<LimitKind, number>();
  #cutsAtDepth = false;

  /** Most results in a page. */
  get pageSize(): number | null {
    return this.most("pageSize");
  }

  /** Most accessions in an export of a selection. */
  get selection(): number | null {
    return this.most("selection");
  }

  /** Most accessions in a sequence request. */
  get sequence(): number | null {
    return this.most("sequence");
  }

  /** Whether a page that crosses record 10,000 is refused rather than cut there. */
  get refusesCrossing(): boolean {
    return this.#cutsAtDepth;
  }

  /** The limit of one kind. */
  most(kind: LimitKind): number | null {
    return this.#most.get(kind) ?? null;
  }

  /** A number that keeps a limit. */
  within(kind: LimitKind, wanted: number): number {
    return Math.min(wanted, this.most(kind) ?? wanted);
  }

  /** Remembers that at most so many are taken, or come. */
  learn(kind: LimitKind, most: number): void {
    this.#most.set(kind, Math.max(1, this.within(kind, most)));
  }

  /** Remembers that a page must end at record 10,000. */
  learnCrossing(): void {
    this.#cutsAtDepth = true;
  }

  /**
   * Learns from a refusal that names the quantity, and says how many to ask for next: the number in its words, else
   * half. So it does from an answer that is too large to hold.
   *
   * @param error What the request failed with.
   * @param kind What was asked too much of.
   * @param asked How many were asked for.
   * @param names Names of the quantity in the body of the request.
   * @returns The next number, less than `asked`; `undefined` when the refusal is about something else.
   */
  learnFrom(error: unknown, kind: LimitKind, asked: number, names: readonly string[]): number | undefined {
    if (asked <= 1) return undefined;
    if (error instanceof UnexpectedResponseError && error.maxBytes !== undefined) return this.#halve(kind, asked);
    if (!(error instanceof StatusError)) return undefined;
    if (error.status === 413 && kind !== "pageSize") return this.#halve(kind, asked);
    const words = refusalOf(error, names);
    if (words === undefined) return undefined;
    const stated = [...words.replace(/(\d)[,_ ](?=\d{3}\b)/g, "$1").matchAll(/(?<![\w.-])\d{1,9}(?![\w.])/g)]
      .map(([digits]) => Number(digits)).filter((number) => number >= 1 && number < asked);
    if (stated.length === 0) return this.#halve(kind, asked);
    const next = Math.max(...stated);
    this.learn(kind, next);
    return next;
  }

  #halve(kind: LimitKind, asked: number): number {
    const next = Math.floor(asked / 2);
    this.learn(kind, next);
    return next;
  }

  /** What has been learnt, one line each. */
  describe(): string[] {
    const lines = [...this.#most].map(([kind, most]) => `at most ${most} ${WORDS[kind]}`);
    return this.#cutsAtDepth ? [...lines, `no page beyond record ${MAX_SEARCH_DEPTH}, not even in part`] : lines;
  }
}

/** The words of a status 422 about one of these keys as a whole; `undefined` when it is about something else. */
function refusalOf(error: StatusError, names: readonly string[]): string | undefined {
  if (!(error instanceof InvalidRequestError) || error.status !== 422) return undefined;
  const about = error.issues.find(({ loc, msg, type }) =>
    names.includes(String(loc.at(-1))) && !/missing|required/i.test(`${type} ${msg}`) && TOO_MUCH.test(`${type} ${msg}`)
  );
  return about?.msg;
}

const LIMITS = new WeakMap<RegistryClient, LearnedLimits>();

/** The limits that the registry of a client has shown; they are remembered as long as the client. */
export function limitsOf(client: RegistryClient): LearnedLimits {
  const known = LIMITS.get(client) ?? new LearnedLimits();
  LIMITS.set(client, known);
  return known;
}
