/** The connections of a server: one answer at a time on each, and nothing left of a client that leaves. */
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";

/** Requests beyond what may wait on a connection, after which it is closed without answering them. */
const MAX_EXCESS = 1000;

/** How many connections there are, and how many requests each may have. */
export interface ConnectionLimits {
  /** Connections at once. */
  readonly connections: number;
  /** Requests of a connection that wait while one is answered. */
  readonly pipelined: number;
}

export interface ClientConnection {
  /** Address of the client. */
  readonly client: string;
  /** Aborts when the connection is closed: a queued response emits no `close` of its own. */
  readonly left: AbortSignal;
}

interface OpenConnection extends ClientConnection {
  readonly socket: Socket;
  readonly leaving: AbortController;
  /** Requests that wait or are answered. */
  requests: number;
  answered: IncomingMessage | undefined;
  /** Requests that came after one too many. */
  excess: number;
  /** Settles when the last request that came so far is answered. */
  last: Promise<void>;
}

export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #open = new Map<Socket, OpenConnection>();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  /** Follows the connections of a server. */
  watch(server: Server): void {
    server.on("connection", (socket: Socket) => {
      if (!this.#makeRoom(socket.remoteAddress ?? "")) socket.destroy();
      else this.#add(socket);
    });
  }

  /** Whether one more connection would be accepted without closing another. */
  get hasRoom(): boolean {
    return this.#open.size < this.#limits.connections;
  }

  of(socket: Socket): ClientConnection {
    return this.#of(socket);
  }

  /**
   * Answers a request when those before it on its connection are answered.
   *
   * @param answer Is called in the request's turn, also when the client has left, with whether it is one too many.
   */
  async answer(incoming: IncomingMessage, answer: (isExcess: boolean) => Promise<void>): Promise<void> {
    const open = this.#of(incoming.socket);
    if (open.excess > 0 || open.requests > this.#limits.pipelined) {
      // The first one too many closes the connection: those behind it are never answered.
      if (++open.excess > MAX_EXCESS) open.socket.destroy();
      if (open.excess > 1) return;
    }
    const isExcess = open.excess > 0;
    open.requests++;
    const before = open.last;
    const answered = (async () => {
      await before;
      open.answered = incoming;
      try {
        await answer(isExcess);
      } finally {
        open.requests--;
      }
    })();
    open.last = answered.catch(() => {});
    await answered;
  }

  #of(socket: Socket): OpenConnection {
    return this.#open.get(socket) ?? this.#add(socket);
  }

  #add(socket: Socket): OpenConnection {
    const leaving = new AbortController();
    const connection: OpenConnection = {
      client: socket.remoteAddress ?? "",
      left: leaving.signal,
      socket,
      leaving,
      requests: 0,
      answered: undefined,
      excess: 0,
      last: Promise.resolve(),
    };
    this.#open.set(socket, connection);
    socket.once("close", () => {
      this.#open.delete(socket);
      leaving.abort(new DOMException("the client went away", "AbortError"));
    });
    return connection;
  }

  /**
   * Closes a connection of the client with the most that waits for its client, when a client with fewer comes; else one
   * of the client's own that was answered and is idle.
   */
  #makeRoom(client: string): boolean {
    if (this.#open.size < this.#limits.connections) return true;
    const counts = new Map<string, number>();
    for (const { client } of this.#open.values()) counts.set(client, (counts.get(client) ?? 0) + 1);
    const [heaviest, most] = [...counts].reduce((best, one) => one[1] > best[1] ? one : best, ["", 0]);
    const isOthers = (counts.get(client) ?? 0) + 1 < most;
    const loser = isOthers
      ? this.#find(heaviest, isIdle) ?? this.#find(heaviest, isUnfinished)
      : this.#find(client, (open) => isIdle(open) && open.answered !== undefined);
    loser?.socket.destroy();
    return loser !== undefined;
  }

  #find(client: string, is: (open: OpenConnection) => boolean): OpenConnection | undefined {
    return [...this.#open.values()].find((open) => open.client === client && is(open));
  }
}

function isIdle({ requests }: OpenConnection): boolean {
  return requests === 0;
}

/** Whether a request's body is still coming: its answer waits for it, or was sent without it. */
function isUnfinished({ answered }: OpenConnection): boolean {
  return answered !== undefined && !answered.complete;
}
