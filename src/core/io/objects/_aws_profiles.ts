/** Reads the two files in which AWS's own programs keep profiles: `~/.aws/config` and `~/.aws/credentials`. */

/** Settings of one profile, by name in lower case. */
export type Profile = ReadonlyMap<string, string>;

/**
 * Finds a profile in the text of a file.
 *
 * Sections are `[default]`, `[NAME]` (credentials) and `[profile NAME]` (config). Indented lines, which nest settings
 * of single services, are left out, but for the endpoint of S3 in the `[services NAME]` that the profile names.
 *
 * @returns Its settings; `undefined` if the file has no such section.
 * @see AWS SDKs and Tools Reference Guide, "Shared config and credentials files".
 */
export function findProfile(text: string, name: string): Profile | undefined {
  let found: Map<string, string> | undefined;
  let isInside = false;
  const endpoints = new Map<string, string>();
  let services: string | undefined;
  let isS3 = false;
  for (const line of text.split(/\r?\n/)) {
    const section = /^\[\s*(?:profile\s+)?("?)(.*?)\1\s*\]/.exec(line);
    if (section !== null) {
      services = /^services\s+(.*)$/.exec(section[2])?.[1];
      isS3 = false;
      isInside = services === undefined && section[2] === name;
      if (isInside) found ??= new Map();
      continue;
    }
    if (services !== undefined) {
      const [, indent, key, value] = /^(\s*)([A-Za-z0-9_]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
      if (indent === "") isS3 = key.toLowerCase() === "s3";
      else if (isS3 && key?.toLowerCase() === "endpoint_url") endpoints.set(services, value.replace(/\s+#.*$/, ""));
      continue;
    }
    const setting = isInside ? /^([A-Za-z0-9_]+)\s*=\s*(.*?)\s*$/.exec(line) : null;
    if (setting !== null) found?.set(setting[1].toLowerCase(), setting[2].replace(/\s+#.*$/, ""));
  }
  const endpoint = endpoints.get(found?.get("services") ?? "");
  if (endpoint !== undefined) found?.set("endpoint_url", endpoint);
  return found;
}
