/** Opens an index of sketches and finds postings in it. */
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { RegistryError } from "@seqreg/core/errors";
import { diskError } from "@seqreg/core/io/files";
import { readAt } from "@seqreg/core/io/bytes";
import { LAST_SHIFT, SEARCH_K } from "../sketch/search_sketch.ts";
import {
  BLOCK_NUMBERS,
  BLOCK_POSTINGS,
  INDEX_FILES,
  INDEX_VERSION,
  type IndexFile,
  type IndexManifest,
  isManifest,
  MOST_POSTING_BYTES,
  RECORD_NUMBERS,
} from "./index_files.ts";

/** Called for each record that has a hash of a query: the record, and whether both have it on the same strand. */
export type OnShared = (record: number, isSameStrand: boolean) => void;

/**
 * Opens an index that {@linkcode buildAlikeIndex} wrote.
 *
 * @param folder Its folder.
 * @throws {RegistryError} With code `disk` if there is no index, `damaged` if its files are damaged or it was made with
 * other parameters than this version's.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { buildAlikeIndex } from "./build_index.ts";
 * import { openAlikeIndex } from "./open_index.ts";
 *
 * const folder = await Deno.makeTempDir();
 * await buildAlikeIndex(new TextEncoder().encode(">a\nGATTACAGATTACACCGTAGGCATTACG\n"), `${folder}/index`);
 * {
 *   using index = await openAlikeIndex(`${folder}/index`);
 *   assertEquals([index.records, index.postings], [1, 8]);
 * }
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function openAlikeIndex(folder: string): Promise<AlikeIndex> {
  const manifest = await readManifest(folder);
  const blocks = await readTable(folder, INDEX_FILES.blocks, manifest.blocks);
  const records = await readTable(folder, INDEX_FILES.records, manifest.recordTable);
  const ids = await readTable(folder, INDEX_FILES.ids, manifest.ids);
  if (blocks.length % (BLOCK_NUMBERS * 8) !== 0 || records.length !== manifest.records * RECORD_NUMBERS * 4) {
    throw damaged(folder, "its tables do not fit each other");
  }
  const digests = manifest.digests && await readTable(folder, INDEX_FILES.digests, manifest.digests);
  if (digests !== undefined && digests.length !== manifest.records * 4) {
    throw damaged(folder, "its tables do not fit each other");
  }
  const path = join(folder, INDEX_FILES.postings);
  let file: Deno.FsFile;
  try {
    file = await Deno.open(path);
  } catch (cause) {
    throw diskError(cause, { action: `read ${path}`, next: "build the index again" });
  }
  if ((await file.stat()).size !== manifest.postingBytes) {
    file.close();
    throw damaged(folder, `${INDEX_FILES.postings} does not have its ${manifest.postingBytes} bytes`);
  }
  return new AlikeIndex(folder, {
    manifest,
    blocks: new Float64Array(blocks.buffer),
    table: new Uint32Array(records.buffer),
    ids,
    digests: digests && new Uint32Array(digests.buffer),
    file,
  });
}

/** What an open index consists of. */
export interface IndexParts {
  /** `index.json`. */
  readonly manifest: IndexManifest;
  /** `blocks.bin`. */
  readonly blocks: Float64Array;
  /** `records.bin`. */
  readonly table: Uint32Array;
  /** `ids.bin`. */
  readonly ids: Uint8Array;
  /** `digests.bin`, if there is one. */
  readonly digests: Uint32Array | undefined;
  /** `postings.bin`, open. */
  readonly file: Deno.FsFile;
}

/** An index that is open. Dispose it when the last query is answered. */
export class AlikeIndex implements Disposable {
  /** Its folder. */
  readonly folder: string;
  /** Number of records. */
  readonly records: number;
  /** Number of postings: hashes of all records. */
  readonly postings: number;
  /** What was indexed. */
  readonly source: IndexManifest["source"];
  readonly #parts: IndexParts;
  readonly #bytes = new Uint8Array(BLOCK_POSTINGS * MOST_POSTING_BYTES);
  /** The block that was read last: its codes, and `record << 1 | strand` of each. */
  readonly #codes = new Float64Array(BLOCK_POSTINGS);
  readonly #owners = new Uint32Array(BLOCK_POSTINGS);
  #length = 0;
  #block = -1;

  /** Takes what {@linkcode openAlikeIndex} read. */
  constructor(folder: string, parts: IndexParts) {
    this.folder = folder;
    this.records = parts.manifest.records;
    this.postings = parts.manifest.postings;
    this.source = parts.manifest.source;
    this.#parts = parts;
  }

  /** The id of a record. */
  idOf(record: number): string {
    const { ids, table } = this.#parts;
    const start = record === 0 ? 0 : table[record * RECORD_NUMBERS - 1];
    return new TextDecoder().decode(ids.subarray(start, table[(record + 1) * RECORD_NUMBERS - 1]));
  }

  /** Hashes of a record at a shift, which is not below its own. */
  sizeOf(record: number, shift: number): number {
    return this.#parts.table[record * RECORD_NUMBERS + shift];
  }

  /** Bases of a record. */
  lengthOf(record: number): number {
    return this.#parts.table[record * RECORD_NUMBERS + LAST_SHIFT + 1];
  }

  /** The digest of a record's bases; `undefined` in an index that an older toolkit wrote. */
  digestOf(record: number): number | undefined {
    return this.#parts.digests?.[record];
  }

  /** The shift of a record's sketch. */
  shiftOf(record: number): number {
    return this.#parts.table[record * RECORD_NUMBERS + LAST_SHIFT + 2];
  }

  /** Finds the records with each hash of a sketch, whose values ascend. */
  findShared(values: Float64Array, onShared: OnShared): void {
    const { blocks } = this.#parts;
    const last = blocks.length / BLOCK_NUMBERS - 1;
    for (const value of values) {
      const code = Math.floor(value / 2);
      const strand = value % 2;
      for (let block = this.#firstBlock(code); block < last && blocks[block * BLOCK_NUMBERS] <= code; block++) {
        this.#read(block);
        for (let i = lowerBound(this.#codes, code, this.#length); i < this.#length; i++) {
          if (this.#codes[i] !== code) break;
          const owner = this.#owners[i];
          if (owner >>> 1 >= this.records) throw damaged(this.folder, "a posting names no record");
          onShared(owner >>> 1, (owner & 1) === strand);
        }
      }
    }
  }

  /** The first block that may have a code: the last one that begins below it. */
  #firstBlock(code: number): number {
    const { blocks } = this.#parts;
    let [low, high] = [0, blocks.length / BLOCK_NUMBERS - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (blocks[middle * BLOCK_NUMBERS] < code) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  #read(block: number): void {
    if (block === this.#block) return;
    const { blocks, file } = this.#parts;
    const [first, start, checksum, , end] = blocks.subarray(block * BLOCK_NUMBERS, block * BLOCK_NUMBERS + 5);
    const bytes = this.#bytes.subarray(0, end - start);
    this.#block = -1;
    if (bytes.length !== end - start || readAt(file, bytes, start) !== bytes.length || crc32(bytes) !== checksum) {
      throw damaged(this.folder, `${INDEX_FILES.postings} has a wrong checksum at byte ${start}`);
    }
    let code = first;
    let count = 0;
    for (let at = 0; at < bytes.length; count++) {
      for (let factor = 1;; factor *= 128) {
        const byte = bytes[at++];
        code += byte % 128 * factor;
        if (byte < 128) break;
      }
      this.#codes[count] = code;
      this.#owners[count] = bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16;
      at += 3;
    }
    this.#length = count;
    this.#block = block;
  }

  /** Closes the postings. */
  [Symbol.dispose](): void {
    this.#parts.file.close();
  }
}

function lowerBound(codes: Float64Array, code: number, length: number): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (codes[middle] < code) low = middle + 1;
    else high = middle;
  }
  return low;
}

async function readManifest(folder: string): Promise<IndexManifest> {
  const path = join(folder, INDEX_FILES.manifest);
  let text: string;
  try {
    text = await Deno.readTextFile(path);
  } catch (cause) {
    const next = "name a folder that seqreg alike index wrote";
    throw diskError(cause, { action: `read ${path}`, next });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw damaged(folder, `${INDEX_FILES.manifest} is not valid JSON`);
  }
  if (!isManifest(value)) throw damaged(folder, `${INDEX_FILES.manifest} does not describe an index`);
  const { alikeIndex, k, shift } = value;
  if (alikeIndex !== INDEX_VERSION || k !== SEARCH_K || shift !== LAST_SHIFT) {
    const made = `version ${alikeIndex}, k = ${k}, one of ${2 ** shift} hashes`;
    throw new RegistryError(
      "damaged",
      `Cannot use the index ${folder}: it was made with ${made}, and queries have version ${INDEX_VERSION}, ` +
        `k = ${SEARCH_K}, one of ${2 ** LAST_SHIFT}; build it again with this version`,
    );
  }
  return value;
}

/** Reads a whole file of an index and verifies it. */
async function readTable(folder: string, name: string, { bytes, crc32: sum }: IndexFile): Promise<Uint8Array> {
  const path = join(folder, name);
  let content: Uint8Array;
  try {
    content = await Deno.readFile(path);
  } catch (cause) {
    throw diskError(cause, { action: `read ${path}`, next: "build the index again" });
  }
  if (content.length !== bytes || crc32(content) !== sum) throw damaged(folder, `${name} does not match its checksum`);
  return content;
}

function damaged(folder: string, why: string): RegistryError {
  return new RegistryError("damaged", `Cannot read the index ${folder}: ${why}; build it again from its source`);
}
