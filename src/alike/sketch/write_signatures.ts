/** Signatures: sketches of a FASTA in sourmash's own format. */
import { join } from "node:path";
import { checkOptions } from "@seqreg/core/options/check_options";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import type { Ledger } from "@seqreg/core/contract";
import { TOOLKIT } from "@seqreg/core/contract/version";
import { type ByteSource, sourceName } from "@seqreg/core/io/bytes";
import { createWholeFolder, onDisk } from "@seqreg/core/io/files/whole_folder";
import { writeAtomic } from "@seqreg/core/io/files/atomic_file";
import { type DeflatedPart, deflatePart, gzipParts } from "@seqreg/core/io/gzip";
import type { SignaturePart } from "./_sketch_batch.ts";
import { EXCHANGE_DEFAULTS, EXCHANGE_OPTIONS, type ExchangeOptions, maxHashOf } from "./exchange_sketch.ts";
import { readSequences, type ReadSequencesOptions } from "./read_sequences.ts";
import { sketchBatches } from "./sketch_batches.ts";

/** Options of {@linkcode writeSignatures}. */
export interface WriteSignaturesOptions extends ExchangeOptions, ReadSequencesOptions {}

const WRITE_SIGNATURES_OPTIONS = {
  ...EXCHANGE_OPTIONS,
  name: rule.text,
  signal: rule.signal,
} satisfies OptionRules<WriteSignaturesOptions>;

/** What was written: the contents of `sketch.json`, and what is known of the source. */
export interface WrittenSignatures {
  /** Path of the signatures. */
  readonly file: string;
  /** Signatures, one for each record. */
  readonly signatures: number;
  /** Hashes of all of them. */
  readonly hashes: number;
  /** Signatures without a hash: of records that are shorter than k, have no k-mer without N, or only rejected ones. */
  readonly empty: number;
  /** What is known of the source: records received, duplicate and unparsed. */
  readonly ledger: Ledger;
  /** Bytes read, compressed if the source is. */
  readonly bytes: number;
  /** SHA-256 of these bytes. */
  readonly sha256: string | null;
}

/** Names of the two files in the folder. */
const SIGNATURES = "signatures.sig.gz";
const PARAMETERS = "sketch.json";

/**
 * Writes a signature for each record of a FASTA, as `sourmash sketch dna --singleton` does with the same k and scaled:
 * `FOLDER/signatures.sig.gz`, which sourmash reads, and `FOLDER/sketch.json` with the parameters and the SHA-256 of the
 * source. Records are read one batch at a time; the folder is written atomically.
 *
 * @param source Where the FASTA is; plain, gzip or Zstandard.
 * @param folder The folder; it must be absent or empty.
 * @param options Length of k-mers, density, whether U is read as T, name for errors, signal.
 * @throws {RangeError} If an option is out of its range.
 * @throws {FastaError} If the source cannot be read, has proteins or no bases.
 * @throws {RegistryError} With code `disk` if the folder holds something already, or cannot be written.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { writeSignatures } from "./write_signatures.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const fasta = new TextEncoder().encode(">a\nGATTACAGATTACAGATTACA\n>b\nNNNN\n");
 * const { signatures, hashes, empty } = await writeSignatures(fasta, `${folder}/sketches`, { k: 5, scaled: 1 });
 *
 * assertEquals([signatures, hashes, empty], [2, 7, 1]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function writeSignatures(
  source: ByteSource,
  folder: string,
  options: WriteSignaturesOptions = {},
): Promise<WrittenSignatures> {
  checkOptions("writeSignatures()", options, WRITE_SIGNATURES_OPTIONS);
  const { k = EXCHANGE_DEFAULTS.k, scaled = EXCHANGE_DEFAULTS.scaled, rna = EXCHANGE_DEFAULTS.rna, signal } = options;
  const name = options.name ?? sourceName(source);
  await using reading = await readSequences(source, { name, signal });
  await using whole = await createWholeFolder(folder);
  const counts = { signatures: 0, hashes: 0, empty: 0 };
  const job = { kind: "signatures", name, k, maxHash: maxHashOf(scaled), rna } as const;
  const parts = countedParts(sketchBatches(reading.batches(), job), counts);
  await writeAtomic(join(whole.path, SIGNATURES), gzipParts(parts), { signal });
  const { ledger, bytes, sha256 } = reading.reader;
  const parameters = {
    sketch: "exchange",
    k,
    scaled,
    rna,
    seed: 42,
    hash: "MurmurHash3 x64-128, lower half",
    ...counts,
    source: { name, bytes, sha256 },
    toolkit: TOOLKIT,
  };
  await writeAtomic(join(whole.path, PARAMETERS), `${JSON.stringify(parameters, null, 2)}\n`, { signal });
  await onDisk(folder, () => whole.rename());
  return { file: join(folder, SIGNATURES), ...counts, ledger, bytes, sha256 };
}

/** Yields parts of a JSON list with one signature a line, and its end; counts what it holds. */
async function* countedParts(
  parts: AsyncIterable<SignaturePart>,
  counts: { signatures: number; hashes: number; empty: number },
): AsyncGenerator<DeflatedPart> {
  for await (const part of parts) {
    counts.signatures += part.signatures;
    counts.hashes += part.hashes;
    counts.empty += part.empty;
    yield part;
  }
  yield deflatePart(new TextEncoder().encode("]\n"));
}
