/** Tests whether a host can be reached, while a `fetch` does not report it. */
import { allowedEnv } from "../options/allowed_env.ts";

/** Variables that make `fetch` use a proxy; a direct connection would then show nothing. */
const PROXY_VARIABLES = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];

/** Whether connections are direct, as far as the permissions allow to check. */
export function connectsDirectly(): boolean {
  return PROXY_VARIABLES.every((variable) =>
    Deno.permissions.querySync({ name: "env", variable }).state === "granted" && !Deno.env.get(variable)
  );
}

/** Finds the variable that sends requests to an address through a proxy, as far as the permissions allow to check. */
export function proxyVariable(url: string): string | undefined {
  const { protocol, hostname } = new URL(url);
  const own = `${protocol.slice(0, -1)}_proxy`;
  if (listed(allowedEnv("NO_PROXY") || allowedEnv("no_proxy") || "", hostname)) return undefined;
  return [own.toUpperCase(), own, "ALL_PROXY", "all_proxy"].find((name) => allowedEnv(name));
}

function listed(list: string, hostname: string): boolean {
  return list.split(",").map((entry) => entry.trim().replace(/^\*?\./, "")).some((entry) =>
    entry === "*" || entry !== "" && (hostname === entry || hostname.endsWith(`.${entry}`))
  );
}

/**
 * Opens a connection, and closes it.
 *
 * @returns Whether none was made before the signal: `false` also if it was refused, which `fetch` reports better.
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
