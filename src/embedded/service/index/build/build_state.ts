/** What was written of an index before it is built: on the disk, so that the building can begin again. */
import { join } from "node:path";
import type { Field } from "@seqreg/core/query";
import { areWhole } from "../../files/file_sizes.ts";
import type { WrittenColumn } from "./column_writer.ts";
import type { WrittenTokens } from "./token_writer.ts";
import type { HashKey } from "../format/tokens.ts";
import type { IndexBounds } from "../format/types.ts";

export const STATE_FILE = "sealed.building";
/** Files of tokens before they are built. */
export const TOKENS_FILE = "tokens.building";
export const DENSE_FILE = "dense.building";

export interface BuildState {
  readonly recordCount: number;
  readonly accessionField: number;
  readonly fields: readonly Field[];
  readonly bounds: IndexBounds;
  readonly hashKey: HashKey;
  readonly columns: readonly WrittenColumn[];
  readonly tokens: WrittenTokens;
  /** Sizes in bytes of the files, by name: after a sudden end of the machine some may be shorter. */
  readonly sizes: Readonly<Record<string, number>>;
}

/** Writes the state, atomically. */
export async function writeState(folder: string, state: BuildState): Promise<void> {
  const path = join(folder, STATE_FILE);
  await Deno.writeTextFile(`${path}.new`, JSON.stringify(state));
  await Deno.rename(`${path}.new`, path);
}

/** Reads the state; `undefined` if it is missing, or the files differ from those that were written. */
export async function readState(folder: string): Promise<BuildState | undefined> {
  try {
    const state: unknown = JSON.parse(await Deno.readTextFile(join(folder, STATE_FILE)));
    return isState(state) && await areWhole(folder, state.sizes) ? state : undefined;
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound || cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}

/** The file is written by this module alone, and renamed when it is whole: its kind is checked, not each number. */
function isState(value: unknown): value is BuildState {
  return typeof value === "object" && value !== null && "recordCount" in value && "hashKey" in value &&
    "columns" in value && Array.isArray(value.columns) && "tokens" in value && "sizes" in value;
}
