/** Gathers rows in memory and has each part encoded, in a thread of its own, while the next is gathered. */
import { basename, join } from "node:path";
import { EncodeThread } from "./_encode_thread.ts";
import type { RawPart } from "./_odd_cells.ts";
import { type EncodedPart, PartEncoder, type PartSchema, type SeenIds } from "./_part_encoder.ts";
import type { PartSinkResult, WrittenFile } from "./_part_sink.ts";
import type { LakeFile } from "./lake_manifest.ts";

/** How parts are made. */
export interface TablePartsOptions {
  /** Folder of the Parquet files. */
  readonly folder: string;
  /** Says what the columns are, once they are known. */
  schema(): PartSchema;
  /** Gives the odd texts of a part, before what is written next belongs to another. */
  takeRaw(): RawPart;
  /** Takes what was seen of the identifiers, part by part. */
  onIds(ids: SeenIds): void;
  /** Most bytes of a part; as many as the encoder has room for by default. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

/** Memory that a part begins with. */
const FIRST_BYTES = 1 << 16;
/** Places in the encoder's memory are numbers of 31 bits, and a text lies there up to three times. */
const MAX_BYTES = 640 * 1024 * 1024;

/** At most one part is being encoded and one waits, while the next is gathered. */
export class TableParts {
  readonly #options: TablePartsOptions;
  readonly #maxBytes: number;
  readonly #files: WrittenFile[] = [];
  readonly #raw: LakeFile[] = [];
  #csv = new Uint8Array(FIRST_BYTES);
  #bytes = 0;
  #rows = 0;
  #thread: EncodeThread | undefined;
  #before: Promise<void> = Promise.resolve();
  #converting: Promise<void> = Promise.resolve();

  constructor(options: TablePartsOptions) {
    this.#options = options;
    this.#maxBytes = options.maxBytes ?? MAX_BYTES;
  }

  /** Bytes in the part under way. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Rows in the part under way. */
  get rows(): number {
    return this.#rows;
  }

  /** Parts that have ended. */
  get count(): number {
    return this.#files.length;
  }

  /** Files of odd texts. */
  get raw(): readonly LakeFile[] {
    return this.#raw;
  }

  /** Bytes that the part under way can still take. */
  get room(): number {
    return this.#maxBytes - this.#bytes;
  }

  /**
   * Adds bytes of whole rows, or bytes up to a place in a row, which complete no row: no more than there is room for.
   */
  write(bytes: Uint8Array, rows: number): void {
    const end = this.#bytes + bytes.length;
    if (end > this.#csv.length) this.#makeRoom(end);
    this.#csv.set(bytes, this.#bytes);
    this.#bytes = end;
    this.#rows += rows;
  }

  /** Ends the part under way and begins its conversion, after the one before. */
  async close(): Promise<void> {
    const thread = this.#thread ??= new EncodeThread(this.#options.schema());
    const { csv, bytes, rows } = this.#take();
    await this.#convert(rows, () => thread.encode({ csv: csv.buffer, bytes, rows }));
    // Parts are about as long as each other.
    this.#csv = new Uint8Array(thread.spare.pop() ?? new ArrayBuffer(bytes + (bytes >> 3)));
  }

  /** Ends: every part is converted. An archive without rows has one part without rows. */
  async finish(): Promise<PartSinkResult> {
    if (this.#thread !== undefined && this.#rows > 0) await this.close();
    else if (this.#thread === undefined) {
      // A thread takes longer to begin than such an archive to be encoded.
      const { csv, bytes, rows } = this.#take();
      const encoder = new PartEncoder(this.#options.schema());
      await this.#convert(rows, () => Promise.resolve(encoder.encode(csv.subarray(0, bytes), rows)));
    }
    await this.#converting;
    this.#thread?.[Symbol.dispose]();
    return { files: this.#files, rows: this.#files.reduce((sum, { rows }) => sum + rows, 0) };
  }

  /** Gives up, and stops the thread in whatever it does. */
  async abandon(): Promise<void> {
    this.#thread?.[Symbol.dispose]();
    await this.#converting.catch(() => {});
  }

  #take() {
    const part = { csv: this.#csv, bytes: this.#bytes, rows: this.#rows };
    this.#csv = new Uint8Array(0);
    this.#bytes = 0;
    this.#rows = 0;
    return part;
  }

  async #convert(rows: number, encode: () => Promise<EncodedPart>): Promise<void> {
    const { folder, signal, onIds } = this.#options;
    const texts = this.#options.takeRaw();
    const file: WrittenFile = { name: `part-${String(this.#files.length).padStart(5, "0")}.parquet`, rows, bytes: 0 };
    this.#files.push(file);
    await this.#before;
    signal?.throwIfAborted();
    const before = this.#before = this.#converting;
    this.#converting = (async () => {
      const { parquet, checks, ids } = await encode();
      await before;
      signal?.throwIfAborted();
      await Deno.writeFile(join(folder, file.name), parquet);
      file.bytes = parquet.length;
      file.checks = checks;
      ids.forEach(onIds);
      if (texts.count === 0) return;
      const name = `${basename(file.name, ".parquet")}.raw`;
      const rawChecks = await texts.write(join(folder, name));
      this.#raw.push({ name, rows: texts.count, bytes: (await Deno.stat(join(folder, name))).size, checks: rawChecks });
    })();
    // The next close(), finish() or abandon() looks at it; until then a failure must not be an unhandled one.
    this.#converting.catch(() => {});
  }

  #makeRoom(bytes: number): void {
    // What is moved leaves nothing behind for a collector.
    this.#csv = new Uint8Array(this.#csv.buffer.transfer(Math.min(this.#maxBytes, 2 * bytes)));
  }
}
