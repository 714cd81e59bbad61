/** Sketches of many sequences at once: signatures, compressed, or values for an index. */
import { createHash } from "node:crypto";
import type { TaskResult, TaskWork } from "@seqreg/core/io/tasks";
import { type DeflatedPart, deflatePart } from "@seqreg/core/io/gzip";
import { type TextColumn, textsOf } from "@seqreg/core/fasta/text";
import { sketchForSearch } from "./search_sketch.ts";
import { SketchRoutines } from "./sketch_routines.ts";

/** Which sketches are made: signatures of sourmash, or those of an index. */
export type SketchJob =
  | {
    readonly kind: "signatures";
    readonly name: string;
    readonly k: number;
    readonly maxHash: bigint;
    readonly rna: boolean;
  }
  | { readonly kind: "search" };

/** Sequences to sketch, with memory of their own. */
export interface SketchTask {
  /** Header lines; not needed for an index. */
  readonly headers: TextColumn | null;
  readonly sequences: TextColumn;
  /** Whether the first of them is the first of all. */
  readonly isFirst: boolean;
}

/** Signatures, as a part of a JSON list. */
export interface SignaturePart extends DeflatedPart {
  readonly kind: "signatures";
  readonly signatures: number;
  readonly hashes: number;
  readonly empty: number;
}

/** Search sketches of some sequences. */
export interface SearchValues {
  readonly kind: "search";
  /** The values of all sequences, end to end: see `SearchSketch`. */
  readonly values: Float64Array;
  /** For each sequence seven numbers: hashes at shift 0 to 4, bases, shift. */
  readonly numbers: Uint32Array;
}

/** Numbers of a sequence in `SearchValues`. */
export const SEARCH_NUMBERS = 7;

export type SketchResult = SignaturePart | SearchValues;

/** Begins a job: returns what sketches batch after batch. */
export function beginSketches(job: SketchJob): TaskWork<SketchTask, SketchResult> {
  const routines = SketchRoutines.start();
  if (job.kind === "search") return (task) => searchValues(routines, task);
  const text = new BatchTexts();
  return (task) => signaturePart(routines, { task, job, text });
}

/** Bytes of UTF-8 that are written one after the other, in memory that is reused. */
class BatchTexts {
  #bytes = new Uint8Array(1 << 20);
  #end = 0;
  readonly #encoder = new TextEncoder();

  clear(): void {
    this.#end = 0;
  }

  write(text: string): void {
    this.#makeRoom(3 * text.length);
    this.#end += this.#encoder.encodeInto(text, this.#bytes.subarray(this.#end)).written;
  }

  append(bytes: Uint8Array): void {
    this.#makeRoom(bytes.length);
    this.#bytes.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  get written(): Uint8Array {
    return this.#bytes.subarray(0, this.#end);
  }

  #makeRoom(count: number): void {
    if (this.#end + count <= this.#bytes.length) return;
    const larger = new Uint8Array(2 * (this.#end + count));
    larger.set(this.written);
    this.#bytes = larger;
  }
}

interface SignatureWork {
  readonly task: SketchTask;
  readonly job: SketchJob & { readonly kind: "signatures" };
  readonly text: BatchTexts;
}

function signaturePart(routines: SketchRoutines, { task, job, text }: SignatureWork): TaskResult<SignaturePart> {
  const { k, maxHash: most, rna } = job;
  const { offsets, data } = task.sequences;
  const headers = textsOf(task.headers!);
  const before = `{"class":"sourmash_signature","email":"","hash_function":"0.murmur64","name":`;
  const middle = `,"filename":${JSON.stringify(job.name)},"license":"CC0",` +
    `"signatures":[{"num":0,"ksize":${k},"seed":42,"max_hash":${most},"mins":[`;
  const counts = { signatures: headers.length, hashes: 0, empty: 0 };
  text.clear();
  for (const [row, header] of headers.entries()) {
    const { count, digits, list } = routines.exchangeDigits(data.subarray(offsets[row], offsets[row + 1]), {
      k,
      most,
      rna,
    });
    counts.hashes += count;
    if (count === 0) counts.empty += 1;
    text.write((row > 0 || !task.isFirst ? ",\n" : "[") + before + JSON.stringify(header) + middle);
    text.append(list);
    const md5 = createHash("md5").update(String(k)).update(digits).digest("hex");
    text.write(`],"md5sum":"${md5}","molecule":"DNA"}],"version":0.4}`);
  }
  const part = deflatePart(text.written);
  return { result: { kind: "signatures", ...part, ...counts }, transfer: [part.deflated.buffer, part.text.buffer] };
}

function searchValues(routines: SketchRoutines, { sequences }: SketchTask): TaskResult<SearchValues> {
  const { offsets, data } = sequences;
  const rows = offsets.length - 1;
  const numbers = new Uint32Array(rows * SEARCH_NUMBERS);
  const parts: Float64Array[] = [];
  let count = 0;
  for (let row = 0; row < rows; row++) {
    const sequence = data.subarray(offsets[row], offsets[row + 1]);
    const { shift, values, sizes } = sketchForSearch(routines, sequence);
    numbers.set([...sizes, sequence.length, shift], row * SEARCH_NUMBERS);
    parts.push(values);
    count += values.length;
  }
  const values = new Float64Array(count);
  let end = 0;
  for (const part of parts) {
    values.set(part, end);
    end += part.length;
  }
  return { result: { kind: "search", values, numbers }, transfer: [values.buffer, numbers.buffer] };
}
