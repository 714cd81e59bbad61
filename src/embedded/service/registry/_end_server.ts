/** The end of a server: what is under way may finish, within a time. */
import type { Server } from "node:http";
import { MOST_MS } from "@seqreg/core/io/tasks";
import { cutOff, type Exchange } from "../http/node_http.ts";

/** Time that may become shorter while it runs. */
export class Grace {
  readonly #over = Promise.withResolvers<void>();
  readonly over = this.#over.promise;
  #end = Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Ends it after so many milliseconds from now, unless it ends before. */
  within(ms: number): void {
    const end = performance.now() + ms;
    if (end >= this.#end) return;
    this.#end = end;
    this.clear();
    this.#timer = setTimeout(this.#over.resolve, Math.min(ms, MOST_MS));
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}

/** Ends a server. Returns how many answers were still under way when the grace time was over. */
export async function endServer(
  server: Server,
  open: ReadonlyMap<Promise<void>, Exchange>,
  grace: Grace,
  finished: Promise<void>,
): Promise<number> {
  server.close();
  server.closeIdleConnections();
  const answered = (async () => {
    while (open.size > 0) await Promise.all(open.keys());
  })();
  await Promise.race([answered, grace.over]);
  grace.clear();
  const left = open.size;
  server.closeIdleConnections();
  // An answer's last bytes may still be on their way out of a connection that is not idle yet.
  const last = new Grace();
  last.within(100);
  await Promise.race([finished, last.over]);
  last.clear();
  for (const exchange of open.values()) cutOff(exchange, "the registry was ended");
  server.closeAllConnections();
  await finished;
  return left;
}
