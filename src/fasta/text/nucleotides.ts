/**
 * Whether a text is a nucleotide sequence, for what a registry of genomes sends.
 *
 * A local FASTA file may hold protein, so the reader accepts every letter. A registry's sequence may not: an error
 * message in its place would be read as bases.
 *
 * @module
 */

/** A, C, G, T, U or N. */
const BASE = 1;
/** Another of IUPAC's nucleotide codes, a gap, `.` or `*`. */
const OTHER = 2;
/** White space, which does not count. */
const BLANK = 3;

/** Class of each ASCII character; 0 is unexpected. */
const CLASSES = classify();

function classify(): Uint8Array {
  const classes = new Uint8Array(128);
  const mark = (characters: string, kind: number) => {
    for (const character of characters) classes[character.charCodeAt(0)] = kind;
  };
  mark("ACGTUNacgtun", BASE);
  mark("RYSWKMBDHVryswkmbdhv-.*", OTHER);
  mark("\t\n\v\f\r ", BLANK);
  return classes;
}

/** What a text holds. */
export interface NucleotideText {
  /**
   * Whether at least half of its characters are A, C, G, T, U or N, and less than a quarter is other letters, since
   * half of `Not found` could be bases. White space does not count.
   */
  readonly isSequence: boolean;
  /** The distinct characters beyond IUPAC's nucleotide codes, `-`, `.` and `*`, in the order of their first use. */
  readonly unexpected: readonly string[];
}

/**
 * Examines a text that a registry sent as a sequence. An empty text is a sequence.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { examineNucleotides } from "./nucleotides.ts";
 *
 * assertEquals(examineNucleotides("ACGTNRY-acgu"), { isSequence: true, unexpected: [] });
 * assertEquals(examineNucleotides("ACGTJACGT").unexpected, ["J"]);
 * assertEquals(examineNucleotides("Not found").isSequence, false);
 * ```
 */
export function examineNucleotides(text: string): NucleotideText {
  const unexpected = new Set<string>();
  let bases = 0;
  let characters = 0;
  let letters = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const kind = code < 128 ? CLASSES[code] : 0;
    if (kind === BLANK) continue;
    characters++;
    if (kind === BASE) bases++;
    else if (kind !== OTHER) {
      if (/[a-z]/i.test(text[index])) letters++;
      unexpected.add(text[index]);
    }
  }
  return {
    isSequence: bases * 2 >= characters && (letters === 0 || letters * 4 < characters),
    unexpected: [...unexpected],
  };
}
