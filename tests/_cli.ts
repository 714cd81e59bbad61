/** Runs the program from outside, as a user's shell does. */

const MAIN = new URL("../src/cli/main.ts", import.meta.url);
const CONFIG = new URL("../deno.json", import.meta.url);

export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly stdoutBytes: Uint8Array;
}

/** The world of a run. */
export interface CliOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  /** A program that starts ours, with its arguments. */
  readonly through?: readonly string[];
  /** Whether it may start programs. */
  readonly run?: boolean;
  /** Its permissions, as a launcher gives them; those of the tasks by default. */
  readonly permissions?: readonly string[];
  /** Milliseconds after which it is killed; four minutes by default. */
  readonly limitMs?: number;
}

/** Permissions that every command is given by its task. */
export const CLI_PERMISSIONS = [
  "--allow-read",
  "--allow-write",
  "--allow-net",
  "--allow-env",
  "--allow-sys",
  "--allow-ffi",
] as const;

/** What whoever runs the tests has set for themselves must not change them. */
export const NEUTRAL = {
  NO_COLOR: "1",
  SEQREG_URL: "",
  SEQREG_NAMING: "",
  SEQREG_HEADERS: "",
  SEQREG_OFFLINE: "",
  SEQREG_LOCK: "",
  SEQREG_REPLAY: "",
  SEQREG_DEBUG: "",
  SEQREG_CWD: "",
} as const;

/** A program that has not ended by then is killed, unless its test says otherwise. */
const LIMIT_MS = 240_000;

/** Arguments of Deno before the permissions and the path of a module that is run as a user runs it. */
export const RUN_QUIETLY: readonly string[] = [
  "run",
  "--quiet",
  "--no-check",
  "--no-prompt",
  "--config",
  CONFIG.pathname,
];

/** The command line that starts the program, for tests that keep it running. */
export function cliCommand(args: readonly string[], options: CliOptions = {}, piped = false): Deno.Command {
  const [program, ...leading] = [...options.through ?? [], Deno.execPath()];
  const permissions = [...options.permissions ?? CLI_PERMISSIONS, ...options.run ? ["--allow-run"] : []];
  const own = ["run", "--quiet", "--no-check", "--config", CONFIG.pathname, ...permissions, MAIN.pathname];
  return new Deno.Command(program, {
    args: [...leading, ...own, ...args],
    cwd: options.cwd,
    env: { ...NEUTRAL, ...options.env },
    stdin: piped ? "piped" : "null",
    stdout: "piped",
    stderr: "piped",
    signal: AbortSignal.timeout(options.limitMs ?? LIMIT_MS),
  });
}

/** Runs the program to its end. */
export async function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const child = cliCommand(args, options, options.stdin !== undefined).spawn();
  const feeding = options.stdin === undefined ? undefined : feed(child, options.stdin);
  const { code, stdout, stderr } = await child.output();
  await feeding;
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr), stdoutBytes: stdout };
}

/** Runs the program, reads once from its standard output and goes away. */
export async function readOnce(
  args: readonly string[],
  options: CliOptions,
): Promise<{ code: number; stderr: string }> {
  const child = cliCommand(args, options).spawn();
  const stderr = new Response(child.stderr).text();
  const reader = child.stdout.getReader();
  await reader.read();
  await reader.cancel();
  return { code: (await child.status).code, stderr: await stderr };
}

/** A running program, and what it writes. */
export interface RunningCli {
  readonly child: Deno.ChildProcess;
  /** Its first line of standard output. */
  readonly line: string;
  /** What follows, at its end. */
  readonly rest: Promise<string>;
  readonly stderr: Promise<string>;
}

/** Starts the program, and waits for the first line of its standard output. */
export async function startCli(args: readonly string[], options: CliOptions = {}): Promise<RunningCli> {
  const child = cliCommand(args, options).spawn();
  const stderr = new Response(child.stderr).text();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes("\n")) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`the program ended: ${await stderr}`);
    text += value;
  }
  const first = text.indexOf("\n");
  const rest = (async () => {
    let after = text.slice(first + 1);
    for (let next = await reader.read(); !next.done; next = await reader.read()) after += next.value;
    return after;
  })();
  return { child, line: text.slice(0, first), rest, stderr };
}

async function feed(child: Deno.ChildProcess, stdin: string | Uint8Array): Promise<void> {
  const writer = child.stdin.getWriter();
  try {
    await writer.write(typeof stdin === "string" ? new TextEncoder().encode(stdin) : stdin);
    await writer.close();
  } catch {
    // The program may end before it has read everything: that is for its exit code to say.
  }
}
