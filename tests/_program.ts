/** Runs the program in this process, many times a second: streams and environment are the test's own. */
import { runProgram } from "../src/cli/main.ts";
import { joinBytes } from "../src/core/io/bytes/join_bytes.ts";

export interface ProgramRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly stdoutBytes: Uint8Array;
}

/** Its standard input, and the variables of its environment. */
export interface ProgramOptions {
  readonly stdin?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether its standard error is a terminal; by default it is none. */
  readonly isTerminal?: boolean;
}

/** Runs one command line; an environment without variables unless some are given. */
export async function runInProcess(
  args: readonly string[],
  { stdin = "", env = {}, isTerminal = false }: ProgramOptions = {},
): Promise<ProgramRun> {
  const encoder = new TextEncoder();
  const written: Uint8Array[] = [];
  let stderr = "";
  const code = await runProgram(args, {
    stdout: {
      write: (content) => {
        written.push(typeof content === "string" ? encoder.encode(content) : content.slice());
        return Promise.resolve();
      },
      flush: () => Promise.resolve(),
    },
    isTerminal,
    signal: new AbortController().signal,
    stdin: () => ReadableStream.from([typeof stdin === "string" ? encoder.encode(stdin) : stdin]),
    writeError: (text) => void (stderr += text),
    env: (name) => env[name],
    allowedEnv: (name) => env[name],
  });
  const stdoutBytes = joinBytes(written);
  return { code, stdout: new TextDecoder().decode(stdoutBytes), stderr, stdoutBytes };
}

/**
 * Runs one command line from a folder: arguments that begin with `./` are of the folder, and what is written names its
 * files from there.
 */
export async function runInFolder(
  folder: string,
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<ProgramRun> {
  const run = await runInProcess(args.map((arg) => arg.startsWith("./") ? `${folder}/${arg.slice(2)}` : arg), options);
  const fromThere = (text: string) => text.replaceAll(`${folder}/`, "");
  return { ...run, stdout: fromThere(run.stdout), stderr: fromThere(run.stderr) };
}
