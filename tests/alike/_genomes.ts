/** Random genomes, and relatives of a stated identity. */

export { randomsOf } from "../_randoms.ts";

export function genomeOf(random: () => number, length: number): string {
  return Array.from({ length }, () => "ACGT"[Math.floor(random() * 4)]).join("");
}

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

export function fastaOf(records: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(Object.entries(records).map(([id, bases]) => `>${id}\n${bases}\n`).join(""));
}
