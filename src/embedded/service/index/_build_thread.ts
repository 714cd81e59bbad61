/** Builds an index in a thread of its own, so that the sequences can be read meanwhile. */
import { messageOf, RegistryError } from "@seqreg/core/errors";
import { TaskThread, type TaskWork } from "@seqreg/core/io/tasks";
import { buildIndex } from "./build/build_index.ts";
import { readState } from "./build/build_state.ts";
import type { FinishOptions, IndexSummary } from "./format/types.ts";

/** Steps that are done, and their total. */
type BuildSteps = readonly [done: number, total: number];

/**
 * Builds the index that is sealed in a folder.
 *
 * A second attempt writes the same files: after an abort, the thread has stopped when this ends.
 *
 * @throws {RegistryError} With code `disk` if the building fails.
 */
export async function buildInThread(folder: string, { signal, onProgress }: FinishOptions): Promise<IndexSummary> {
  const worker = new Worker(new URL("./_build_worker.ts", import.meta.url), { type: "module" });
  using thread = new TaskThread<string, IndexSummary, BuildSteps>(worker, {
    setup: null,
    work: buildWork,
    onMessage: (steps) => onProgress?.(...steps),
  });
  try {
    return await thread.run(folder, [], signal);
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof RegistryError) throw cause;
    throw new RegistryError("disk", `Cannot build the index: ${messageOf(cause)}; free space, then try again`, {
      cause,
    });
  }
}

/** Builds the indexes of folders, one after another. */
export function buildWork(): TaskWork<string, IndexSummary, BuildSteps> {
  return async (folder, send, signal) => {
    const state = await readState(folder);
    if (state === undefined) throw new TypeError("it is not sealed");
    const result = await buildIndex(folder, state, { signal, onProgress: (...steps) => send(steps) });
    return { result };
  };
}
