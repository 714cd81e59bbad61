/**
 * Notices that a server no longer accepts connections, and lets it listen anew.
 *
 * When a process has no descriptor left, the runtime ends its accepting without an event: connections then wait in the
 * system's queue for ever, also when there are descriptors again.
 */
import { connect, type Server } from "node:net";
import { RegistryError } from "@seqreg/core/errors";

/** Connections in a row that were not accepted, after which the server listens anew. */
const MISSED = 2;

export interface AcceptWatchOptions {
  readonly host: string;
  readonly port: number;
  /** Interval between checks, which is also the time that a connection has to be accepted. */
  readonly everyMs: number;
  /** Whether one more connection would be accepted without closing another. */
  readonly hasRoom: () => boolean;
  /** Called when the server listens anew. */
  readonly onFault: (fault: RegistryError) => void;
  readonly listen: () => Promise<void>;
  /** Called when it cannot listen any more. */
  readonly onEnd: (fault: unknown) => void;
}

/**
 * Looks from time to time whether connections are accepted: where none came since the last look, it makes one itself,
 * which asks for nothing. Where two in a row are not accepted, the server listens anew.
 */
export function watchAccepting(server: Server, options: AcceptWatchOptions): () => void {
  const { host, port, everyMs, hasRoom, onFault } = options;
  if (!mayConnect(host, port)) return () => {};
  let came = true;
  let isAsked = false;
  let missed = 0;
  let isEnded = false;
  const note = () => void (came = true);
  const listenAnew = async () => {
    const fault = new RegistryError(
      "network",
      `Cannot accept connections to port ${port}, as after this process had no file left to open: the server listens ` +
        "anew; a higher limit of files (ulimit -n) prevents it",
    );
    try {
      await options.listen();
      onFault(fault);
    } catch (cause) {
      if (!isEnded) options.onEnd(cause);
    }
  };
  const look = () => {
    missed = isAsked && !came ? missed + 1 : 0;
    if (missed === MISSED) {
      missed = 0;
      isAsked = false;
      return void listenAnew();
    }
    isAsked = !came && hasRoom();
    if (isAsked) ask({ host, port }, () => isAsked = false);
    came = false;
  };
  server.on("connection", note);
  const timer = setInterval(look, everyMs);
  Deno.unrefTimer(timer);
  return () => {
    isEnded = true;
    clearInterval(timer);
    server.off("connection", note);
  };
}

/** Connects, and leaves: a connection that was made waits to be accepted all the same. */
function ask(address: { readonly host: string; readonly port: number }, onUnknown: () => void): void {
  const socket = connect(address, () => socket.destroy());
  socket.unref();
  socket.on("error", (error) => {
    // Without a file to open nothing is learned; where nobody listens, that is the answer.
    if (!("code" in error && error.code === "ECONNREFUSED")) onUnknown();
  });
}

function mayConnect(host: string, port: number): boolean {
  const bare = host.replace(/^\[(.*)\]$/, "$1");
  const named = bare.includes(":") ? `[${bare}]` : bare;
  return Deno.permissions.querySync({ name: "net", host: `${named}:${port}` }).state === "granted";
}
