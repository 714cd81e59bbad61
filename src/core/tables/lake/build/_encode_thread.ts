/** Encodes parts in a thread of its own, so that the next is inflated and checked meanwhile. */
import { TaskThread, type TaskWork } from "../../../io/tasks/task_thread.ts";
import { type EncodedPart, PartEncoder, type PartSchema } from "./_part_encoder.ts";

/** What the thread is given. */
export interface EncodeRequest {
  readonly csv: ArrayBuffer;
  readonly bytes: number;
  readonly rows: number;
}

/** A running thread, whose messages are the memory of parts. */
export type EncodeThread = TaskThread<EncodeRequest, EncodedPart, ArrayBuffer>;

/** Begins a thread; `spare` takes the memory of parts when they have been copied. */
export function startEncoding(schema: PartSchema, spare: ArrayBuffer[] = []): EncodeThread {
  const worker = new Worker(new URL("./_encode_worker.ts", import.meta.url), { type: "module" });
  return new TaskThread(worker, {
    setup: schema,
    work: () => encodeWork(schema),
    onMessage: (csv) => void spare.push(csv),
    aim: "encode a part",
  });
}

/** Encodes parts of one table, one after another. The memory of each is returned as soon as it has been copied. */
export function encodeWork(schema: PartSchema): TaskWork<EncodeRequest, EncodedPart, ArrayBuffer> {
  const encoder = new PartEncoder(schema);
  return ({ csv, bytes, rows }, send) => {
    const result = encoder.encode(new Uint8Array(csv, 0, bytes), rows, () => send(csv, [csv]));
    return { result, transfer: [result.parquet.buffer] };
  };
}
