/** Permissions of Deno by command: the launchers of a wheel or an npm package start each command with its own. */
import { COMMANDS } from "./_commands.ts";

/** For help, the version and unknown commands. */
const OTHER_WORDS = ["--allow-read", "--allow-env"];

/** Lists permissions by command; those under the empty name are for unknown commands. */
export async function commandPermissions(): Promise<Readonly<Record<string, readonly string[]>>> {
  const table: Record<string, readonly string[]> = { "": OTHER_WORDS };
  for (const [name, { load }] of COMMANDS) {
    // The words after a permission say when it is needed: `--allow-write (for -o)`.
    table[name] = (await load()).permissions.map((text) => text.split(" ", 1)[0]);
  }
  return table;
}
