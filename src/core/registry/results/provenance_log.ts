/** One provenance of the several answers that a result may be made of. */
import type { Receipt } from "../../client/mod.ts";
import type { Provenance } from "../../contract/ledger.ts";
import { TOOLKIT } from "../../contract/version.ts";

/** Gathers what happened on the wire, request by request. */
export class ProvenanceLog {
  readonly #operation: string;
  readonly #place: string;
  readonly #begun = new Date().toISOString();
  #answers = 0;
  #bytes = 0;
  #first: Receipt | undefined;
  #last: Receipt | undefined;

  /** Takes what the user does, and what provenance calls the registry: its base address or folder. */
  constructor(operation: string, place: string) {
    this.#operation = operation;
    this.#place = place;
  }

  /** Answers so far. */
  get answers(): number {
    return this.#answers;
  }

  /** Adds an answer that is at its end. */
  add(receipt: Receipt): void {
    this.#answers++;
    this.#bytes += receipt.bytes;
    this.#first ??= receipt;
    this.#last = receipt;
  }

  /**
   * Ends with one provenance. Several answers have no digest in common, and `request` stands for all of theirs; a
   * single answer's own request is stated where none is given.
   */
  close(request?: unknown): Provenance {
    const alone = this.#answers === 1 ? this.#first : undefined;
    return {
      operation: this.#operation,
      registry: this.#place,
      request: request ?? alone?.request ?? null,
      bytes: this.#bytes,
      sha256: alone?.sha256 ?? null,
      started: this.#first?.started ?? this.#begun,
      finished: this.#last?.finished ?? new Date().toISOString(),
      toolkit: TOOLKIT,
    };
  }
}
