/** Paths of `file:` URLs as each system writes them. */

/**
 * Converts a `file:` URL to a path. Loads nothing, unlike `fileURLToPath` of `node:url`.
 *
 * @param url A `file:` URL.
 * @param os Platform; this one by default.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { pathOfUrl } from "./path_of_url.ts";
 *
 * assertEquals(pathOfUrl(new URL("file:///data/a%20b.fasta"), "linux"), "/data/a b.fasta");
 * assertEquals(pathOfUrl(new URL("file:///C:/data/a%20b.fasta"), "windows"), "C:\\data\\a b.fasta");
 * ```
 */
export function pathOfUrl(url: URL, os: typeof Deno.build.os = Deno.build.os): string {
  const path = decodeURIComponent(url.pathname);
  if (os !== "windows") return path;
  const backslashed = path.replaceAll("/", "\\");
  return url.host === "" ? backslashed.replace(/^\\(?=[A-Za-z]:)/, "") : `\\\\${url.host}${backslashed}`;
}
