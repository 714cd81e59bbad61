/** The commands, in the order of `seqreg --help`. Add a line to add a command. */
import type { Command } from "./_command.ts";

/** A command that has not been loaded. */
export interface CommandEntry {
  /** One line that says what it does; the same as the command's own, which a test checks. */
  readonly summary: string;
  /** Imports the command's file. */
  load(): Promise<Command>;
}

/** Every command by its name. */
export const COMMANDS: ReadonlyMap<string, CommandEntry> = new Map<string, CommandEntry>([]);
