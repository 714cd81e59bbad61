/** Files and folders that a command line names: operands, options, and variables instead of options. */
import type { Flags } from "./flags.ts";
import { type OptionSpec, type OptionSpecs, UsageError } from "./option_specs.ts";
import { valueKindOf } from "./value_kind.ts";

/** Names of standard input; Deno does not let programs open the last ones. */
export const STANDARD_INPUT = /^(?:-|\/dev\/stdin|(?:\/dev|\/proc\/self)\/fd\/0)$/;

export interface NamedPath {
  readonly path: string;
  /** The argument, the option or the variable. */
  readonly what: string;
  readonly writes: OptionSpec["writes"];
}

/**
 * Lists the paths of a command line.
 *
 * @param command How its help writes operands and values: `FILE` and `DIR` are paths.
 * @throws {UsageError} If a path, or an address, is empty.
 */
export function namedPaths(
  { operands: usage, options }: { readonly operands: string; readonly options: OptionSpecs },
  operands: readonly string[],
  flags: Flags,
  env: (name: string) => string | undefined,
): NamedPath[] {
  const named: NamedPath[] = [];
  for (const [option, { value = "", writes = false, variable }] of Object.entries(options)) {
    if (!isPath(value)) continue;
    const given = flags.texts(option);
    for (const path of given) named.push({ path, what: `--${option}`, writes });
    const preset = variable === undefined || given.length > 0 ? undefined : env(variable);
    if (variable !== undefined && preset) named.push({ path: preset, what: variable, writes });
  }
  const words = usage.split(" ");
  for (const [index, path] of operands.entries()) {
    // The last word repeats, as in `FILE [ID…]`.
    const word = words[Math.min(index, words.length - 1)];
    // An unset variable of the shell: neither the working directory nor the registry of the environment is meant.
    if (path === "" && (isPath(word) || word === "[URL]")) {
      throw new UsageError(`Argument ${index + 1} is empty: expected ${word.replace(/^\[|\]$/g, "")}`);
    }
    if (!isPath(word)) continue;
    named.push({ path, what: `argument ${index + 1}`, writes: false });
  }
  return named;
}

/** Rejects standard input as more than one of the paths that are read: there is only one. */
export function checkStandardInput(paths: readonly NamedPath[]): void {
  if (paths.filter(({ path, writes }) => !writes && STANDARD_INPUT.test(path)).length < 2) return;
  throw new UsageError("Cannot read standard input twice: use - once");
}

function isPath(written: string): boolean {
  const { kind } = valueKindOf(written);
  return kind === "file" || kind === "folder";
}
