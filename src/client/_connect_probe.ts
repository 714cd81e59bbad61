/** Finds out whether a host can be reached at all, beside a `fetch` that does not say. */

/** Variables that make `fetch` go through a proxy; a connection of our own would then prove nothing. */
const PROXY_VARIABLES = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];

/** Tells whether connections go straight to the host, as far as the permissions at hand let us see. */
export function connectsDirectly(): boolean {
  return PROXY_VARIABLES.every((variable) =>
    Deno.permissions.querySync({ name: "env", variable }).state === "granted" && !Deno.env.get(variable)
  );
}

/** Names the variable that sends requests to an address through a proxy, as far as the permissions let us see. */
export function proxyVariable(url: string): string | undefined {
  const { protocol, hostname } = new URL(url);
  const own = `${protocol.slice(0, -1)}_proxy`;
  if (listed(readVariable("NO_PROXY") ?? readVariable("no_proxy") ?? "", hostname)) return undefined;
  return [own.toUpperCase(), own, "ALL_PROXY", "all_proxy"].find((name) => readVariable(name) !== undefined);
}

function listed(list: string, hostname: string): boolean {
  return list.split(",").map((entry) => entry.trim().replace(/^\*?\./, "")).some((entry) =>
    entry === "*" || entry !== "" && (hostname === entry || hostname.endsWith(`.${entry}`))
  );
}

function readVariable(variable: string): string | undefined {
  if (Deno.permissions.querySync({ name: "env", variable }).state !== "granted") return undefined;
  return Deno.env.get(variable) || undefined;
}

/**
 * Tries a connection, and closes it.
 *
 * @returns Whether none was made before the signal: `false` also when it was refused, which `fetch` says better.
 */
export async function isUnreachable(url: URL, signal: AbortSignal): Promise<boolean> {
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  try {
    const connection = await Deno.connect({ hostname: url.hostname.replace(/^\[|\]$/g, ""), port, signal });
    connection.close();
    return false;
  } catch {
    return signal.aborted;
  }
}
