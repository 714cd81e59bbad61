/** Random genomes, and relatives of a stated identity. */

/** Numbers from 0 to 1 from a seed. */
export function randomsOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = state + 0x6d2b79f5 >>> 0;
    let t = Math.imul(state ^ state >>> 15, 1 | state);
    t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
    return ((t ^ t >>> 14) >>> 0) / 2 ** 32;
  };
}

/** A random genome. */
export function genomeOf(random: () => number, length: number): string {
  return Array.from({ length }, () => "ACGT"[Math.floor(random() * 4)]).join("");
}

/** The genome with a share of its bases substituted. */
export function mutate(random: () => number, genome: string, share: number): string {
  return Array.from(genome, (base) => {
    if (random() >= share) return base;
    return "ACGT"[("ACGT".indexOf(base) + 1 + Math.floor(random() * 3)) % 4];
  }).join("");
}

/** The other strand. */
export function reverseComplement(genome: string): string {
  return Array.from(genome, (base) => "TGCA"["ACGT".indexOf(base)]).reverse().join("");
}

/** A FASTA of records by id. */
export function fastaOf(records: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(Object.entries(records).map(([id, bases]) => `>${id}\n${bases}\n`).join(""));
}
