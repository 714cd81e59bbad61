/** By which names a server may be called: against pages that reach a local server through a name of their own. */
import type { IncomingMessage } from "node:http";
import { Refusal } from "./refusal.ts";

const HOST = /^(?:[a-z0-9](?:[a-z0-9_.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::[0-9]{1,5})?$/;

/**
 * Lists the values of `Host` that mean a server.
 *
 * @param more Further names. One without a port stands for itself, as behind a proxy, and for itself with the port.
 * @throws {RangeError} If one is not a host name.
 */
export function allowedHosts(hostname: string, port: number, more: readonly string[]): ReadonlySet<string> {
  if (!HOST.test(bracketed(hostname).toLowerCase())) {
    throw new RangeError(`Cannot serve on ${JSON.stringify(hostname)}: expected an address, such as 127.0.0.1`);
  }
  const hosts = new Set<string>();
  const add = (name: string) => {
    hosts.add(`${name}:${port}`);
    if (port === 80) hosts.add(name);
  };
  ["127.0.0.1", "localhost", "[::1]", bracketed(hostname).toLowerCase()].forEach(add);
  for (const name of more) {
    const lower = bracketed(name).toLowerCase();
    if (!HOST.test(lower)) {
      throw new RangeError(
        `Cannot allow the host ${JSON.stringify(name)}: expected a name or address, such as registry.lab or ` +
          "registry.lab:8080, without http://",
      );
    }
    hosts.add(lower);
    if (!/:[0-9]+$/.test(lower)) add(lower);
  }
  return hosts;
}

/** Writes an IPv6 address as a URL has it. */
export function bracketed(hostname: string): string {
  return hostname.split(":").length > 2 && !hostname.startsWith("[") ? `[${hostname}]` : hostname;
}

/** Finds why a request is not for this server: its `Host`, or the host of an absolute target, is not one of its own. */
export function refuseHost(incoming: IncomingMessage, hosts: ReadonlySet<string>): Refusal | undefined {
  const named = incoming.rawHeaders.filter((_, index) =>
    index % 2 === 1 && incoming.rawHeaders[index - 1].toLowerCase() === "host"
  );
  if (named.length > 1) return new Refusal(400, "Several Host headers; expected one");
  const absolute = /^https?:\/\/([^/?#]*)/i.exec(incoming.url ?? "")?.[1];
  const wanted = absolute === undefined ? named : [...named, absolute];
  if (named.length === 1 && wanted.every((host) => hosts.has(host.toLowerCase()))) return undefined;
  return new Refusal(
    421,
    "This server does not accept this host name; its operator can add it with --allow-host",
  );
}
