/** A heavy check: one row of the table in `../checks.ts`. */
import type { Package, Program } from "./needs.ts";

export interface Check {
  /** The name by which it is run. */
  readonly name: string;
  /** What it shows, for the page. */
  readonly shows: string;
  /** Its files, as paths of the project: tests, unless there are commands. */
  readonly files: readonly string[];
  /** Files, and folders that end with `/`, whose change calls for it, besides the modules that its files import. */
  readonly calls: readonly string[];
  readonly programs?: readonly Program[];
  /** Packages of Python that it needs. */
  readonly packages?: readonly Package[];
  /** Whether the programs of these packages have to be on the path. */
  readonly onPath?: boolean;
  /** Variables of the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Command lines of Deno, one after the other, instead of running the files as tests; `SEED` stands for the seed. */
  readonly commands?: readonly (readonly string[])[];
  /** A command line of Deno that ends what the commands started, also after a failure. */
  readonly after?: readonly string[];
  /** Usual duration in minutes on two cores. */
  readonly minutes: number;
  /** Whether it measures time or memory, or needs all cores, so that no other check may run meanwhile. */
  readonly alone?: boolean;
  /** What it shares with others that have the same word: these run one after the other, beside the rest. */
  readonly inTurn?: string;
  /** Whether it draws a seed: `SEQREG_SEED`, or `SEED` in a command. */
  readonly seed?: boolean;
}

/** Factor by which a check may take longer than usual, and minutes on top, before it is ended. */
const [LIMIT_FACTOR, LIMIT_MINUTES] = [3, 3];

/** Time after which a check is ended, in milliseconds. */
export function limitOf({ minutes }: Check): number {
  return (LIMIT_FACTOR * minutes + LIMIT_MINUTES) * 60_000;
}

/** Command lines of Deno that make up a check. */
export function commandsOf(check: Check, seed: number): string[][] {
  const commands = check.commands ?? [["test", "--allow-all", "--no-check", ...check.files]];
  return commands.map((args) => args.map((arg) => arg === "SEED" ? String(seed) : arg));
}

export function repeatCommand(check: Check, seed: number): string {
  return `deno task checks ${check.name}${check.seed ? ` --seed ${seed}` : ""}`;
}
