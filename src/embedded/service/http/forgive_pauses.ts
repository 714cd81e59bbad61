/** Pauses of the process, in which it was stopped or its machine slept: clients are not judged by that time. */
import type { Server } from "node:http";
import { setInterval } from "node:timers";

/** Time between two signs of life. */
const LOOK_MS = 250;
/** Time without one after which the process was paused. */
const PAUSE_MS = 1500;
/** Time after a pause in which what came meanwhile is read, and nobody is late. */
const READING_MS = 2000;

/** Keeps a server from ending requests that came while it was paused, before they are read. */
export function forgivePauses(server: Server): void {
  let alive = performance.now();
  let forgivenUntil = -Infinity;
  const look = () => {
    const now = performance.now();
    if (now - alive > PAUSE_MS) forgivenUntil = now + READING_MS;
    alive = now;
    return now < forgivenUntil;
  };
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  server.once("close", () => clearInterval(timer));
  // The server reads its limits whenever it looks for connections that are late; 0 is no limit.
  for (const limit of ["headersTimeout", "requestTimeout"] as const) {
    const ms = server[limit];
    Object.defineProperty(server, limit, { get: () => look() ? 0 : ms });
  }
}
