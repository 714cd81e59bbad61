/** A reader over a source of batches. */
import type { Ledger, Problem } from "../../contract/ledger.ts";
import type { BatchSource } from "./batch_source.ts";
import type { FastaHead } from "../text/fasta_batch.ts";
import type { FastaReader } from "./fasta_reader.ts";

/** Yields what a generator makes of a source, with the facts that the source knows. */
export class SourceReader<T> implements FastaReader<T> {
  readonly #source: BatchSource;
  readonly #items: AsyncGenerator<T>;

  constructor(source: BatchSource, items: AsyncGenerator<T>) {
    this.#source = source;
    this.#items = items;
  }

  async head(): Promise<FastaHead> {
    try {
      return await this.#source.head();
    } catch (error) {
      await this.#source.close();
      throw error;
    }
  }

  get problems(): readonly Problem[] {
    return this.#source.log.problems;
  }

  get problemCount(): number {
    return this.#source.log.count;
  }

  get ledger(): Ledger {
    return this.#source.log.ledger();
  }

  get bytes(): number {
    return this.#source.bytes;
  }

  get sha256(): string | null {
    return this.#source.sha256;
  }

  next(): Promise<IteratorResult<T>> {
    return this.#items.next();
  }

  async return(): Promise<IteratorResult<T>> {
    const result = await this.#items.return(undefined);
    // A generator that never began has nothing to clean up; the source may be open all the same, for its head.
    await this.#source.close();
    return result;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }
}
