/**
 * Whether a text is a nucleotide sequence, for what a registry of genomes sends.
 *
 * A local FASTA file may hold protein, so the reader accepts every residue. A registry's sequence may not: an error
 * message instead of one would be read as bases.
 */

/** A, C, G, T, U or N. */
const BASE = 1;
/** Another of IUPAC's nucleotide codes. */
const OTHER = 2;
/** A gap, `.` or `*`: of an aligned sequence most characters may be such, and no message is made of them. */
const GAP = 7;
/** White space, which does not count. */
const BLANK = 3;
/** Control characters and parts of characters beyond ASCII: unexpected, but not what messages are made of. */
const CONTROL = 4;
/** X, which masks bases in some files: no nucleotide code, and no part of a message. */
const MASK = 5;
/** A residue that is no nucleotide code. */
const RESIDUE = 6;
/** A digit or another printable character. */
const SYMBOL = 0;

/** Class of each byte. */
const CLASSES = classify();

function classify(): Uint8Array {
  const classes = new Uint8Array(256);
  const mark = (characters: string, kind: number) => {
    for (const character of characters) classes[character.charCodeAt(0)] = kind;
  };
  classes.fill(CONTROL, 0, 32).fill(CONTROL, 127);
  mark("EFIJLOPQZefijlopqz", RESIDUE);
  mark("Xx", MASK);
  mark("ACGTUNacgtun", BASE);
  mark("RYSWKMBDHVryswkmbdhv", OTHER);
  mark("-.*", GAP);
  mark("\t\n\v\f\r ", BLANK);
  return classes;
}

/** Bytes that begin markup or JSON, at the beginning of a line. */
const MARKUP = new Set(Array.from('<{["', (character) => character.charCodeAt(0)));

export interface NucleotideText {
  /**
   * Whether at least half of its characters are A, C, G, T, U or N, less than a quarter is other residues (half of
   * `Not found` could be bases), and no line is a message. White space, gaps, `.` and `*` do not count.
   */
  readonly isSequence: boolean;
  /** The distinct residues beyond IUPAC's nucleotide codes, in the order of their first use. */
  readonly residues: readonly string[];
  /** Number of the first line that is a message, from 0; `undefined` if none is. */
  readonly messageLine: number | undefined;
}

/**
 * Counts the characters of one sequence, line by line.
 *
 * A line is a message if it begins as markup or JSON does, if it has spaces between words with other residues than
 * nucleotide codes, if at least a quarter of its characters are such residues, or if none is a code.
 */
export class NucleotideCounter {
  readonly #residues = new Set<number>();
  #characters = 0;
  #bases = 0;
  #otherResidues = 0;
  #line = 0;
  #messageLine: number | undefined;
  /** Of the present line: characters, residues and symbols that are no codes, and characters before the first space. */
  #inLine = 0;
  #residuesInLine = 0;
  #symbolsInLine = 0;
  #beforeBlank = -1;
  #isMarkup = false;

  /** Starts another sequence. */
  reset(): void {
    this.#residues.clear();
    this.#characters =
      this.#bases =
      this.#otherResidues =
      this.#line =
        0;
    this.#messageLine = undefined;
    this.#startLine();
  }

  #startLine(): void {
    this.#inLine = this.#residuesInLine = this.#symbolsInLine = 0;
    this.#beforeBlank = -1;
    this.#isMarkup = false;
  }

  /** Counts a piece of a line. */
  add(bytes: Uint8Array, start: number, end: number): void {
    let notBases = 0;
    let blanks = 0;
    let gaps = 0;
    for (let at = start; at < end; at++) {
      const kind = CLASSES[bytes[at]];
      if (kind === BASE) continue;
      notBases++;
      if (kind === OTHER) continue;
      if (kind === GAP) {
        gaps++;
        continue;
      }
      const before = this.#inLine + at - start - blanks;
      if (kind === BLANK) {
        blanks++;
        if (this.#beforeBlank === -1 && before > 0) this.#beforeBlank = before;
      } else if (kind === RESIDUE) {
        this.#residuesInLine++;
        this.#residues.add(bytes[at]);
      } else if (kind === MASK) this.#residues.add(bytes[at]);
      else if (kind === SYMBOL) {
        this.#symbolsInLine++;
        if (before === 0 && MARKUP.has(bytes[at])) this.#isMarkup = true;
      }
    }
    const characters = end - start - blanks;
    this.#inLine += characters;
    this.#characters += characters - gaps;
    this.#bases += end - start - notBases;
  }

  /** Ends a line; whether it is the first message of the sequence. */
  endLine(): boolean {
    const [characters, residues, foreign] = [
      this.#inLine,
      this.#residuesInLine,
      this.#residuesInLine + this.#symbolsInLine,
    ];
    const hasWords = this.#beforeBlank !== -1 && this.#beforeBlank < characters;
    const isMessage = this.#isMarkup || residues > 0 && hasWords || residues > 1 && residues * 4 >= characters ||
      foreign > 1 && foreign === characters;
    const isFirst = isMessage && this.#messageLine === undefined;
    if (isFirst) this.#messageLine = this.#line;
    this.#otherResidues += residues;
    this.#line++;
    this.#startLine();
    return isFirst;
  }

  /** What the sequence holds, after the end of its last line. */
  result(): NucleotideText {
    const [characters, residues] = [this.#characters, this.#otherResidues];
    return {
      isSequence: this.#bases * 2 >= characters && (residues === 0 || residues * 4 < characters) &&
        this.#messageLine === undefined,
      residues: this.#residues.size === 0 ? [] : [...this.#residues].map((code) => String.fromCharCode(code)),
      messageLine: this.#messageLine,
    };
  }
}

/** Examines a text that a registry sent as a sequence. An empty text is a sequence. */
export function examineNucleotides(text: string): NucleotideText {
  const counter = new NucleotideCounter();
  const bytes = new TextEncoder().encode(text);
  for (let start = 0; start < bytes.length;) {
    const feed = bytes.indexOf(10, start);
    const end = feed === -1 ? bytes.length : feed;
    counter.add(bytes, start, end);
    counter.endLine();
    start = end + 1;
  }
  return counter.result();
}
