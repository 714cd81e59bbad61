/**
 * Where a cell cannot be parsed. The real kernel reports that it was not run and nothing else; Deno's formatter reads
 * the same language, without running it, and names line and column.
 */

/** How long the formatter may take. */
const FORMAT_MS = 5000;

/** What cannot be parsed, and where. */
export interface SyntaxFault {
  /** What is wrong, with its line and column, from 1. */
  readonly message: string;
  /** The line at fault, marked. */
  readonly excerpt: string;
}

/** Finds the first fault of a cell; `undefined` if the formatter finds none. */
export async function findSyntaxFault(code: string): Promise<SyntaxFault | undefined> {
  const formatter = new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--no-config", "--ext", "tsx", "-"],
    env: { NO_COLOR: "1" },
    stdin: "piped",
    stdout: "null",
    stderr: "piped",
    signal: AbortSignal.timeout(FORMAT_MS),
  }).spawn();
  const writer = formatter.stdin.getWriter();
  // It may end before it has read all.
  writer.write(new TextEncoder().encode(code)).then(() => writer.close()).catch(() => {});
  const { success, stderr } = await formatter.output();
  if (success) return undefined;
  const fault = FAULT.exec(new TextDecoder().decode(stderr))?.groups;
  if (fault === undefined) return undefined;
  return { message: `${fault.message} (line ${fault.line}, column ${fault.column})`, excerpt: fault.excerpt };
}

const FAULT = /^error: (?:\w*Error: )?(?<message>.*)\n(?<excerpt>[^]*?)\n\s+at \S+:(?<line>\d+):(?<column>\d+)$/m;
