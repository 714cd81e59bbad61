/** Runs the program in this process, many times a second: streams and environment are the test's own. */
import { runProgram } from "../src/cli/main.ts";
import { joinBytes } from "../src/core/io/bytes/join_bytes.ts";

/** What a run left. */
export interface ProgramRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly stdoutBytes: Uint8Array;
}

/** Runs one command line; an environment without variables unless some are given. */
export async function runInProcess(
  args: readonly string[],
  { stdin = "", env = {} }: { readonly stdin?: string | Uint8Array; readonly env?: Readonly<Record<string, string>> } =
    {},
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
    isTerminal: false,
    signal: new AbortController().signal,
    stdin: () => ReadableStream.from([typeof stdin === "string" ? encoder.encode(stdin) : stdin]),
    writeError: (text) => void (stderr += text),
    env: (name) => env[name],
    allowedEnv: (name) => env[name],
  });
  const stdoutBytes = joinBytes(written);
  return { code, stdout: new TextDecoder().decode(stdoutBytes), stderr, stdoutBytes };
}

/** Runs one command line whose arguments that begin with `./` are of a folder. */
export async function runInFolder(
  folder: string,
  args: readonly string[],
  stdin?: string | Uint8Array,
): Promise<ProgramRun> {
  return await runInProcess(args.map((arg) => arg.startsWith("./") ? `${folder}/${arg.slice(2)}` : arg), { stdin });
}
