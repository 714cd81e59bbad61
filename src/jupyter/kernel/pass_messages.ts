/** One direction of a channel: messages from one side are written to the other, in order. */
import { type JupyterMessage, parseMessage } from "./jupyter_message.ts";
import { within } from "./within.ts";
import type { Link } from "./zmtp.ts";

/** How long messages that are held back may still take when their sender has gone. */
const LAST_MESSAGES_MS = 1000;

/** What is done with messages on their way. */
export interface Passing {
  /**
   * Receives each message when it arrives, while messages before it may still be held back; `true` takes it out of the
   * line.
   */
  readonly arrive?: (message: JupyterMessage) => true | void;
  /** Decides on each message when its turn has come: `false` drops it, other bytes replace it. */
  readonly gate?: (message: JupyterMessage, arrivedAt: number) => Promise<boolean | Uint8Array | void>;
  readonly passed?: (message: JupyterMessage) => void;
  /** Receives a message that was not passed on because the gate or the other side failed. */
  readonly lost?: (message: JupyterMessage, cause: unknown) => void;
  /** The sender has gone; the receiver's connection is closed when this ends. */
  readonly end?: () => Promise<void>;
}

/** Passes messages on until one side has gone; then the other side's connection is closed too. */
export async function passMessages(from: Link, to: Link, passing: Passing = {}): Promise<void> {
  const { arrive, gate, passed, lost, end } = passing;
  let line: Promise<void> = Promise.resolve();
  try {
    await to.write(await from.readGreeting());
    for (;;) {
      const { raw, parts } = await from.readMessage();
      const arrivedAt = performance.now();
      const message = gate !== undefined && parts.length > 0 ? parseMessage(parts) : undefined;
      if (message !== undefined && arrive?.(message) === true) continue;
      line = line.then(async () => {
        const decided = message === undefined ? undefined : await gate?.(message, arrivedAt);
        if (decided === false) return;
        await to.write(decided instanceof Uint8Array ? decided : raw);
        if (message !== undefined) passed?.(message);
      }).catch((cause) => {
        if (message !== undefined) lost?.(message, cause);
      });
    }
  } catch {
    // One side has gone: the other goes too.
  } finally {
    if (end !== undefined) {
      await within(line, LAST_MESSAGES_MS);
      await end();
    }
    from.close();
    to.close();
  }
}
