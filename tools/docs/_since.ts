/** In which version a public symbol or a command first came, as `tools/docs/since.json` says. */

/** Names by entry point, as `deno.json` writes it, of each version in the order of versions. */
export type Since = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** What stands for the commands among the entry points. */
export const COMMANDS_ENTRY = "commands";

/** What is said of a name that no version has. */
export const NEXT_VERSION = "the next version";

export async function readSince(): Promise<Since> {
  return JSON.parse(await Deno.readTextFile(new URL("since.json", import.meta.url)));
}

/** The version in which a name came; the next one if none is recorded. */
export function sinceOf(since: Since, entry: string, name: string): string {
  return Object.keys(since).find((version) => since[version][entry]?.includes(name)) ?? NEXT_VERSION;
}

/** Adds the names that no version has yet to `version`. */
export function recordNames(
  since: Since,
  names: Readonly<Record<string, readonly string[]>>,
  version: string,
): Since {
  const added: Record<string, readonly string[]> = { ...since[version] };
  for (const [entry, all] of Object.entries(names)) {
    const fresh = all.filter((name) => sinceOf(since, entry, name) === NEXT_VERSION);
    const own = [...since[version]?.[entry] ?? [], ...fresh];
    if (own.length > 0) added[entry] = [...new Set(own)].sort();
  }
  return { ...since, [version]: added };
}
