/**
 * The kernel `Deno (seqreg)`: a proxy between a Jupyter front end and `deno jupyter`.
 *
 * It passes every message on unchanged and changes only when some of them go: printed lines stay under their own cell
 * (`output_order.ts`), Stop keeps the state (`interrupt.ts`), a cell that cannot be parsed says so, and after a cell
 * that failed the cells queued behind it are not run. Of packages it loads two readers of code, each one
 * module, so that it starts at once.
 */
import type { ChildKernel } from "./child_kernel.ts";
import { rewriteCommands } from "./code/cell_commands.ts";
import { keepValues } from "./code/kept_values.ts";
import { makeStoppable } from "./code/stoppable_awaits.ts";
import { joinTimes } from "./code/timed_statements.ts";
import { FIELDS_TYPE } from "./help/field_help.ts";
import { VALUES_TYPE } from "./help/field_values.ts";
import { Help } from "./help/help.ts";
import { ALIVE_TYPE, Interrupt } from "./interrupt.ts";
import { type Channel, type JupyterMessage, MessageWriter, parseMessage } from "./jupyter_message.ts";
import { FIRST_CODE, TOOLS_CODE } from "./kernel_code.ts";
import { LIVE_TYPE, LiveViews } from "./live/live_views.ts";
import { OutputOrder } from "./output_order.ts";
import { endOfKernel, OpenRequests } from "./open_requests.ts";
import { OwnRequests } from "./own_requests.ts";
import { LOOK_TYPE, Looks, readLook } from "./looks.ts";
import { passMessages } from "./pass_messages.ts";
import { PublishedStream } from "./published_stream.ts";
import { within } from "./within.ts";
import { Link } from "./zmtp.ts";

export type Listeners = Readonly<Record<Channel, Deno.TcpListener>>;

/** Bytes that may wait for a front end that does not read. */
const MOST_UNWRITTEN_BYTES = 128 << 20;

/** How long the kernel's process may take to end after it has closed a connection. */
const STATUS_MS = 1000;
/** Longest wait for answers to be written when the kernel has ended. */
const FLUSH_MS = 2000;
/** Longest wait for the kernel to install what the first cell needs. */
const PREPARE_MS = 30_000;

/** What the proxy works with. */
interface ProxyOptions {
  /** Key that messages are signed with. */
  readonly key: string;
  readonly listeners: Listeners;
  readonly child: ChildKernel;
  readonly firstCode?: string;
  /** The program that reads live tables; without it pages get an error. */
  readonly tables?: URL;
  /** How long the kernel may keep silent on a request; 5 s by default. */
  readonly patienceMs?: number;
}

/** Passes messages between front ends and one real kernel. */
export class KernelProxy {
  readonly #options: ProxyOptions;
  readonly #child: ChildKernel;
  readonly #writer: MessageWriter;
  readonly #live: LiveViews;
  #own!: OwnRequests;
  #looks!: Looks;
  #help!: Help;
  readonly #subscribers = new Set<Link>();
  readonly #links = new Set<Link>();
  #order!: OutputOrder;
  #requests!: OpenRequests;
  #interrupt!: Interrupt;
  #prepared!: Promise<unknown>;
  /** Ends when the cell that was asked for last ends: cells run one at a time. */
  #lastCell: Promise<void> = Promise.resolve();
  #waiting = 0;
  /** When a cell last failed: what was queued by then is not run. */
  #failedAt = 0;

  constructor(options: ProxyOptions) {
    this.#options = options;
    this.#child = options.child;
    this.#writer = new MessageWriter(options.key);
    this.#live = new LiveViews({
      publish: (raw) => this.#publish(raw),
      writer: this.#writer,
      program: options.tables,
      running: () => this.#order.running,
    });
  }

  async start(): Promise<void> {
    const shell = await this.#child.dial("shell_port");
    await shell.handshake("DEALER");
    const own = this.#own = new OwnRequests(shell, this.#writer);
    this.#interrupt = new Interrupt(own, {
      signal: (signal) => this.#signal(signal),
      tell: (text) => this.#order.tell(text),
      cpuMs: this.#child.cpuMs,
    });
    this.#requests = new OpenRequests({
      writer: this.#writer,
      publish: (raw) => this.#publish(raw),
      isAnswering: () => own.run(""),
      runningCell: () => this.#order.running,
      patienceMs: this.#options.patienceMs,
    });
    this.#order = new OutputOrder({
      publish: (raw) => this.#publish(raw),
      own,
      writer: this.#writer,
      requests: this.#requests,
      patienceMs: this.#options.patienceMs,
      wasStopped: this.#interrupt.wasPressed,
      adviseOn: (failure) => this.#help.adviseOn(failure),
      told: {
        [ALIVE_TYPE]: ({ content, parent }) => this.#interrupt.seeAlive(content.heard === true, String(parent.msg_id)),
        [LIVE_TYPE]: (message) => this.#live.learn(message),
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
    const prepared = own.run(`${this.#options.firstCode ?? ""} ${FIRST_CODE}`).then(() => own.run(TOOLS_CODE)).then(
      () => this.#interrupt.install(),
    ).catch(() => {});
    this.#prepared = within(prepared, PREPARE_MS);
    this.#servePublished();
    this.#serve("shell_port", (link) => this.#passShell(link));
    this.#serve("control_port", (link) => this.#passControl(link));
    this.#serve("stdin_port", (link) => this.#passUnchanged(link, "stdin_port"));
    this.#serve("hb_port", (link) => this.#passUnchanged(link, "hb_port"));
  }

  /** The kernel has ended: everybody who waits for it gets an answer. */
  async end(status: Deno.CommandStatus): Promise<void> {
    this.#live.end();
    this.#order.abandon();
    this.#requests.end(endOfKernel(status));
    await within(Promise.all([...this.#links].map((link) => link.flush())), FLUSH_MS);
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
    const replies = passMessages(kernel, front, {
      gate: async (message) => {
        const { type, content, parent, header } = message;
        const request = String(parent.msg_id);
        if (type === "execute_reply") {
          unanswered.delete(request);
          if (stopsOnError.delete(request) && content.status === "error") this.#failedAt = performance.now();
          await this.#order.holdReply(message);
        }
        if (!this.#requests.takeReply(parent)) return false;
        if (type !== "complete_reply") return;
        // A completion that cannot be explained is passed on as it is.
        const explained = await this.#help.explain(content, request).catch(() => undefined);
        return explained && this.#writer.write({ type, content: explained, parent, header });
      },
      passed: (message) => this.#requests.endReply(message),
      end: () => this.#endFront(front),
    });
    const requests = passMessages(front, kernel, {
      arrive: (message) => {
        // What a page asks about a live table waits for no cell.
        if (this.#live.take(message, (raw) => front.write(raw))) return true;
        this.#requests.take(message, front);
      },
      gate: async (message, arrivedAt) => {
        if (!this.#requests.isWanted(message)) return false;
        // Where help fails the real kernel answers.
        const help = await this.#help.answer(message).catch(() => undefined);
        if (help !== undefined) {
          this.#requests.answer(message.id, help);
          return false;
        }
        if (message.type !== "execute_request") return;
        const cell = await this.#beginCell(message, arrivedAt, front);
        if (cell !== false) {
          if (message.content.stop_on_error !== false) stopsOnError.add(message.id);
          unanswered.add(message.id);
        }
        return cell;
      },
      passed: (message) => {
        const isCell = message.type === "execute_request";
        if (isCell) this.#interrupt.beginCell();
        this.#requests.watch(message, isCell ? () => this.#order.giveUp(message.id) : undefined);
      },
      lost: (message, cause) => this.#lose(message, cause),
    });
    await Promise.all([replies, requests]);
    for (const request of unanswered) this.#order.loseReply(request);
  }

  /**
   * Waits until the cells before a cell are over, and prepares it.
   *
   * @returns What the kernel runs instead; `undefined` for the cell as it is, `false` if it is not to be run.
   */
  async #beginCell(message: JupyterMessage, arrivedAt: number, front: Link): Promise<Uint8Array | false | undefined> {
    const before = this.#lastCell;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#lastCell = promise;
    this.#waiting++;
    let isOver = false;
    const finish = () => {
      if (isOver) return;
      isOver = true;
      this.#waiting--;
      this.#interrupt.endCell();
      resolve();
    };
    try {
      await before;
      if (message.content.stop_on_error !== false && this.#failedAt > arrivedAt) {
        // As other kernels do.
        this.#requests.answer(message.id, { status: "aborted" });
      }
      // The client may have gone while other cells ran, or the kernel ended.
      if (front.isClosed || !this.#requests.isWanted(message)) {
        finish();
        return false;
      }
      await this.#prepared;
      await this.#interrupt.prepareCell(message.id);
      this.#live.beginCell(message);
      const seen = this.#live.tellSeen();
      if (seen !== undefined) await this.#own.run(seen).catch(() => {});
      // A cell that cannot be taken apart is run as it is.
      const rewritten = await this.#rewrite(message).catch(() => undefined);
      const code = String(message.content.code);
      const { source = code, raw } = rewritten ?? {};
      const hints = await this.#help.hintsOn(source).catch(() => undefined);
      this.#order.begin(message, finish, { source, ...raw && { code }, ...hints !== undefined && { hints } });
      return raw;
    } catch (cause) {
      finish();
      throw cause;
    }
  }

  /** The kernel has closed a connection of a front end, or the front end has gone. */
  async #endFront(front: Link): Promise<void> {
    if (front.isClosed) return this.#requests.leave(front);
    const status = await within(this.#child.process.status, STATUS_MS);
    this.#requests.end(endOfKernel(status), front);
    await within(front.flush(), FLUSH_MS);
  }

  /** A request did not reach the kernel. */
  #lose({ id }: JupyterMessage, cause: unknown): void {
    this.#order.cancel(id);
    this.#requests.fail(id, { ename: "NotRun", evalue: `the kernel did not receive this request: ${cause}` });
  }

  /** The cell with its commands as code, and as the kernel runs it where that is not how it was written. */
  async #rewrite(
    { header, content, parent }: JupyterMessage,
  ): Promise<{ source: string; raw?: Uint8Array } | undefined> {
    if (typeof content.code !== "string") return undefined;
    const { ownNames: declared, hasHelp } = this.#help;
    const source = rewriteCommands(content.code, { declared, hasHelp });
    this.#help.learnCell(source);
    if (source !== content.code) await this.#help.prepare();
    const code = keepValues(makeStoppable(joinTimes(source)));
    if (code === content.code) return { source };
    const raw = this.#writer.write({ type: "execute_request", content: { ...content, code }, parent, header });
    return { source, raw };
  }

  async #passControl(front: Link): Promise<void> {
    const kernel = await this.#child.dial("control_port");
    const replies = passMessages(kernel, front, {
      gate: ({ parent }) => Promise.resolve(this.#requests.takeReply(parent)),
      passed: (message) => this.#requests.endReply(message),
      end: () => this.#endFront(front),
    });
    const requests = passMessages(front, kernel, {
      arrive: (message) => this.#requests.take(message, front, "control"),
      gate: async (message) => {
        if (!this.#requests.isWanted(message)) return false;
        if (message.type !== "interrupt_request") return;
        if (!await this.#interrupt.press(this.#lastCell, () => this.#waiting > 0)) return;
        this.#requests.answer(message.id, { status: "ok" });
        return false;
      },
      passed: (message) => this.#requests.watch(message),
      lost: (message, cause) => this.#lose(message, cause),
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
    await Promise.all([passMessages(kernel, front), passMessages(front, kernel)]);
  }

  async #takeLink(link: Link, take: (link: Link) => Promise<void>): Promise<void> {
    this.#links.add(link);
    try {
      await take(link);
    } catch {
      // A client that is not served must see that it is not.
      link.close();
    } finally {
      this.#links.delete(link);
    }
  }

  #serve(channel: Channel, take: (link: Link) => Promise<void>): void {
    (async () => {
      for await (const connection of this.#options.listeners[channel]) this.#takeLink(new Link(connection), take);
    })();
  }
}
