/** Counts bases of sequences as they go by, for the fields that describe them. */

/** Length, GC content and ambiguous bases of each record, in the order in which they came. */
export class BaseCounts {
  readonly #lengths: number[] = [];
  readonly #gc: number[] = [];
  readonly #plain: number[] = [];
  readonly #counts = new Uint32Array(256);

  add(sequence: Uint8Array): void {
    const counts = this.#counts.fill(0);
    for (let index = 0; index < sequence.length; index++) counts[sequence[index]]++;
    const gc = both(counts, "C") + both(counts, "G");
    this.#lengths.push(sequence.length);
    this.#gc.push(gc);
    this.#plain.push(gc + both(counts, "A") + both(counts, "T") + both(counts, "U"));
  }

  lengthOf(record: number): number {
    return this.#lengths[record];
  }

  /** Bases of a record beyond A, C, G, T and U. */
  ambiguousOf(record: number): number {
    return this.#lengths[record] - this.#plain[record];
  }

  /** GC content in percent with two decimals, rounded in integer arithmetic; empty without A, C, G, T or U. */
  gcPercentOf(record: number): string {
    const plain = this.#plain[record];
    if (plain === 0) return "";
    const hundredths = Math.floor((this.#gc[record] * 20_000 + plain) / (2 * plain));
    return decimal(hundredths, 2);
  }
}

function both(counts: Uint32Array, base: string): number {
  const upper = base.charCodeAt(0);
  return counts[upper] + counts[upper | 0x20];
}

/** Writes a whole number of tenths, hundredths … as a decimal number. */
export function decimal(value: number, places: number): string {
  const digits = String(Math.abs(value)).padStart(places + 1, "0");
  return `${value < 0 ? "-" : ""}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}
