/** Opens a finished index. */
import type { Finder, OpenIndexOptions } from "./types.ts";

/** Opens the index that stands in a folder; its files are whole, as the import's manifest says. */
export function openIndex(_folder: string, _options: OpenIndexOptions): Promise<Finder> {
  return Promise.reject(new TypeError("Cannot open an index: not built yet"));
}
