/**
 * The kernel `Deno (seqreg)`: a proxy between a Jupyter front end and `deno jupyter`.
 *
 * It passes every message on unchanged and changes only when some of them go: printed lines stay under their own cell
 * (`output_order.ts`), Stop keeps the state (`interrupt.ts`), a cell that cannot be parsed says so, and after a cell
 * that failed the cells queued behind it are not run. Plain Deno, without packages, so that it starts at once.
 *
 * @module
 */
import { type ChildKernel, startChildKernel } from "./child_kernel.ts";
import { COMMANDS_KEY, LOOK_KEY, rewriteCommands } from "./code/cell_commands.ts";
import { makeStoppable } from "./code/stoppable_awaits.ts";
import { FIELDS_TYPE } from "./help/field_help.ts";
import { VALUES_TYPE } from "./help/field_values.ts";
import { Help } from "./help/help.ts";
import { installCommands } from "./inside/commands.ts";
import { installLooking } from "./inside/looking.ts";
import { installPrinting } from "./inside/printing.ts";
import { ALIVE_TYPE, Interrupt } from "./interrupt.ts";
import type { KernelFolder } from "./kernel_folder.ts";
import {
  type Channel,
  CHANNELS,
  type Connection,
  type JsonObject,
  type JupyterMessage,
  MessageWriter,
  parseMessage,
} from "./jupyter_message.ts";
import { INSTALL_MARKER, OutputOrder, PRINTED_KEY } from "./output_order.ts";
import { OwnRequests } from "./own_requests.ts";
import { LOOK_TYPE, Looks, readLook } from "./looks.ts";
import { PublishedStream } from "./published_stream.ts";
import { Link } from "./zmtp.ts";

/**
 * Runs the proxy until the real kernel ends.
 *
 * @param front The front end's connection file, as read.
 * @param folder The folder that the real kernel is started in; the notebook's own by default.
 * @returns The real kernel's exit code.
 */
export async function runProxy(front: Connection, folder?: KernelFolder): Promise<number> {
  // First of all: what listens keeps its ports, and a client that connects at once is heard when the kernel is up.
  const listeners = await listen(front);
  const child = await startChildKernel(front, folder?.path);
  const ends: readonly Deno.Signal[] = Deno.build.os === "windows" ? [] : ["SIGTERM", "SIGHUP"];
  for (const signal of ends) Deno.addSignalListener(signal, child.stop);
  try {
    const proxy = new Proxy(front.key, listeners, child, folder?.enter);
    await proxy.start();
    // The kernel has read it: what is not there cannot stay behind.
    child.cleanUp();
    const { code } = await child.process.status;
    proxy.end();
    return code;
  } finally {
    child.stop();
    child.cleanUp();
    folder?.remove();
  }
}

type Listeners = Readonly<Record<Channel, Deno.TcpListener>>;

/** Longest wait for a port that the front end chose and a passing connection of another program holds. */
const PORT_TIMEOUT_MS = 20_000;

/** Listens to the ports that the front end chose. */
async function listen({ ip, ports }: Connection): Promise<Listeners> {
  const deadline = performance.now() + PORT_TIMEOUT_MS;
  const open = async (channel: Channel): Promise<Deno.TcpListener> => {
    for (;;) {
      try {
        return Deno.listen({ hostname: ip, port: ports[channel] });
      } catch (cause) {
        if (!(cause instanceof Deno.errors.AddrInUse) || performance.now() > deadline) throw cause;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  };
  const opened = await Promise.all(CHANNELS.map(async (channel) => [channel, await open(channel)] as const));
  return Object.fromEntries(opened) as Record<Channel, Deno.TcpListener>;
}

/** Bytes that may wait for a front end that does not read. */
const MOST_UNWRITTEN_BYTES = 128 << 20;

/** Filters each message: `false` drops it, other bytes replace it. */
type Gate = (message: JupyterMessage, arrivedAt: number) => Promise<boolean | Uint8Array | void>;

class Proxy {
  readonly #listeners: Listeners;
  readonly #child: ChildKernel;
  readonly #firstCode: string;
  readonly #writer: MessageWriter;
  #looks!: Looks;
  #help!: Help;
  readonly #subscribers = new Set<Link>();
  #order!: OutputOrder;
  #interrupt!: Interrupt;
  #prepared!: Promise<void>;
  /** Ends when the cell that was asked for last ends: cells run one at a time. */
  #lastCell: Promise<void> = Promise.resolve();
  #waiting = 0;
  /** When a cell last failed: what was queued by then is not run. */
  #failedAt = 0;

  constructor(key: string, listeners: Listeners, child: ChildKernel, firstCode = "") {
    this.#firstCode = firstCode;
    this.#listeners = listeners;
    this.#child = child;
    this.#writer = new MessageWriter(key);
  }

  async start(): Promise<void> {
    const shell = await this.#child.dial("shell_port");
    await shell.handshake("DEALER");
    const own = new OwnRequests(shell, this.#writer);
    this.#interrupt = new Interrupt(own, {
      kill: () => this.#signal("SIGINT"),
      tell: (text) => this.#order.tell(text),
      cpuMs: this.#child.cpuMs,
    });
    this.#order = new OutputOrder({
      publish: (raw) => this.#publish(raw),
      own,
      writer: this.#writer,
      wasStopped: this.#interrupt.wasPressed,
      told: {
        [ALIVE_TYPE]: ({ content, parent }) => this.#interrupt.seeAlive(content.heard === true, String(parent.msg_id)),
        [FIELDS_TYPE]: ({ content }) => this.#help.fields.learn(content),
        [VALUES_TYPE]: ({ content }) => this.#looks.takeValues(content, this.#help.values),
        [LOOK_TYPE]: ({ content }) => {
          const look = readLook(content);
          this.#looks.take(look);
          return { ...this.#help.shown(look) };
        },
      },
    });
    this.#looks = new Looks(own, () => this.#waiting === 0);
    this.#help = new Help(this.#looks);
    await this.#followPublished();
    const tools =
      `(${installPrinting})("${PRINTED_KEY}"); (${installLooking})("${LOOK_TYPE}", "${LOOK_KEY}"); (${installCommands})("${COMMANDS_KEY}");`;
    this.#prepared = own.run(`${this.#firstCode} ${INSTALL_MARKER} ${END_WITH_PROXY}`).then(() => own.run(tools)).then(
      () => this.#interrupt.install(),
    ).catch(() => {});
    this.#servePublished();
    this.#serve("shell_port", (link) => this.#passShell(link));
    this.#serve("control_port", (link) => this.#passControl(link));
    this.#serve("stdin_port", (link) => this.#passUnchanged(link, "stdin_port"));
    this.#serve("hb_port", (link) => this.#passUnchanged(link, "hb_port"));
  }

  end(): void {
    this.#order.abandon();
  }

  #signal(signal: Deno.Signal): void {
    try {
      this.#child.process.kill(signal);
    } catch {
      // The kernel has gone.
    }
  }

  #publish(raw: Uint8Array): void {
    for (const link of this.#subscribers) {
      const drop = () => {
        this.#subscribers.delete(link);
        link.close();
      };
      // One front end that no longer reads must not fill the memory of all.
      if (link.unwritten > MOST_UNWRITTEN_BYTES) drop();
      else link.write(raw).catch(drop);
    }
  }

  /** Subscribes once to the kernel; every front end gets its messages from us. */
  async #followPublished(): Promise<void> {
    const link = await this.#child.dial("iopub_port");
    await link.handshake("SUB");
    await link.write(Uint8Array.of(0, 1, 1));
    const stream = new PublishedStream();
    (async () => {
      for (;;) {
        for (const { raw, parts } of stream.push(await link.readSome())) {
          if (parts.length > 0) this.#order.take(parseMessage(parts), raw);
        }
      }
    })().catch(() => {
      this.#order.abandon();
      // It has ended, or nothing that it says will be heard: then it must end, so that the front end starts another.
      this.#child.stop();
    });
  }

  #servePublished(): void {
    this.#serve("iopub_port", async (link) => {
      await link.handshake("PUB");
      try {
        // Front ends subscribe to everything: any message from them is that.
        for (;;) {
          await link.readMessage();
          this.#subscribers.add(link);
        }
      } finally {
        this.#subscribers.delete(link);
        link.close();
      }
    });
  }

  async #passShell(front: Link): Promise<void> {
    const kernel = await this.#child.dial("shell_port");
    const stopsOnError = new Set<string>();
    const unanswered = new Set<string>();
    const replies = pass(kernel, front, async (message) => {
      if (message.type === "complete_reply") {
        const { type, parent, header } = message;
        const content = await this.#help.explain(message.content, String(parent.msg_id));
        return this.#writer.write({ type, content, parent, header });
      }
      if (message.type !== "execute_reply") return;
      const request = String(message.parent.msg_id);
      unanswered.delete(request);
      if (stopsOnError.delete(request) && message.content.status === "error") this.#failedAt = performance.now();
      await this.#order.holdReply(message);
    });
    const requests = pass(front, kernel, async (message, arrivedAt) => {
      const help = await this.#help.answer(message);
      if (help !== undefined) {
        await this.#answer(message, help, front);
        return false;
      }
      if (message.type !== "execute_request") return;
      const before = this.#lastCell;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#lastCell = promise;
      this.#waiting++;
      const finish = () => {
        this.#waiting--;
        this.#interrupt.endCell();
        resolve();
      };
      await before;
      const stops = message.content.stop_on_error !== false;
      if (stops && this.#failedAt > arrivedAt) {
        // As other kernels do.
        await this.#answer(message, { status: "aborted" }, front);
        finish();
        return false;
      }
      await this.#prepared;
      await this.#interrupt.prepareCell(message.id);
      if (front.isClosed) {
        // The client has gone while other cells ran.
        finish();
        return false;
      }
      if (stops) stopsOnError.add(message.id);
      unanswered.add(message.id);
      const rewritten = await this.#rewrite(message);
      const code = String(message.content.code);
      const hints = await this.#help.forgottenAwaits(code);
      this.#order.begin(message, finish, { ...rewritten && { code }, ...hints !== undefined && { hints } });
      return rewritten;
    }, ({ id }) => this.#order.cancel(id));
    await Promise.all([replies, requests]);
    for (const request of unanswered) this.#order.loseReply(request);
  }

  /** The cell as the kernel runs it; `undefined` where it is run as it is. */
  async #rewrite({ header, content, parent }: JupyterMessage): Promise<Uint8Array | undefined> {
    if (typeof content.code !== "string") return undefined;
    this.#help.learnCell(content.code);
    const written = rewriteCommands(content.code, { declared: this.#help.ownNames });
    if (written !== content.code) await this.#help.prepare();
    const code = makeStoppable(written);
    if (code === content.code) return undefined;
    return this.#writer.write({ type: "execute_request", content: { ...content, code }, parent, header });
  }

  /** Answers a request instead of the real kernel. */
  async #answer(request: JupyterMessage, content: JsonObject, front: Link): Promise<void> {
    const status = (state: string) =>
      this.#publish(
        this.#writer.write({ type: "status", content: { execution_state: state }, parent: request.header }),
      );
    status("busy");
    const type = request.type.replace("_request", "_reply");
    await front.write(this.#writer.write({ type, content, parent: request.header }));
    status("idle");
  }

  async #passControl(front: Link): Promise<void> {
    const kernel = await this.#child.dial("control_port");
    const replies = pass(kernel, front);
    const requests = pass(front, kernel, async (message) => {
      if (message.type !== "interrupt_request") return;
      if (!await this.#interrupt.press(this.#lastCell, () => this.#waiting > 0)) return;
      await front.write(
        this.#writer.write({ type: "interrupt_reply", content: { status: "ok" }, parent: message.header }),
      );
      return false;
    });
    await Promise.all([replies, requests]);
  }

  /**
   * Passes a channel on as it is, its handshake too: a request for input is sent to the stdin socket that has the same
   * ZMTP identity as the shell socket that asked, so each front end's own identities must reach the kernel. A client
   * that leaves them out, or opens its stdin socket after the cell has asked, gets no request; jupyter_client does
   * neither.
   */
  async #passUnchanged(front: Link, channel: Channel): Promise<void> {
    const kernel = await this.#child.dial(channel);
    await Promise.all([pass(kernel, front), pass(front, kernel)]);
  }

  #serve(channel: Channel, take: (link: Link) => Promise<void>): void {
    (async () => {
      for await (const connection of this.#listeners[channel]) take(new Link(connection)).catch(() => {});
    })();
  }
}

/** A kernel whose proxy was killed ends too. */
const END_WITH_PROXY = `{
  const { ppid, exit, unrefTimer } = Deno;
  unrefTimer(setInterval(() => { if (Deno.ppid !== ppid) exit(1); }, 2000));
}`;

/** Forwards one direction of a channel, messages in order, while reading continues. */
async function pass(from: Link, to: Link, gate?: Gate, onLost?: (message: JupyterMessage) => void): Promise<void> {
  let line: Promise<void> = Promise.resolve();
  try {
    await to.write(await from.readGreeting());
    for (;;) {
      const { raw, parts } = await from.readMessage();
      const arrivedAt = performance.now();
      const message = gate !== undefined && parts.length > 0 ? parseMessage(parts) : undefined;
      line = line.then(async () => {
        const passed = message === undefined ? undefined : await gate?.(message, arrivedAt);
        if (passed !== false) await to.write(passed instanceof Uint8Array ? passed : raw);
      }).catch(() => {
        if (message !== undefined) onLost?.(message);
      });
    }
  } catch {
    // One side has gone: the other goes too.
  } finally {
    from.close();
    to.close();
  }
}
