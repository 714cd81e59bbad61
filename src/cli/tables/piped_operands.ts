/** Tables that come through standard input or a pipe: put aside in temporary files, as they are read more than once. */
import { rereadablePaths } from "@seqreg/core/io/bytes/rereadable";
import { UsageError } from "../arguments/option_specs.ts";
import type { Command } from "../support/command.ts";
import type { ProgramHost } from "../support/host.ts";

/** Names of standard input; Deno does not let programs open the last ones. */
const STANDARD_INPUT = /^(?:-|\/dev\/stdin|(?:\/dev|\/proc\/self)\/fd\/0)$/;

/** Operands that can be read again. */
export interface RereadableOperands extends Disposable {
  readonly operands: readonly string[];
}

/**
 * Puts standard input and pipes among the tables of a command aside.
 *
 * @throws {UsageError} If standard input is named twice.
 */
export async function putPipesAside(
  operands: readonly string[],
  [from, to]: NonNullable<Command["tables"]>,
  { stdin, signal }: Pick<ProgramHost, "stdin" | "signal">,
): Promise<RereadableOperands> {
  const given = operands.slice(from, to);
  if (given.filter((operand) => STANDARD_INPUT.test(operand)).length > 1) {
    throw new UsageError("Cannot read standard input twice: use - once");
  }
  const files = await rereadablePaths(given, {
    streamOf: (path) => STANDARD_INPUT.test(path) ? { name: "stdin", source: stdin() } : undefined,
    signal,
  });
  return {
    operands: [...operands.slice(0, from), ...files.paths, ...operands.slice(from + given.length)],
    [Symbol.dispose]: () => files[Symbol.dispose](),
  };
}
