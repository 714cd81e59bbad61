/** Header fields for a private deployment: those of the caller, and those of a file keyed by origin. */
import { isRecord } from "../options/is_record.ts";
import { checkHeaders, isOwnField } from "../client/caller_headers.ts";

/**
 * Finds the header fields that a JSON file gives for a registry, such as
 * `{ "https://registry.example": { "Authorization": "Bearer …" } }`.
 *
 * @param baseUrl Base address of the registry; its origin must be a key as it is, scheme and port included.
 * @returns The fields by lower-case name; none when the file does not name the origin.
 * @throws {TypeError} If the file cannot be read or has another form. No message holds a value.
 * @see Not shown in the specification, whose API is public: chosen for deployments that are not.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { readHeadersFile } from "./request_headers.ts";
 *
 * const path = await Deno.makeTempFile();
 * await Deno.writeTextFile(path, '{ "https://registry.example": { "X-Key": "secret" } }');
 *
 * assertEquals(await readHeadersFile(path, "https://registry.example/api"), { "x-key": "secret" });
 * assertEquals(await readHeadersFile(path, "http://registry.example/api"), {});
 * await Deno.remove(path);
 * ```
 */
export async function readHeadersFile(path: string, baseUrl: string): Promise<Record<string, string>> {
  let text: string;
  try {
    text = await Deno.readTextFile(path);
  } catch (cause) {
    const why = cause instanceof Deno.errors.NotFound
      ? "file not found"
      : cause instanceof Error
      ? cause.message
      : cause;
    throw new TypeError(`Cannot read the headers file ${path} (SEQREG_HEADERS): ${why}`, { cause });
  }
  const entries = parseObject(text);
  if (entries === undefined) throw malformed(path, "it is not a JSON object");
  let found: Record<string, string> = {};
  for (const [origin, fields] of entries) {
    const url = URL.parse(origin);
    if (url === null || url.origin !== origin.replace(/\/$/, "").toLowerCase()) {
      throw malformed(path, `${JSON.stringify(origin.slice(0, 100))} is not an origin`);
    }
    const checked = requestHeaders(fields);
    if (url.origin === new URL(baseUrl).origin) found = checked;
  }
  return found;
}

/**
 * Checks header fields that a caller gives for a registry.
 *
 * @throws {TypeError} If one could not be sent, or belongs to the protocol. No message holds a value.
 */
export function requestHeaders(fields: unknown): Record<string, string> {
  const checked = checkHeaders(fields);
  for (const name of Object.keys(checked)) {
    if (isOwnField(name)) {
      throw new TypeError(
        `Cannot send the header field ${name}: the toolkit sets it; expected another, such as Authorization`,
      );
    }
  }
  return checked;
}

/** Reads a JSON object without ever showing what it holds: the words of `JSON.parse` quote the text. */
function parseObject(text: string): [string, unknown][] | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return isRecord(value) ? Object.entries(value) : undefined;
  } catch {
    return undefined;
  }
}

function malformed(path: string, why: string): TypeError {
  return new TypeError(
    `Cannot read the headers file ${path} (SEQREG_HEADERS): ${why}; expected ` +
      `{ "https://registry.example": { "Authorization": "…" } }`,
  );
}
