/** Ports for servers that are started a little later. */

/** Where they begin, below those that the system gives to outgoing connections and to servers that ask for any. */
const FIRST_PORT = 15_100;
const PORTS = 15_000;

/** Ports on which nothing listens, no two the same. Drawn: programs that look for some at once seldom meet. */
export function freePorts(count: number): number[] {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORTS);
    try {
      Deno.listen({ hostname: "127.0.0.1", port }).close();
      ports.add(port);
    } catch (cause) {
      if (!(cause instanceof Deno.errors.AddrInUse)) throw cause;
    }
  }
  return [...ports];
}
