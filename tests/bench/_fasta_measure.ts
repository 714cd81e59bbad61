/** Whole processes timed in turn and their outputs compared: what every row of the FASTA measurements is made by. */
import { CLI_PERMISSIONS } from "../_cli.ts";
import { type Row, timeCommand } from "./_report.ts";
import { TWO_CORES } from "./_two_cores.ts";

const RUNS = 5;
const MAIN = new URL("../../src/cli/main.ts", import.meta.url).pathname;

/** The shell line of a command of ours. */
export function seqreg(line: string): string {
  return `${Deno.execPath()} run --quiet --no-check ${CLI_PERMISSIONS.join(" ")} ${MAIN} ${line} --quiet`;
}

/** Runs two shell lines in turn and compares what they print. */
export async function measure(
  work: string,
  ours: string,
  peer: string,
  theirs: string,
  atMost: number,
  same: (ours: Uint8Array, theirs: Uint8Array) => boolean,
): Promise<Row> {
  const equal = same(await output(ours), await output(theirs));
  const times = { ours: [] as number[], theirs: [] as number[] };
  for (let run = 0; run < RUNS; run++) {
    times.ours.push(await time(ours));
    times.theirs.push(await time(theirs));
  }
  return { work, ours: times.ours, unit: "ms", peer: { name: peer, figures: times.theirs }, goal: { atMost }, equal };
}

/**
 * Runs two shell lines in turn that say on the last line of standard error what is to be compared, such as
 * milliseconds.
 */
export async function measureSaid(
  row: Pick<Row, "work" | "unit" | "goal">,
  ours: string,
  peer: string,
  theirs: string,
  same: (ours: Uint8Array, theirs: Uint8Array) => boolean,
): Promise<Row> {
  const equal = same(await output(ours), await output(theirs));
  const figures = { ours: [] as number[], theirs: [] as number[] };
  for (let run = 0; run < RUNS; run++) {
    figures.ours.push(await said(ours));
    figures.theirs.push(await said(theirs));
  }
  return { ...row, ours: figures.ours, peer: { name: peer, figures: figures.theirs }, equal };
}

function shell(line: string): string[] {
  // The shell itself is pinned, and with it everything that it starts.
  return ["-c", TWO_CORES.length === 0 ? line : `${TWO_CORES.join(" ")} sh -c "$0"`, line];
}

/** Wall time of a shell line in milliseconds; what it prints goes to /dev/null. */
export function time(line: string): Promise<number> {
  return timeCommand("sh", shell(line));
}

/** What a shell line prints. */
export async function output(line: string): Promise<Uint8Array> {
  const { success, stdout, stderr } = await new Deno.Command("sh", { args: shell(line) }).output();
  if (!success) throw new Error(`${line} failed: ${new TextDecoder().decode(stderr).slice(0, 500)}`);
  return stdout;
}

/** The number on the last line of standard error. */
export async function said(line: string): Promise<number> {
  const { success, stderr } = await new Deno.Command("sh", { args: shell(line), stdout: "null" }).output();
  const text = new TextDecoder().decode(stderr);
  const number = Number(text.trimEnd().split("\n").at(-1));
  if (!success || !(number >= 0)) throw new Error(`${line} failed: ${text.slice(0, 500)}`);
  return number;
}

/** The same bytes, and some. */
export function sameBytes(ours: Uint8Array, theirs: Uint8Array): boolean {
  return ours.length === theirs.length && ours.length > 0 && ours.every((byte, at) => byte === theirs[at]);
}

/** The same letters under the same ids, whatever the lines. */
export function sameRecords(ours: Uint8Array, theirs: Uint8Array): boolean {
  const letters = (text: string) =>
    text.split(">").map((record) => {
      const [header, ...lines] = record.split("\n");
      return `${header.split(" ", 1)[0]} ${lines.join("")}`;
    }).join("\n");
  const decoder = new TextDecoder();
  return letters(decoder.decode(ours)) === letters(decoder.decode(theirs));
}
