/** Questions of one page over a comm, with their answers. Runs in the browser; see `../cells.ts`. */

/** What comes back for a question. */
export type LiveAnswer = Readonly<Record<string, unknown>>;

/** Why there is no answer. */
export interface LiveFailure {
  readonly message: string;
  /** Whether the files were changed: then the view can be opened anew. */
  readonly changed: boolean;
  /** Whether a newer question replaced this one. */
  readonly skipped: boolean;
}

/** The way of a view to its rows. */
export interface LiveChannel {
  /** Asks; a failure is a {@linkcode LiveFailure}. */
  ask(question: LiveAnswer, op?: "ask" | "renew"): Promise<LiveAnswer>;
  /** Sends what is shown now. */
  tell(state: LiveAnswer): void;
  /** Takes what the kernel says. */
  hear(said: LiveAnswer): void;
  /** The kernel has ended, or the view is closed. */
  end(reason: string): void;
  /** Calls when a cell has set what is shown. */
  onState(take: (state: LiveAnswer) => void): void;
  /** Calls when the channel ends; at once where it has. */
  onEnd(take: (reason: string) => void): void;
}

/** Opens a channel; `send` sends a message over the comm. */
export function openChannel(send: (message: LiveAnswer) => void): LiveChannel {
  const awaited = new Map<
    string,
    { readonly resolve: (answer: LiveAnswer) => void; readonly reject: (failure: LiveFailure) => void }
  >();
  // Every page of a kernel hears every answer: the name tells whose it is.
  const page = Array.from(crypto.getRandomValues(new Uint32Array(2)), (part) => part.toString(36)).join("");
  const states: ((state: LiveAnswer) => void)[] = [];
  const ends: ((reason: string) => void)[] = [];
  let asked = 0;
  let ended: string | undefined;
  const failure = (message: string, flags: LiveAnswer = {}): LiveFailure => ({
    message,
    changed: flags.changed === true,
    skipped: flags.skipped === true,
  });
  return {
    ask: (question, op = "ask") =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) return reject(failure(ended));
        const id = `${page}-${++asked}`;
        awaited.set(id, { resolve, reject });
        try {
          send({ op, id, question });
        } catch {
          awaited.delete(id);
          reject(failure("the kernel does not answer: run the cell again"));
        }
      }),
    tell: (state) => {
      if (ended === undefined) send({ op: "state", state });
    },
    hear: (said) => {
      if (said.id === undefined) {
        // What a page that has just opened receives: this one knows it.
        if (said.state !== undefined && said.view === undefined) {
          for (const take of states) take(Object(said.state));
        }
        return;
      }
      const waiting = awaited.get(String(said.id));
      if (waiting === undefined) return;
      awaited.delete(String(said.id));
      if (said.error !== undefined || said.skipped === true) waiting.reject(failure(String(said.error ?? ""), said));
      else waiting.resolve(said);
    },
    end: (reason) => {
      if (ended !== undefined) return;
      ended = reason;
      for (const { reject } of awaited.values()) reject(failure(reason));
      awaited.clear();
      for (const take of ends) take(reason);
    },
    onState: (take) => void states.push(take),
    onEnd: (take) => {
      ends.push(take);
      if (ended !== undefined) take(ended);
    },
  };
}
