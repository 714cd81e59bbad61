/** Where a server listens, and how it is reached. */
import type { Server } from "node:http";
import { messageOf, RegistryError } from "@seqreg/core/errors";
import { bracketed } from "./hosts.ts";

/**
 * Lets a server listen.
 *
 * @throws {RegistryError} With code `network` if it cannot listen there; the message has the reason.
 */
export async function listen(server: Server, hostname: string, port: number): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ host: hostname, port }, () => {
        server.off("error", reject);
        resolve();
      });
    });
  } catch (cause) {
    throw new RegistryError("network", `Cannot serve on ${bracketed(hostname)}:${port}: ${explain(cause)}`, { cause });
  }
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new TypeError("the server has no port");
  return address.port;
}

function explain(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? cause.code : "";
  if (code === "EADDRINUSE") return "the port is in use; choose another, or 0 for a free one";
  if (code === "EACCES") return "this user may not listen there; choose a port above 1023, or 0 for a free one";
  if (code === "EADDRNOTAVAIL" || code === "EINVAL") {
    return "this machine has no such address; choose 127.0.0.1, or 0.0.0.0 for all";
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "no address is known for that name";
  return messageOf(cause);
}

/** A server that listens everywhere is reached at home. */
export function reachable(hostname: string): string {
  if (hostname === "0.0.0.0") return "127.0.0.1";
  return hostname === "::" ? "[::1]" : bracketed(hostname);
}
