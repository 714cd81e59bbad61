/** Reads the two files in which AWS's own programs keep profiles: `~/.aws/config` and `~/.aws/credentials`. */

/** Settings of one profile, by name in lower case. */
export type Profile = ReadonlyMap<string, string>;

/**
 * Finds a profile in the text of a file.
 *
 * Sections are `[default]`, `[NAME]` (credentials) and `[profile NAME]` (config). Indented lines, which nest settings
 * of single services, are left out.
 *
 * @returns Its settings; `undefined` if the file has no such section.
 * @see AWS SDKs and Tools Reference Guide, "Shared config and credentials files".
 */
export function findProfile(text: string, name: string): Profile | undefined {
  let found: Map<string, string> | undefined;
  let isInside = false;
  for (const line of text.split(/\r?\n/)) {
    const section = /^\[\s*(?:profile\s+)?("?)(.*?)\1\s*\]/.exec(line);
    if (section !== null) {
      isInside = section[2] === name;
      if (isInside) found ??= new Map();
      continue;
    }
    const setting = isInside ? /^([A-Za-z0-9_]+)\s*=\s*(.*?)\s*$/.exec(line) : null;
    if (setting !== null) found?.set(setting[1].toLowerCase(), setting[2].replace(/\s+#.*$/, ""));
  }
  return found;
}
