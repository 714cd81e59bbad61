/** The interface of a command, and its context. */
import type { Output } from "./output.ts";
import type { Flags } from "../arguments/flags.ts";
import { type OptionSpec, type OptionSpecs, UsageError } from "../arguments/option_specs.ts";

export { type OptionSpec, type OptionSpecs, UsageError };

/** One command of the program: one file, one default export. */
export interface Command {
  /** Its name, such as `search` or `fasta stats`. */
  readonly name: string;
  /** One line that describes it. */
  readonly summary: string;
  /** Arguments without options, such as `[QUERY]` or `FILE…`. */
  readonly operands: string;
  /** What the operands may be, where these are a list of names; shells complete them. */
  readonly operandValues?: readonly string[];
  /** Minimum and maximum number of them. */
  readonly operandCount: readonly [least: number, most: number];
  /** The operands that are tables or lakes, from an index to another: for them `-` or a pipe is put aside. */
  readonly tables?: readonly [from: number, to: number];
  /** Whether everything behind the first operand is passed on, options too. */
  readonly passesArguments?: boolean;
  /** Format of `--output`, where there is only one; the name of the file must not promise another. */
  readonly result?: "tsv" | "fasta" | "json";
  /** Its options; `--help` is added. */
  readonly options: OptionSpecs;
  /** One or more example lines that work when pasted, shown by `--help`. */
  readonly examples: readonly string[];
  /** More sections of `--help`, such as a grammar: each with a title and its lines. */
  readonly help?: readonly { readonly title: string; readonly lines: readonly string[] }[];
  /** Permissions of Deno it needs, shown by `--help`. */
  readonly permissions: readonly string[];
  /**
   * Runs the command.
   *
   * @returns The exit code.
   * @throws {UsageError} On wrong usage, before any I/O.
   */
  run(context: CommandContext): Promise<number>;
}

export interface CommandContext {
  /** Arguments without options. */
  readonly operands: readonly string[];
  /** These as given, before standard input and pipes were put aside in files. */
  readonly given: readonly string[];
  readonly flags: Flags;
  readonly stdout: Output;
  stdin(): ReadableStream<Uint8Array>;
  /** Prints one line on standard error; control characters in it are escaped. */
  note(line: string): void;
  /** Prints one line on standard error unless `--quiet` was given. */
  summary(line: string): void;
  /** Aborts on SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  /** Calls this at SIGHUP from now on, instead of ending the command. */
  onHangup(act: () => void): void;
  env(name: string): string | undefined;
  /** Draws the line of progress anew, or erases it by `""`, if standard error is a terminal and progress is wanted. */
  readonly drawProgress?: (line: string) => void;
  /** Writes a line of JSON progress to standard error, if `--progress json` is given. */
  readonly writeProgress?: (line: string) => void;
}

/** The exit codes defined by the command line's contract. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  nothing: 3,
  incomplete: 4,
  differs: 5,
  interrupted: 130,
} as const;

/**
 * Throws an error of these kinds as wrong usage, and any other as it is.
 *
 * By default a wrong name of a field, a wrong option, or a format that the data cannot have.
 */
export function asUsage(cause: unknown, kinds: readonly ErrorConstructor[] = [RangeError, TypeError]): never {
  const isMistake = cause instanceof Error && kinds.some((kind) => cause instanceof kind);
  throw isMistake ? new UsageError(cause.message, { cause }) : cause;
}

/** Reads what was given on the command line, of which errors of some kinds mean wrong usage. */
export function readGiven<T>(read: () => T, kinds: readonly ErrorConstructor[] = [TypeError]): T {
  try {
    return read();
  } catch (cause) {
    return asUsage(cause, kinds);
  }
}
