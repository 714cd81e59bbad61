/** Signatures that sourmash, or this toolkit, wrote. */
import { ParseError } from "@seqreg/core/errors";
import { checkOptions } from "@seqreg/core/options/check_options";
import { isRecord } from "@seqreg/core/options/is_record";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import {
  type ByteSource,
  copyBytes,
  openBytes,
  openRandomBytes,
  type RandomBytes,
  sourceName,
} from "@seqreg/core/io/bytes";
import { openZip } from "@seqreg/core/io/zip/zip_archive";
import { type ExchangeSketch, md5OfHashes } from "./exchange_sketch.ts";
import type { ReadSequencesOptions } from "./read_sequences.ts";

const READ_SIGNATURES_OPTIONS = { name: rule.text, signal: rule.signal } satisfies OptionRules<ReadSequencesOptions>;

/** A sketch with the name of what was sketched. */
export interface NamedSketch extends ExchangeSketch {
  /** Name of the signature: in most files the header of a sequence, or the name of a file. */
  readonly name: string;
}

/** Bytes of a file of signatures at most, after decompression. */
const MOST_BYTES = 1 << 29;
const ZIP_MARK = [0x50, 0x4b];

/**
 * Reads signatures: JSON, plain or gzip, or a zip of these, whose manifest is not needed. Each sketch is verified by
 * its MD5.
 *
 * @param source Where the signatures are.
 * @param options Name for errors, signal.
 * @returns The sketches, in the order of the file.
 * @throws {ParseError} If the file is not one of signatures, is damaged, or has sketches of another kind: of proteins,
 * of another hash or seed, or of a number of hashes instead of a share.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { readSignatures } from "./read_signatures.ts";
 * import { writeSignatures } from "./write_signatures.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const fasta = new TextEncoder().encode(">a\nGATTACAGATTACAGATTACA\n");
 * const { file } = await writeSignatures(fasta, `${folder}/sketches`, { k: 5, scaled: 1 });
 * const [{ name, k, scaled, hashes }] = await Array.fromAsync(readSignatures(file));
 *
 * assertEquals([name, k, scaled, hashes.length], ["a", 5, 1, 7]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export function readSignatures(source: ByteSource, options: ReadSequencesOptions = {}): AsyncGenerator<NamedSketch> {
  checkOptions("readSignatures()", options, READ_SIGNATURES_OPTIONS);
  return sketchesOf(source, options);
}

async function* sketchesOf(source: ByteSource, options: ReadSequencesOptions): AsyncGenerator<NamedSketch> {
  const name = options.name ?? sourceName(source);
  const { signal } = options;
  using bytes = await openRandomBytes(source, { name, signal });
  if (!ZIP_MARK.every((byte, at) => bytes.size > at && bytes.read(at, 1)[0] === byte)) {
    yield* sketchesIn(wholeOf(bytes, name), name);
    return;
  }
  const archive = openZip(bytes, name);
  const entries = archive.entries.filter((entry) => /\.sig(\.gz)?$/i.test(entry.name));
  if (entries.length === 0) throw unreadable(name, "its archive has no .sig or .sig.gz");
  for (const entry of entries) {
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of openBytes(archive.read(entry, signal), { name, signal })) {
      size += chunk.length;
      if (size > MOST_BYTES) throw unreadable(name, `${entry.name} has more than ${MOST_BYTES} bytes`);
      parts.push(chunk.slice());
    }
    yield* sketchesIn(copyBytes(parts), `${entry.name} in ${name}`);
  }
}

function wholeOf(bytes: RandomBytes, name: string): Uint8Array {
  if (bytes.size > MOST_BYTES) throw unreadable(name, `it has more than ${MOST_BYTES} bytes`);
  return bytes.read(0, bytes.size).slice();
}

function* sketchesIn(bytes: Uint8Array, name: string): Generator<NamedSketch> {
  for (const signature of listOf(parseExactly(bytes, name), name)) {
    if (!isRecord(signature) || signature.class !== "sourmash_signature") {
      throw unreadable(name, "it has no signatures");
    }
    const called = [signature.name, signature.filename].find((text) => typeof text === "string" && text !== "");
    for (const sketch of listOf(signature.signatures, name)) {
      yield { name: String(called ?? ""), ...sketchOf(sketch, signature.hash_function, name) };
    }
  }
}

/** Parses JSON; whole numbers beyond 2^53 become bigints. */
function parseExactly(bytes: Uint8Array, name: string): unknown {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const exact = (_: string, value: unknown, context?: { readonly source?: string }) =>
      typeof value === "number" && !Number.isSafeInteger(value) && /^[0-9]+$/.test(context?.source ?? "")
        ? BigInt(context!.source!)
        : value;
    return JSON.parse(text, exact);
  } catch (cause) {
    throw unreadable(name, "it is not valid JSON", cause);
  }
}

function listOf(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw unreadable(name, "it has no list of signatures");
  return value;
}

function sketchOf(sketch: unknown, hashFunction: unknown, name: string): ExchangeSketch {
  if (!isRecord(sketch)) throw unreadable(name, "a signature has no sketch");
  const { num, ksize, seed, max_hash: most, mins, md5sum, molecule } = sketch;
  if (hashFunction !== "0.murmur64" || seed !== 42) throw otherKind(name, `the hash ${hashFunction}, seed ${seed}`);
  if (String(molecule).toUpperCase() !== "DNA") throw otherKind(name, `the molecule ${molecule}`);
  if (num !== 0 || isZero(most)) throw otherKind(name, `${num} hashes each, not one of so many`);
  if (!Number.isSafeInteger(ksize) || !isWhole(most) || !Array.isArray(mins) || !mins.every(isWhole)) {
    throw unreadable(name, "a sketch has no k, greatest hash or list of hashes");
  }
  const [k, maxHash] = [Number(ksize), BigInt(most)];
  const hashes = BigUint64Array.from(mins, (value: number | bigint) => BigInt(value)).sort();
  const scaled = Math.round(2 ** 64 / Number(maxHash));
  const md5 = md5OfHashes(k, hashes);
  if (md5 !== md5sum) throw unreadable(name, `the MD5 of a sketch is ${md5}, not ${md5sum}: the file is damaged`);
  if (hashes.length > 0 && hashes[hashes.length - 1] > maxHash) throw unreadable(name, "a hash is above the greatest");
  return { k, scaled, maxHash, hashes, md5 };
}

function isWhole(value: unknown): value is number | bigint {
  return typeof value === "bigint" || typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isZero(value: unknown): boolean {
  return value === undefined || value === null || value === 0;
}

function otherKind(name: string, has: string): ParseError {
  return new ParseError(
    `Cannot use the signatures of ${name}: a sketch has ${has}; expected DNA by MurmurHash3, seed 42, with scaled: ` +
      "sketch again with sourmash sketch dna -p scaled=1000",
  );
}

function unreadable(name: string, why: string, cause?: unknown): ParseError {
  return new ParseError(
    `Cannot read signatures of ${name}: ${why}; expected a .sig, .sig.gz or .zip file of sourmash`,
    {},
    cause === undefined ? {} : { cause },
  );
}
