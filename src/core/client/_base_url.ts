/** The base address of a registry, and the addresses of operations below it. */
import { ENDPOINTS, type Operation } from "../contract/paths.ts";

/**
 * Parses a base address: http or https, optionally with a path prefix, which is kept; a trailing slash changes nothing.
 *
 * A user name or password is rejected: the API needs none (Specification 5), and provenance shows the address. A query
 * or fragment is rejected because operations could not keep it.
 */
export function parseBaseUrl(baseUrl: string | URL): string {
  if (typeof baseUrl !== "string" && !(baseUrl instanceof URL)) {
    throw new TypeError("Cannot open a registry: expected its base URL, such as https://registry.example/api");
  }
  const text = String(baseUrl).trim();
  const url = URL.parse(text);
  if (url !== null && (url.username !== "" || url.password !== "")) {
    throw new TypeError(
      "Cannot open a registry: its base URL has a user name or password; the API is public, so remove them",
    );
  }
  const shown = JSON.stringify(text.slice(0, 200));
  if (url === null) {
    throw new TypeError(
      `Cannot open the registry ${shown}: it is not a URL; expected one such as https://registry.example`,
    );
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    const likely = /^[\w.-]+:\d+/.test(text) ? `; did you mean "http://${text}"?` : "; write an http or https URL";
    throw new TypeError(`Cannot open the registry ${shown}: its scheme is "${url.protocol}"${likely}`);
  }
  if (url.search !== "" || url.hash !== "") {
    throw new TypeError(`Cannot open the registry ${shown}: a base URL must not contain "?" or "#"; remove the rest`);
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}

export function operationUrl(baseUrl: string, operation: Operation, parameters?: Record<string, string>): URL {
  const url = new URL(baseUrl + ENDPOINTS[operation].path);
  for (const [name, value] of Object.entries(parameters ?? {})) url.searchParams.set(name, value);
  return url;
}
