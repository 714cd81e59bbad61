/**
 * The program `seqreg`: reads the command line, runs one command, ends with its exit code.
 *
 * A command's file is imported only when that command runs, so that the small ones start at once.
 *
 * @module
 */
import { watchLeftovers } from "@seqreg/core/io/files/leftovers";
import { messageOf, RegistryError } from "@seqreg/core/errors";
import { TOOLKIT } from "@seqreg/core/contract/version";
import { terminalText } from "@seqreg/core/io/bytes/terminal_text";
import { type Command, type CommandContext, EXIT, UsageError } from "./support/command.ts";
import { COMMANDS } from "./_commands.ts";
import type { Flags } from "./arguments/flags.ts";
import { checkStandardInput, namedPaths } from "./arguments/named_paths.ts";
import { commandHelp, programHelp } from "./support/help.ts";
import { describeRuntimeError } from "./process/runtime_error.ts";
import { endsOnHangup, Hangup } from "./process/hangup.ts";
import { type HostOutput, processHost, type ProgramHost } from "./support/host.ts";
import { ClosedPipe } from "./support/output.ts";
import { PROGRESS_MODES } from "./progress/progress_option.ts";
import { didYouMean, flagNames } from "./arguments/suggestion.ts";

const HELP_FLAGS = ["--help", "-h"];
/** Arguments that mean help instead of a command. */
const HELP = [...HELP_FLAGS, "help"];
const VERSION = ["--version", "-V"];

/**
 * Runs the program.
 *
 * @param args The command line without the program's name.
 * @returns The exit code: 0 done, 1 failed, 2 wrong usage, 3 nothing matched, 4 incomplete, 5 done and different, 130
 * interrupted.
 */
export async function main(args: readonly string[]): Promise<number> {
  const interrupt = new AbortController();
  const onInterrupt = () => interrupt.abort(new DOMException("interrupted", "AbortError"));
  const signals: Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT"] : ["SIGINT", "SIGTERM"];
  const hangup = new Hangup(onInterrupt);
  if (endsOnHangup()) hangup.listen();
  for (const signal of signals) Deno.addSignalListener(signal, onInterrupt);
  try {
    return await runProgram(args, { ...processHost(interrupt.signal), onHangup: (act) => hangup.means(act) });
  } finally {
    hangup.close();
    for (const signal of signals) Deno.removeSignalListener(signal, onInterrupt);
  }
}

/** Like {@linkcode main}, with the streams, environment and interrupt of the caller. */
export async function runProgram(args: readonly string[], host: ProgramHost): Promise<number> {
  try {
    const code = await dispatch(args, host);
    await host.stdout.flush();
    return code;
  } catch (error) {
    return await report(error, args[0], host);
  }
}

async function dispatch(args: readonly string[], host: ProgramHost): Promise<number> {
  const { stdout } = host;
  const [first, second] = args;
  if (first === "help" && second !== undefined) {
    return await dispatch([...args.slice(1).filter((word) => word !== "--"), "--help"], host);
  }
  if (first === undefined || asksFor(HELP, [first])) {
    const help = programHelp(new Map([...COMMANDS].map(([name, { summary }]) => [name, summary])));
    return await writeHelp(help, host, { isAsked: first !== undefined });
  }
  if (asksFor(VERSION, [first])) return await writeVersion(stdout);
  // A word may be both a command and a group, such as lake: then its second word decides.
  const isGroup = COMMANDS.has(`${first} ${second}`) ||
    !COMMANDS.has(first) && [...COMMANDS.keys()].some((name) => name.startsWith(`${first} `));
  const name = isGroup ? `${first} ${second ?? ""}` : first;
  const entry = COMMANDS.get(name);
  if (entry === undefined) return await refuseCommand(first, second, isGroup, host);
  const command = await entry.load();
  const rest = args.slice(isGroup ? 2 : 1);
  // Help takes precedence over errors in the rest of the line; arguments that are passed on are not ours.
  const end = rest.findIndex((word) => word === "--" || command.passesArguments && !word.startsWith("-"));
  const words = end === -1 ? rest : rest.slice(0, end);
  if (asksFor(HELP_FLAGS, words)) {
    await stdout.write(commandHelp(command));
    return EXIT.done;
  }
  if (asksFor(VERSION, words)) return await writeVersion(stdout);
  // Help and version need no parser.
  const { parseFlags } = await import("./arguments/flags.ts");
  const { operands, flags } = parseFlags(rest, command);
  checkOperands(command, operands);
  if (command.result !== undefined) flags.format([command.result], command.result);
  const paths = namedPaths(command, operands, flags, host.allowedEnv);
  checkStandardInput(paths);
  enterCallersFolder(host);
  // Loaded if a file is written: most command lines write to standard output.
  if (paths.some(({ writes }) => writes)) {
    const { checkOutputPaths } = await import("./support/output_paths.ts");
    await checkOutputPaths(paths);
  }
  try {
    using read = await readableOperands(command, operands, host);
    const context = contextOf(read.operands, operands, flags, host);
    using _watch = watchLeftovers((path) => context.note(`removed ${path}, which a killed process left`));
    return await command.run(context);
  } catch (error) {
    const inputs = [...operands, ...["ids", "fasta", "metadata"].flatMap((name) => flags.texts(name))];
    const words = describeRuntimeError(error, { command: command.name, inputs });
    throw words === undefined ? error : new Error(words, { cause: error });
  }
}

/** Operands as a command reads them; most command lines name no table. */
async function readableOperands(command: Command, operands: readonly string[], host: ProgramHost) {
  if (command.tables === undefined) return { operands, [Symbol.dispose]: () => {} };
  const { putPipesAside } = await import("./tables/piped_operands.ts");
  return await putPipesAside(operands, command.tables, host);
}

function asksFor(flags: readonly string[], words: readonly string[]): boolean {
  return words.some((word) => flags.includes(word));
}

async function writeVersion(stdout: HostOutput): Promise<number> {
  await stdout.write(`${TOOLKIT}\n`);
  return EXIT.done;
}

/** Writes requested help as a result; if the command is missing, help is an error. */
async function writeHelp(help: string, host: ProgramHost, { isAsked }: { readonly isAsked: boolean }): Promise<number> {
  if (isAsked) await host.stdout.write(help);
  else host.writeError(help);
  return isAsked ? EXIT.done : EXIT.usage;
}

async function refuseCommand(
  first: string,
  second: string | undefined,
  isGroup: boolean,
  host: ProgramHost,
): Promise<number> {
  const names = [...COMMANDS.keys()];
  const help = "seqreg --help";
  if (first.startsWith("-")) {
    throw new UsageError(
      `Unknown option ${JSON.stringify(first)} before a command${didYouMean(first, flagNames({}), { help })}`,
    );
  }
  if (!isGroup) {
    throw new UsageError(
      `Unknown command ${JSON.stringify(first)}${didYouMean(first, [...names, "--version"], { help })}`,
    );
  }
  const group = names.filter((name) => name.startsWith(`${first} `));
  if (second !== undefined && asksFor(VERSION, [second])) return await writeVersion(host.stdout);
  if (second === undefined || asksFor(HELP, [second])) {
    const rows = group.map((name) => [name, COMMANDS.get(name)!.summary] as const);
    return await writeHelp(programHelp(new Map(rows)), host, { isAsked: second !== undefined });
  }
  const given = `${first} ${second}`;
  throw new UsageError(
    `Unknown command ${JSON.stringify(given)}${didYouMean(given, group, { help: `seqreg ${first} --help` })}`,
  );
}

function checkOperands(command: Command, operands: readonly string[]): void {
  const [least, most] = command.operandCount;
  const operandsOrNone = command.operands || "with options alone";
  const usage = `expected seqreg ${command.name} ${operandsOrNone}; see seqreg ${command.name} --help`;
  if (operands.length < least) throw new UsageError(`Too few arguments: ${usage}`);
  if (operands.length > most) {
    throw new UsageError(`Unexpected argument ${JSON.stringify(operands[most])}: ${usage}`);
  }
}

function contextOf(
  operands: readonly string[],
  given: readonly string[],
  flags: Flags,
  host: ProgramHost,
): CommandContext {
  const quiet = flags.has("quiet");
  const { stdout, signal } = host;
  const progress = flags.choice("progress", PROGRESS_MODES, "auto");
  let isDrawn = false;
  const drawProgress = (line: string) => {
    if (line !== "" || isDrawn) host.writeError(`\r\x1b[K${line}`);
    isDrawn = line !== "";
  };
  // A message takes the row of the progress, which is drawn again below it.
  const note = (line: string) => {
    drawProgress("");
    printError(host, line);
  };
  return {
    operands,
    given,
    flags,
    stdout,
    stdin: host.stdin,
    note,
    summary: (line) => quiet ? undefined : note(line),
    signal,
    onHangup: (act) => host.onHangup?.(act),
    env: host.env,
    ...!quiet && progress === "auto" && host.isTerminal && { drawProgress },
    ...progress === "json" && { writeProgress: (line: string) => host.writeError(`${line}\n`) },
  };
}

/** Commands that keep the received part of an archive, and resume it. */
const RESUMED: readonly (string | undefined)[] = ["dataset", "mirror"];

async function report(error: unknown, command: string | undefined, host: ProgramHost): Promise<number> {
  if (error instanceof ClosedPipe) return EXIT.done;
  try {
    await host.stdout.flush();
  } catch (cause) {
    // It is named in addition: the error that ended the command is reported in any case.
    if (!(cause instanceof ClosedPipe)) printError(host, messageOf(cause));
  }
  if (host.signal.aborted) {
    const left = RESUMED.includes(command)
      ? "what came of an archive is kept under another name: run it again to go on"
      : "no partial file was left";
    printError(host, `interrupted; ${left}`);
    return EXIT.interrupted;
  }
  printError(host, messageOf(error));
  if (host.allowedEnv("SEQREG_DEBUG") === "1" && error instanceof Error) printStack(host, error);
  if (error instanceof UsageError) return EXIT.usage;
  return error instanceof Error && "code" in error && error.code === "no-results" ? EXIT.nothing : EXIT.failed;
}

function printError(host: ProgramHost, line: string): void {
  host.writeError(`seqreg: ${terminalText(withoutAdvice(line))}\n`);
}

/**
 * Deno protects some paths, such as those in /proc, unless --allow-all is given, which users should not have to give.
 */
function withoutAdvice(line: string): string {
  return line.replace(
    /Requires all access to (".*?"|\S+?), run again with the --allow-all flag/g,
    "Deno does not let programs open $1; choose another path, or - for standard input or output",
  );
}

function printStack(host: ProgramHost, error: Error): void {
  for (const line of (error.stack ?? "").split("\n")) host.writeError(`${terminalText(line)}\n`);
  if (error.cause instanceof Error) {
    host.writeError("Caused by:\n");
    printStack(host, error.cause);
  }
}

/** Tasks of `deno.json` run in the checkout; relative paths refer to the folder that they were called from. */
function enterCallersFolder({ allowedEnv }: ProgramHost): void {
  const folder = allowedEnv("SEQREG_CWD");
  if (!folder) return;
  try {
    Deno.env.delete("SEQREG_CWD");
    Deno.chdir(folder);
  } catch (cause) {
    const why = messageOf(cause);
    throw new RegistryError("disk", `Cannot work in SEQREG_CWD=${folder}: ${why}; use an existing folder`, {
      cause,
    });
  }
}

if (import.meta.main) Deno.exit(await main(Deno.args));
export type { HostOutput, ProgramHost } from "./support/host.ts";
