/** Whether the answers that one result is made of are of one release of the registry's data. */
import { noteReleases } from "../../contract/answers/release_mark.ts";
import type { LedgerEntry } from "../../contract/ledger_entries.ts";
import type { Receipt } from "../../client/mod.ts";

/** Ends work that is done again, since its answers are of two releases. */
class ReleaseChange extends Error {
  override readonly name = "ReleaseChange";
}

/**
 * Compares the marks of the answers of one result, or of several that belong together. Answers without a mark cannot be
 * compared.
 *
 * @see Not shown in the specification: the mark is the header `Registry-Release` of an embedded registry's answers.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { ReleaseWatch } from "./release_watch.ts";
 *
 * const watch = new ReleaseWatch();
 * watch.see({ release: "2026-11" }, "page 1");
 * assertEquals(watch.entries(), []);
 * watch.see({ release: "2026-12" }, "page 2");
 * assertEquals(watch.entries()[0].code, "releases-mixed");
 * ```
 */
export class ReleaseWatch {
  /** Parts of the result, by the mark of their answer. */
  readonly #parts = new Map<string, string[]>();
  #unmarked = 0;
  #mayEnd: boolean;

  /** `mayEnd`: whether the work is ended by the second mark, to be done again; false by default. */
  constructor({ mayEnd = false }: { readonly mayEnd?: boolean } = {}) {
    this.#mayEnd = mayEnd;
  }

  /** Whether each answer so far has a mark, so that a change is seen. */
  get isMarked(): boolean {
    return this.#unmarked === 0;
  }

  /** Takes an answer, and which part of the result it is, such as `page 2`. */
  see({ release }: Pick<Receipt, "release">, part: string): void {
    if (release === undefined) {
      this.#unmarked++;
      return;
    }
    const parts = this.#parts.get(release) ?? [];
    this.#parts.set(release, parts);
    if (parts.at(-1) !== part) parts.push(part);
    if (this.#mayEnd && this.#parts.size > 1) throw new ReleaseChange("the registry's data was replaced");
  }

  /** Keeps the work going from now on: a part of the result was handed out. */
  handOut(): void {
    this.#mayEnd = false;
  }

  /** The reason why the result is incomplete, if its answers are of several releases. */
  entries(): LedgerEntry[] {
    return noteReleases(this.#parts, { what: "the answers", next: "request all again" });
  }
}

/**
 * Does work whose result is made of several answers, and does it again from the beginning, once, if these are of two
 * releases. Nothing of the result may be handed out before {@linkcode ReleaseWatch.handOut} is called.
 *
 * @param work Makes the result; the watch is given each answer.
 */
export async function withinRelease<T>(work: (watch: ReleaseWatch) => Promise<T>): Promise<T> {
  try {
    return await work(new ReleaseWatch({ mayEnd: true }));
  } catch (error) {
    if (!(error instanceof ReleaseChange)) throw error;
  }
  return await work(new ReleaseWatch());
}
