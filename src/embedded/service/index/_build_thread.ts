/** Builds an index in a thread of its own, so that the sequences can be read meanwhile. */
import { RegistryError } from "@seqreg/core/errors";
import type { FinishOptions, IndexSummary } from "./format/types.ts";

export type BuildAnswer =
  | { readonly kind: "begun" }
  | { readonly kind: "step"; readonly done: number; readonly total: number }
  | { readonly kind: "built"; readonly summary: IndexSummary }
  | { readonly kind: "failed"; readonly message: string };

/**
 * Builds the index that is sealed in a folder.
 *
 * @returns What was built; `undefined` when there can be no thread here.
 * @throws {RegistryError} With code `disk` if the building fails.
 */
export async function buildInThread(
  folder: string,
  { signal, onProgress }: FinishOptions,
): Promise<IndexSummary | undefined> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<IndexSummary | undefined>();
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(new URL("./_build_worker.ts", import.meta.url), { type: "module" });
  // A second attempt writes the same files: the thread has to have stopped.
  const leave = () => port1.postMessage("stop");
  let begun = false;
  worker.onerror = (event) => {
    event.preventDefault();
    if (begun) reject(new RegistryError("disk", `Cannot build the index: ${event.message}; try again`));
    else resolve(undefined);
  };
  port1.onmessage = ({ data }: MessageEvent<BuildAnswer>) => {
    if (data.kind === "begun") begun = true;
    else if (data.kind === "step") onProgress?.(data.done, data.total);
    else if (signal?.aborted) reject(signal.reason);
    else if (data.kind === "built") resolve(data.summary);
    else reject(new RegistryError("disk", `Cannot build the index: ${data.message}; free space, then try again`));
  };
  signal?.addEventListener("abort", leave, { once: true });
  worker.postMessage(folder, [port2]);
  try {
    return await promise;
  } finally {
    signal?.removeEventListener("abort", leave);
    port1.close();
    worker.terminate();
  }
}
