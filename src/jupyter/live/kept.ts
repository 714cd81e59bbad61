/** Results that are kept while they fit into a given memory: what was used last stays. */

/** Results by name, each computed once. */
export class Kept<T> {
  readonly #mostBytes: number;
  readonly #bytesOf: (result: T) => number;
  readonly #results = new Map<string, { readonly promise: Promise<T>; result?: T }>();

  /** Takes the memory that results may take, and how much one takes. */
  constructor(mostBytes: number, bytesOf: (result: T) => number) {
    this.#mostBytes = mostBytes;
    this.#bytesOf = bytesOf;
  }

  /** A result that is there already. */
  get(key: string): T | undefined {
    const kept = this.#results.get(key);
    if (kept === undefined) return undefined;
    this.#results.delete(key);
    this.#results.set(key, kept);
    return kept.result;
  }

  /** A result, computed if it is not there; one that is being computed is waited for. */
  async want(key: string, compute: () => Promise<T>): Promise<T> {
    const known = this.#results.get(key);
    if (known !== undefined) {
      this.get(key);
      return await known.promise;
    }
    const kept: { readonly promise: Promise<T>; result?: T } = { promise: compute() };
    this.#results.set(key, kept);
    try {
      kept.result = await kept.promise;
    } catch (cause) {
      this.#results.delete(key);
      throw cause;
    }
    this.#forgetOldest(key);
    return kept.result;
  }

  #forgetOldest(newest: string): void {
    const sizes = [...this.#results].flatMap(([key, { result }]) =>
      result === undefined ? [] : [{ key, bytes: this.#bytesOf(result) }]
    );
    let bytes = sizes.reduce((sum, one) => sum + one.bytes, 0);
    for (const one of sizes) {
      if (bytes <= this.#mostBytes) return;
      if (one.key === newest) continue;
      this.#results.delete(one.key);
      bytes -= one.bytes;
    }
  }
}
