/** "Did you mean": the nearest name for an unknown word of the command line. */
import { nearbyName } from "@seqreg/core/options/nearest";

/** Words of other programs for what is called otherwise here. */
const MEANT: Readonly<Record<string, string>> = {
  "-v": "--version",
  "-V": "--version",
  version: "--version",
  fields: "definitions",
  metadata: "download",
  export: "download",
  fetch: "sequence",
  get: "sequence",
  query: "search",
  convert: "lake",
  plot: "chart",
  map: "chart",
  "cache clean": "cache prune",
  "cache clear": "cache prune",
  "cache info": "cache list",
};

/**
 * The end of a message: `; did you mean --output? See seqreg search --help`, without a question if no name is near.
 * Nothing is near a single letter.
 *
 * @param names The candidates. The dashes of flags and the group of a command are ignored.
 * @param options `help` is the command line that shows details.
 */
export function didYouMean(
  word: string,
  names: readonly string[],
  { help }: { readonly help?: string } = {},
): string {
  const bare = (name: string) => name.replace(/^(--?|\S+ )/, "");
  const near = bare(word).length < 2 ? undefined : nearbyName(bare(word), names.map(bare));
  const isMeant = Object.hasOwn(MEANT, word) && names.includes(MEANT[word]);
  const found = isMeant ? MEANT[word] : names.find((name) => bare(name) === near);
  if (found === undefined) return help === undefined ? "" : `; see ${help}`;
  return `; did you mean ${found}?${help === undefined ? "" : ` See ${help}`}`;
}

/** Flags as they are written: those of a command, and the common ones. */
export function flagNames(options: Readonly<Record<string, unknown>>): string[] {
  return [...Object.keys(options), "help", "version"].map((name) => `--${name}`);
}
