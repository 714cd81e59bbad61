/** Sketches of a stream of sequences, by two threads, while the next sequences are read. */
import { mapAhead, TaskThread } from "@seqreg/core/io/tasks";
import type { FastaBatch, TextColumn } from "@seqreg/core/fasta";
import {
  beginSketches,
  type SearchValues,
  type SignaturePart,
  type SketchJob,
  type SketchResult,
  type SketchTask,
} from "./_sketch_batch.ts";

export { SEARCH_NUMBERS } from "./_sketch_batch.ts";

const THREADS = 2;
/** Batches that are sketched, or wait for it, while the next is read. */
const AHEAD = 2 * THREADS;
/** Bases below which a batch is sketched in this thread: another takes longer to begin. */
const FEW_BASES = 1 << 20;

/** Sketches batches; their sketches come in the order of the batches. */
export function sketchBatches(
  batches: AsyncIterable<FastaBatch>,
  job: SketchJob & { readonly kind: "signatures" },
): AsyncGenerator<SignaturePart>;
export function sketchBatches(
  batches: AsyncIterable<FastaBatch>,
  job: SketchJob & { readonly kind: "search" },
): AsyncGenerator<SearchValues>;
export function sketchBatches(batches: AsyncIterable<FastaBatch>, job: SketchJob): AsyncGenerator<SketchResult> {
  const threads: TaskThread<SketchTask, SketchResult>[] = [];
  const work = () => beginSketches(job);
  let inline: ReturnType<typeof work> | undefined;
  return mapAhead(tasksOf(batches, job), { ahead: AHEAD }, async ({ index, task, transfer }, signal) => {
    if (task.sequences.data.length < FEW_BASES) return (await (inline ??= work())(task, () => {})).result;
    const thread = threads[index % THREADS] ??= startThread(job, work, signal);
    return await thread.run(task, transfer);
  });
}

/** Starts a thread that ends when its sketches are no longer needed. */
function startThread(
  job: SketchJob,
  work: () => ReturnType<typeof beginSketches>,
  signal: AbortSignal,
): TaskThread<SketchTask, SketchResult> {
  const worker = new Worker(new URL("./_sketch_worker.ts", import.meta.url), { type: "module" });
  const thread = new TaskThread<SketchTask, SketchResult>(worker, { setup: job, work });
  signal.addEventListener("abort", () => thread[Symbol.dispose](), { once: true });
  return thread;
}

/** A batch with its number, and the memory that a thread may keep. */
interface NumberedTask {
  readonly index: number;
  readonly task: SketchTask;
  readonly transfer: Transferable[];
}

/** Copies batches, whose memory the reader reuses. */
async function* tasksOf(batches: AsyncIterable<FastaBatch>, { kind }: SketchJob): AsyncGenerator<NumberedTask> {
  let index = 0;
  for await (const { headers, sequences } of batches) {
    const texts = copyTexts(sequences!);
    const task = {
      headers: kind === "search" ? null : copyTexts(headers),
      sequences: texts,
      isFirst: index === 0,
    };
    yield { index, task, transfer: [texts.data.buffer] };
    index += 1;
  }
}

function copyTexts({ offsets, data }: TextColumn): { offsets: Int32Array; data: Uint8Array<ArrayBuffer> } {
  return { offsets: offsets.slice(), data: Uint8Array.from(data.subarray(0, offsets[offsets.length - 1])) };
}
