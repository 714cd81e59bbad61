/** Tables that come through standard input or a pipe: put aside in temporary files, as they are read more than once. */
import { rereadablePaths } from "@seqreg/core/io/bytes/rereadable";
import { STANDARD_INPUT } from "../arguments/named_paths.ts";
import type { Command } from "../support/command.ts";
import type { ProgramHost } from "../support/host.ts";

/** Puts standard input and pipes among the tables of a command aside; the operands can be read again. */
export async function putPipesAside(
  operands: readonly string[],
  [from, to]: NonNullable<Command["tables"]>,
  { stdin, signal }: Pick<ProgramHost, "stdin" | "signal">,
): Promise<Disposable & { readonly operands: readonly string[] }> {
  const given = operands.slice(from, to);
  const files = await rereadablePaths(given, {
    streamOf: (path) => STANDARD_INPUT.test(path) ? { name: "stdin", source: stdin() } : undefined,
    signal,
  });
  return {
    operands: [...operands.slice(0, from), ...files.paths, ...operands.slice(from + given.length)],
    [Symbol.dispose]: () => files[Symbol.dispose](),
  };
}
