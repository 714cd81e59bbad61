/** How a source of bytes is called in messages. */
import type { ByteSource } from "./byte_source.ts";
import { pathOfUrl } from "./path_of_url.ts";

/** Names a source in an error: its path, or what it is. */
export function sourceName(source: ByteSource): string {
  if (typeof source === "string") return source;
  if (source instanceof URL) return source.protocol === "file:" ? pathOfUrl(source) : source.href;
  return source instanceof Response ? source.url || "the response" : "the data";
}
