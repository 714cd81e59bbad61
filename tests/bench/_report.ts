/** How every measurement is printed and judged. */
import { VERSION } from "../../src/core/contract/version.ts";

/** One figure: what was measured, beside whom, and the goal it was set. */
export interface Row {
  readonly work: string;
  /** Our figures, one a run. */
  readonly ours: readonly number[];
  /** Unit of the figures, such as `ms` or `MB/s`. */
  readonly unit: string;
  /** The peer's name and its figures of the same runs, in turn with ours. */
  readonly peer?: { readonly name: string; readonly figures: readonly number[] };
  /** What the median must keep to: of the ratio ours / peer where there is a peer, else of our figure. */
  readonly goal?: { readonly atMost: number } | { readonly atLeast: number };
  /** Whether the outputs of both were compared in this run and are equal; a row with a peer must say. */
  readonly equal?: boolean;
}

/** The middle value; of two middle ones their mean. */
export function median(figures: readonly number[]): number {
  return quantile(figures, 0.5);
}

/** The value that a share of the figures stays below, between two of them interpolated. */
export function quantile(figures: readonly number[], share: number): number {
  const sorted = [...figures].sort((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low === high ? low : low + (place - Math.floor(place)) * (high - low);
}

/**
 * Prints the table with machine, versions, runs and spread.
 *
 * @returns Whether every goal was met and every compared output was equal.
 */
export function report(title: string, rows: readonly Row[], versions: Readonly<Record<string, string>> = {}): boolean {
  const lines = [["work", "ours, median", "min to max", "runs", "peer", "its median", "ratio", "goal", "equal", "met"]];
  let good = true;
  for (const row of rows) {
    const { line, met } = judge(row);
    good &&= met;
    lines.push(line);
  }
  printTable(title, lines, versions);
  console.log(good ? "\nevery goal is met" : "\nA GOAL IS MISSED");
  return good;
}

/** Prints a table, whose first line are its headings, with machine and versions. */
export function printTable(
  title: string,
  lines: readonly (readonly string[])[],
  versions: Readonly<Record<string, string>> = {},
): void {
  const named = { seqreg: VERSION, deno: Deno.version.deno, ...versions };
  console.log(`# ${title}`);
  console.log(`machine: ${describeMachine()}`);
  console.log(`versions: ${Object.entries(named).map(([name, version]) => `${name} ${version}`).join(", ")}\n`);
  const widths = lines[0].map((_, index) => Math.max(...lines.map((line) => line[index].length)));
  for (const line of lines) console.log(line.map((cell, index) => cell.padEnd(widths[index])).join("  ").trimEnd());
}

function judge(row: Row): { line: string[]; met: boolean } {
  const { work, ours, unit, peer, goal } = row;
  const ratio = peer === undefined ? undefined : median(ours.map((figure, run) => figure / peer.figures[run]));
  const judged = ratio ?? median(ours);
  const within = goal === undefined || ("atMost" in goal ? judged <= goal.atMost : judged >= goal.atLeast);
  const met = within && (peer === undefined || row.equal === true);
  return {
    met,
    line: [
      work,
      `${short(median(ours))} ${unit}`,
      `${short(Math.min(...ours))} to ${short(Math.max(...ours))}`,
      String(ours.length),
      peer?.name ?? "–",
      peer === undefined ? "–" : `${short(median(peer.figures))} ${unit}`,
      ratio === undefined ? "–" : ratio.toFixed(2),
      goal === undefined ? "–" : "atMost" in goal ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`,
      row.equal === undefined ? "–" : row.equal ? "yes" : "NO",
      met ? "yes" : "NO",
    ],
  };
}

/** A figure in three digits or so. */
export function short(figure: number): string {
  return figure >= 100 ? figure.toFixed(0) : figure >= 10 ? figure.toFixed(1) : figure.toFixed(2);
}

function describeMachine(): string {
  const { os, arch } = Deno.build;
  const gigabytes = (Deno.systemMemoryInfo().total / 2 ** 30).toFixed(0);
  return `${os} ${arch}, ${navigator.hardwareConcurrency} cores, ${gigabytes} GiB, load ${
    Deno.loadavg()[0].toFixed(1)
  }`;
}

/** Runs a command to its end; returns its wall time in milliseconds. Fails if it ends with any other exit code. */
export async function timeCommand(
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
  codes: readonly number[] = [0],
): Promise<number> {
  const started = performance.now();
  const { code, stderr } = await new Deno.Command(command, { args: [...args], env, stdout: "null", stderr: "piped" })
    .output();
  const took = performance.now() - started;
  if (!codes.includes(code)) {
    throw new Error(`${command} ${args.join(" ")} failed: ${new TextDecoder().decode(stderr).slice(0, 500)}`);
  }
  return took;
}
