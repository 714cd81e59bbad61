/** "Did you mean": what a wrong word of the command line was meant to be, where something is near. */
import { nearbyName } from "../../contract/options/nearest.ts";

/**
 * The end of a message: `; did you mean --output? See seqreg search --help`, without a question where no name is near.
 *
 * @param word As it was written.
 * @param names What it could have been. The dashes of flags and the group of a command count for nothing.
 * @param options `help` is the command line that says more.
 */
export function didYouMean(
  word: string,
  names: readonly string[],
  { help }: { readonly help?: string } = {},
): string {
  const bare = (name: string) => name.replace(/^(--?|\S+ )/, "");
  const found = nearbyName(bare(word), names.map(bare));
  if (found === undefined) return help === undefined ? "" : `; see ${help}`;
  return `; did you mean ${names.find((name) => bare(name) === found)}?${help === undefined ? "" : ` See ${help}`}`;
}

/** Flags as they are written: those of a command, and those that every command has. */
export function flagNames(options: Readonly<Record<string, unknown>>): string[] {
  return [...Object.keys(options), "help", "version"].map((name) => `--${name}`);
}
