/** Composition of sequences: how much more often two bases are neighbours than their frequencies let expect. */
import type { ByteSource } from "../../io/bytes/byte_source.ts";
import { checkOptions } from "../../options/check_options.ts";
import { adviseName } from "../../options/nearest.ts";
import type { OptionRules } from "../../options/option_rule.ts";
import * as rule from "../../options/rules.ts";
import { fieldAlias } from "../../contract/fields/field_alias.ts";
import { BatchSource } from "../records/batch_source.ts";
import type { FastaReader } from "../records/fasta_reader.ts";
import { SourceReader } from "../records/source_reader.ts";
import type { FastaBatch } from "../text/fasta_batch.ts";
import { READ_FASTA_OPTIONS, type ReadFastaOptions } from "../text/read_options.ts";
import { textAt } from "../text/text_column.ts";
import { PairRoutines } from "./_pair_routines.ts";

const BASES = ["A", "C", "G", "T"] as const;

/** The sixteen dinucleotides; T includes U. */
export const DINUCLEOTIDES: readonly string[] = BASES.flatMap((first) => BASES.map((second) => first + second));

/** Options of {@linkcode readComposition}. */
export interface ReadCompositionOptions extends ReadFastaOptions {
  /**
   * Whether ratios are of one strand or of both. By default those of a record whose molecule is double-stranded
   * (`dsDNA`, `dsRNA`, `dsDNA-RT`) are of both strands, by the field `moleculeField` of a registry FASTA; all others
   * are of one.
   */
  readonly strands?: "one" | "both" | "molecule";
  /** The field of the headers that names the molecule; `Molecule Type` or `molecule_type` by default. */
  readonly moleculeField?: string;
}

const READ_COMPOSITION_OPTIONS = {
  strands: rule.oneOf(["one", "both", "molecule"]),
  moleculeField: rule.text,
  ...READ_FASTA_OPTIONS,
} satisfies OptionRules<ReadCompositionOptions>;

/** The composition of one record. */
export interface Composition {
  /** The accession in a registry FASTA, else the header up to the first white space. */
  readonly id: string;
  /** Number of bases, ambiguous ones included. */
  readonly length: number;
  /** Number of A, C, G, and of T and U. */
  readonly bases: readonly number[];
  /** Pairs of neighbours that are both A, C, G, T or U. */
  readonly pairs: number;
  /** How often each of {@linkcode DINUCLEOTIDES} is there, on the strand as it is written. */
  readonly counts: readonly number[];
  /** Strands that the ratios are of. */
  readonly strands: 1 | 2;
  /**
   * The odds ratio of each of {@linkcode DINUCLEOTIDES}: ρ(xy) = f(xy) / (f(x) · f(y)), or ρ* of both strands; null
   * where a base does not occur.
   */
  readonly ratios: readonly (number | null)[];
}

/**
 * Reads the dinucleotide odds ratios of each record of a FASTA.
 *
 * Frequencies of pairs are shares of all pairs of A, C, G, T and U; frequencies of bases are shares of all of these
 * bases. A pair across any other character, such as N, does not count. On one strand the ratio is ρ, as `rho()` of
 * seqinr defines it. On both strands it is ρ* of Burge, Campbell and Karlin (1992): the sequence and its reverse
 * complement together, in which a pair and its reverse complement are equally frequent.
 *
 * @param source Where the FASTA is; plain, gzip or Zstandard.
 * @param options Strands, the field of the molecule, strictness, limits, signal.
 * @returns A reader of compositions, one a record.
 * @throws {RangeError} If an option is out of its range, or `moleculeField` is no field of the headers.
 * @throws {FastaError} While reading: see {@linkcode readFastaBatches}.
 * @throws {RegistryError} While reading: with code `disk` if the file cannot be read.
 * @see Not shown in the specification: chosen because CpG and UpA are rare in genomes of many hosts and their viruses.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { DINUCLEOTIDES, readComposition } from "./composition.ts";
 *
 * const text = new TextEncoder().encode(">a\nACGTNACG\n");
 * const [one] = await Array.fromAsync(readComposition(text));
 * assertEquals([one.bases, one.pairs], [[2, 2, 2, 1], 5]);
 * // CG: 2 of 5 pairs; C and G: 2 of 7 bases each.
 * assertEquals(one.ratios[DINUCLEOTIDES.indexOf("CG")]?.toFixed(2), "4.90");
 *
 * const [both] = await Array.fromAsync(readComposition(text, { strands: "both" }));
 * const [ac, gt] = ["AC", "GT"].map((pair) => both.ratios[DINUCLEOTIDES.indexOf(pair)]);
 * assertEquals(ac, gt);
 * ```
 */
export function readComposition(source: ByteSource, options: ReadCompositionOptions = {}): FastaReader<Composition> {
  checkOptions("readComposition()", options, READ_COMPOSITION_OPTIONS);
  const { strands = "molecule", moleculeField, ...reading } = options;
  const batches = new BatchSource(source, { ...reading, batchBytes: BATCH_BYTES, sequences: true });
  return new SourceReader(batches, compositions(batches, { strands, moleculeField }));
}

/** Bases of a batch: few enough to stay in the processor's cache while they are counted. */
const BATCH_BYTES = 1 << 20;

async function* compositions(
  source: BatchSource,
  { strands, moleculeField }: Required<Pick<ReadCompositionOptions, "strands">> & { readonly moleculeField?: string },
): AsyncGenerator<Composition> {
  try {
    const routines = new PairRoutines();
    const column = strands === "molecule" ? findMolecule((await source.head()).fields, moleculeField) : -1;
    for await (const batch of source.batches()) {
      routines.load(batch.sequences!);
      for (let row = 0; row < batch.rows; row++) {
        const isBoth = strands === "both" || column !== -1 && isDoubleStranded(textAt(batch.columns[column], row));
        yield compositionOf(batch, row, routines.count(row), isBoth ? 2 : 1);
      }
    }
  } finally {
    await source.close();
  }
}

function findMolecule(fields: readonly string[], name: string | undefined): number {
  const wanted = fieldAlias(name ?? "Molecule Type");
  const found = fields.findIndex((field) => fieldAlias(field) === wanted);
  if (found !== -1 || name === undefined) return found;
  throw new RangeError(`Cannot find the field "${name}" in the headers: ${adviseName(name, fields)}`);
}

function isDoubleStranded(molecule: string): boolean {
  return /^\s*(ds|double[ -]stranded)/i.test(molecule);
}

function compositionOf(batch: FastaBatch, row: number, classes: Uint32Array, strands: 1 | 2): Composition {
  const [counts, bases] = [Array.from(classes.subarray(0, 16)), Array.from(classes.subarray(16))];
  const ratios = oddsRatios({ counts, bases, strands });
  const pairs = counts.reduce((sum, count) => sum + count, 0);
  return { id: batch.ids[row], length: batch.length[row], bases, pairs, counts, strands, ratios };
}

/** Odds ratios of the pairs of one or both strands; null where a base does not occur. */
function oddsRatios({ counts, bases, strands }: Pick<Composition, "counts" | "bases" | "strands">): (number | null)[] {
  const ofPairs = strands === 1 ? counts : counts.map((count, pair) => count + counts[reverseComplement(pair)]);
  const ofBases = strands === 1 ? bases : bases.map((count, base) => count + bases[3 - base]);
  const pairs = ofPairs.reduce((sum, count) => sum + count, 0);
  const all = ofBases.reduce((sum, count) => sum + count, 0);
  return ofPairs.map((count, pair) => {
    const expected = ofBases[pair >> 2] * ofBases[pair & 3] * pairs;
    return expected === 0 ? null : count * all * all / expected;
  });
}

/** The complement of base `b` is `3 - b`. */
function reverseComplement(pair: number): number {
  return 4 * (3 - (pair & 3)) + 3 - (pair >> 2);
}
