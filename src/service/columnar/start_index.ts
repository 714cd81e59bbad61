/** Starts and resumes the building of an index. */
import type { Field } from "../_fields.ts";
import type { IndexWriter, StartIndexOptions } from "./types.ts";

/** Starts an index in a folder that exists. */
export function startIndex(
  _folder: string,
  _fields: readonly Field[],
  _options: StartIndexOptions,
): Promise<IndexWriter> {
  return Promise.reject(new TypeError("Cannot start an index: not built yet"));
}

/** Goes on with an index that was sealed and not finished; `undefined` when the folder has none. */
export function resumeIndex(_folder: string): Promise<IndexWriter | undefined> {
  return Promise.resolve(undefined);
}
