/**
 * The program `seqreg`: reads the command line, runs one command, ends with its exit code.
 *
 * A command's file is imported only when that command runs, so that the small ones start at once.
 *
 * @module
 */
import { RegistryError } from "../errors.ts";
import { TOOLKIT } from "../contract/version.ts";
import { terminalText } from "../io/bytes/terminal_text.ts";
import { type Command, type CommandContext, EXIT, UsageError } from "./support/command.ts";
import { COMMANDS } from "./_commands.ts";
import { Flags, parseFlags } from "./support/flags.ts";
import { commandHelp, programHelp } from "./support/help.ts";
import { ClosedPipe, Stdout } from "./support/output.ts";
import { didYouMean, flagNames } from "./support/suggestion.ts";

const HELP_FLAGS = ["--help", "-h"];
/** What asks for help in the place of a command. */
const HELP = [...HELP_FLAGS, "help"];
const VERSION = ["--version", "-V"];

/**
 * Runs the program.
 *
 * @param args The command line without the program's name.
 * @returns The exit code: 0 done, 1 failed, 2 wrong usage, 3 nothing matched, 4 incomplete, 130 interrupted.
 */
export async function main(args: readonly string[]): Promise<number> {
  const stdout = new Stdout();
  const interrupt = new AbortController();
  const onInterrupt = () => interrupt.abort(new DOMException("interrupted", "AbortError"));
  const signals: Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT"] : ["SIGINT", "SIGTERM"];
  for (const signal of signals) Deno.addSignalListener(signal, onInterrupt);
  try {
    const code = await dispatch(args, stdout, interrupt.signal);
    await stdout.flush();
    return code;
  } catch (error) {
    return await report(error, stdout, interrupt.signal);
  } finally {
    for (const signal of signals) Deno.removeSignalListener(signal, onInterrupt);
  }
}

async function dispatch(args: readonly string[], stdout: Stdout, signal: AbortSignal): Promise<number> {
  const [first, second] = args;
  if (first === "help" && second !== undefined) {
    return await dispatch([...args.slice(1).filter((word) => word !== "--"), "--help"], stdout, signal);
  }
  if (first === undefined || asksFor(HELP, [first])) {
    await stdout.write(programHelp(new Map([...COMMANDS].map(([name, { summary }]) => [name, summary]))));
    return first === undefined ? EXIT.usage : EXIT.done;
  }
  if (asksFor(VERSION, [first])) return await writeVersion(stdout);
  const isGroup = [...COMMANDS.keys()].some((name) => name.startsWith(`${first} `));
  const name = isGroup ? `${first} ${second ?? ""}` : first;
  const entry = COMMANDS.get(name);
  if (entry === undefined) return await refuseCommand(first, second, isGroup, stdout);
  const command = await entry.load();
  const rest = args.slice(isGroup ? 2 : 1);
  // Help wins over whatever else is wrong with the line.
  const words = rest.includes("--") ? rest.slice(0, rest.indexOf("--")) : rest;
  if (asksFor(HELP_FLAGS, words)) {
    await stdout.write(commandHelp(command));
    return EXIT.done;
  }
  if (asksFor(VERSION, words)) return await writeVersion(stdout);
  const { operands, flags } = parseFlags(rest, command.options, command.name);
  checkOperands(command, operands);
  enterCallersFolder();
  if (flags.text("ledger") !== undefined) {
    const { checkLedgerPlace } = await import("./support/ledger_place.ts");
    await checkLedgerPlace(command, operands, flags);
  }
  return await command.run(contextOf(operands, flags, stdout, signal));
}

function asksFor(flags: readonly string[], words: readonly string[]): boolean {
  return words.some((word) => flags.includes(word));
}

async function writeVersion(stdout: Stdout): Promise<number> {
  await stdout.write(`${TOOLKIT}\n`);
  return EXIT.done;
}

async function refuseCommand(
  first: string,
  second: string | undefined,
  isGroup: boolean,
  stdout: Stdout,
): Promise<number> {
  const names = [...COMMANDS.keys()];
  const help = "seqreg --help";
  if (first.startsWith("-")) {
    throw new UsageError(
      `Unknown option ${JSON.stringify(first)} before a command${didYouMean(first, flagNames({}), { help })}`,
    );
  }
  if (!isGroup) {
    throw new UsageError(`Unknown command ${JSON.stringify(first)}${didYouMean(first, names, { help })}`);
  }
  const group = names.filter((name) => name.startsWith(`${first} `));
  if (second !== undefined && asksFor(VERSION, [second])) return await writeVersion(stdout);
  if (second === undefined || asksFor(HELP, [second])) {
    const rows = group.map((name) => [name, COMMANDS.get(name)!.summary] as const);
    await stdout.write(programHelp(new Map(rows)));
    return second === undefined ? EXIT.usage : EXIT.done;
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

function contextOf(operands: readonly string[], flags: Flags, stdout: Stdout, signal: AbortSignal): CommandContext {
  const quiet = flags.has("quiet");
  return {
    operands,
    flags,
    stdout,
    stdin: () => Deno.stdin.readable,
    note: printError,
    summary: (line) => quiet ? undefined : printError(line),
    signal,
    env: (name) => Deno.env.get(name),
    drawsProgress: !quiet && Deno.stderr.isTerminal(),
  };
}

async function report(error: unknown, stdout: Stdout, signal: AbortSignal): Promise<number> {
  if (error instanceof ClosedPipe) return EXIT.done;
  try {
    await stdout.flush();
  } catch (cause) {
    if (!(cause instanceof ClosedPipe)) throw cause;
  }
  if (signal.aborted) {
    printError("interrupted; nothing partial was left under a final name");
    return EXIT.interrupted;
  }
  printError(error instanceof Error ? error.message : String(error));
  if (allowedEnv("SEQREG_DEBUG") === "1" && error instanceof Error) printStack(error);
  if (error instanceof UsageError) return EXIT.usage;
  return error instanceof Error && "code" in error && error.code === "no-results" ? EXIT.nothing : EXIT.failed;
}

const encoder = new TextEncoder();

function printError(line: string): void {
  writeError(`seqreg: ${terminalText(withoutAdvice(line))}\n`);
}

/** Deno keeps some places, such as those in /proc, from programs that are not allowed all: nobody should allow us that. */
function withoutAdvice(line: string): string {
  return line.replace(
    /Requires all access to (".*?"|\S+?), run again with the --allow-all flag/g,
    "Deno keeps $1 from programs; choose another place, or - for standard input or output",
  );
}

function printStack(error: Error): void {
  for (const line of (error.stack ?? "").split("\n")) writeError(`${terminalText(line)}\n`);
  if (error.cause instanceof Error) {
    writeError("Caused by:\n");
    printStack(error.cause);
  }
}

function writeError(text: string): void {
  try {
    Deno.stderr.writeSync(encoder.encode(text));
  } catch {
    // Nobody reads standard error any more: there is nowhere left to say anything.
  }
}

/** Tasks of `deno.json` start in the checkout; relative paths mean the folder they were called from. */
function enterCallersFolder(): void {
  const folder = allowedEnv("SEQREG_CWD");
  if (!folder) return;
  try {
    Deno.env.delete("SEQREG_CWD");
    Deno.chdir(folder);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new RegistryError("disk", `Cannot work in SEQREG_CWD=${folder}: ${why}; name a folder that is there`, {
      cause,
    });
  }
}

/** An environment variable, as far as reading it was allowed: help needs none. */
function allowedEnv(variable: string): string | undefined {
  const { state } = Deno.permissions.querySync({ name: "env", variable });
  return state === "granted" ? Deno.env.get(variable) : undefined;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
