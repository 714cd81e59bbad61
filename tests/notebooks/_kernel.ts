/** A real Deno kernel, started cold, that runs cells one after another. */
import { writeConnectionFile } from "./_connection_file.ts";
import { type CellOutput, collect, composeMessage, type Message, objectOf, parse } from "./_kernel_messages.ts";
import { within, ZmtpSocket } from "./_zmtp.ts";

export interface CellRun {
  readonly outputs: readonly CellOutput[];
  /** Status of the reply: `ok`, `error`, or `aborted` for a cell that was not run. */
  readonly status: string;
}

/** How a kernel is started. */
export interface KernelOptions {
  /** Folder that relative imports and paths of the cells start from. */
  readonly folder: URL;
  /** Environment variables besides the process's own. */
  readonly env?: Readonly<Record<string, string>>;
  /** Arguments of Deno that start the kernel, before the path of the connection file; the stock kernel by default. */
  readonly args?: readonly string[];
  /** Connection file of an earlier kernel, which this one takes the place of; one of its own by default. */
  readonly connectionFile?: string;
  /** Where what the kernel writes to its standard error goes; nowhere by default. */
  readonly stderr?: "inherit" | "null";
}

/** Starts our own kernel instead of the stock one. */
export const OWN_KERNEL: readonly string[] = [
  "run",
  "--allow-all",
  "--config",
  new URL("../../deno.json", import.meta.url).pathname,
  new URL("../../src/jupyter/kernel/main.ts", import.meta.url).pathname,
];

/** Times that a start is tried. */
const START_TRIES = 3;

/** The stock kernel prints after it has said that it is idle: a cell is over when nothing more came for this long. */
const QUIET_MS = 200;

/** A loaded machine may start a kernel slowly. */
const START_TIMEOUT_MS = 60_000;

/** Longest wait for an answer that does not depend on a cell. */
const ANSWER_TIMEOUT_MS = 120_000;

/** Messages that are kept to be looked for. */
const MOST_SEEN = 1000;

/** What is known of a kernel's process and channels. */
interface Channels {
  readonly process: Deno.ChildProcess;
  readonly key: string;
  readonly shell: ZmtpSocket;
  readonly published: ZmtpSocket;
  readonly control: ZmtpSocket;
  readonly stdin: ZmtpSocket;
  readonly connectionFile: string;
  readonly quietMs: number;
  /** Whether the kernel ends with this client. */
  readonly owned: boolean;
}

/** A running kernel; leaving its scope ends it. */
export class Kernel implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;
  readonly #key: string;
  readonly #shell: ZmtpSocket;
  readonly #published: ZmtpSocket;
  readonly #control: ZmtpSocket;
  readonly #stdin: ZmtpSocket;
  readonly #connectionFile: string;
  readonly #quietMs: number;
  readonly #owned: boolean;
  readonly #queue: Message[] = [];
  readonly #seen: Message[] = [];
  #wake: () => void = () => {};
  #closed = false;

  private constructor(channels: Channels) {
    this.#process = channels.process;
    this.#key = channels.key;
    this.#shell = channels.shell;
    this.#published = channels.published;
    this.#control = channels.control;
    this.#stdin = channels.stdin;
    this.#connectionFile = channels.connectionFile;
    this.#quietMs = channels.quietMs;
    this.#owned = channels.owned;
    this.#listen();
  }

  /** Path of the connection file, for clients besides this one. */
  get connectionFile(): string {
    return this.#connectionFile;
  }

  /** The kernel's process, for tests that end it. */
  get process(): Deno.ChildProcess {
    return this.#process;
  }

  /** Starts a kernel and waits until it answers; again with other ports where another program took one meanwhile. */
  static async start(options: KernelOptions): Promise<Kernel> {
    for (let tries = 1;; tries++) {
      const connectionFile = options.connectionFile ?? await writeConnectionFile();
      const process = new Deno.Command(Deno.execPath(), {
        args: [...options.args ?? ["jupyter", "--kernel", "--conn"], connectionFile],
        cwd: options.folder,
        env: { NO_COLOR: "1", ...options.env },
        stdout: "null",
        stderr: options.stderr ?? "null",
      }).spawn();
      const quietMs = options.args === undefined ? QUIET_MS : 0;
      const ended = process.status.then(({ code }): Kernel => {
        throw new Error(`the kernel ended with exit code ${code} before it answered`);
      });
      ended.catch(() => {});
      const connected = Kernel.#connect({ process, connectionFile, quietMs, owned: true });
      connected.catch(() => {});
      try {
        return await Promise.race([connected, ended]);
      } catch (cause) {
        try {
          process.kill("SIGKILL");
        } catch {
          // It ended before.
        }
        if (options.connectionFile !== undefined) throw cause;
        await Deno.remove(connectionFile);
        if (tries === START_TRIES) throw cause;
      }
    }
  }

  /** Connects one more client to a kernel that runs; leaving its scope leaves the kernel alone. */
  static async join(other: Kernel): Promise<Kernel> {
    const { process, connectionFile } = other;
    return await Kernel.#connect({ process, connectionFile, quietMs: other.#quietMs, owned: false });
  }

  static async #connect(
    known: Pick<Channels, "process" | "connectionFile" | "quietMs" | "owned">,
  ): Promise<Kernel> {
    const file = objectOf(JSON.parse(await Deno.readTextFile(known.connectionFile)));
    const deadlineMs = Date.now() + START_TIMEOUT_MS;
    // A request for input goes to the client's socket that has the name of the one that asked to run the cell.
    const identity = crypto.randomUUID();
    const kernel = new Kernel({
      ...known,
      key: String(file.key),
      shell: await ZmtpSocket.open(Number(file.shell_port), "DEALER", deadlineMs, identity),
      published: await ZmtpSocket.open(Number(file.iopub_port), "SUB", deadlineMs),
      control: await ZmtpSocket.open(Number(file.control_port), "DEALER", deadlineMs, identity),
      stdin: await ZmtpSocket.open(Number(file.stdin_port), "DEALER", deadlineMs, identity),
    });
    await kernel.#untilHeard(deadlineMs);
    return kernel;
  }

  /** Runs one cell and gives what it put out, in order; updates of a display replace what they update. */
  async run(code: string, timeoutMs: number): Promise<readonly CellOutput[]> {
    return (await this.runAll([code], timeoutMs))[0].outputs;
  }

  /** Asks for all cells at once, as "Run All" does, and gives what each put out under its own name. */
  async runAll(codes: readonly string[], timeoutMs: number, input?: string): Promise<CellRun[]> {
    const cells = new Map<
      string,
      { outputs: CellOutput[]; displays: Map<string, number>; status: string; idle: boolean }
    >();
    for (const code of codes) {
      const request = composeMessage(this.#key, "execute_request", {
        code,
        silent: false,
        store_history: true,
        user_expressions: {},
        allow_stdin: input !== undefined,
        stop_on_error: true,
      });
      cells.set(request.id, { outputs: [], displays: new Map(), status: "none", idle: false });
      await this.#shell.send(request.frames);
    }
    const answering = input === undefined ? undefined : this.#answerInput(input);
    const replying = (async () => {
      for (let count = 0; count < cells.size; count++) {
        const reply = parse(await this.#shell.receive(timeoutMs));
        const cell = cells.get(String(reply.parentId));
        if (cell !== undefined) cell.status = String(reply.content.status);
      }
    })();
    // Where the wait below fails first, that failure is the one to tell.
    replying.catch(() => {});
    answering?.catch(() => {});
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const over = [...cells.values()].every(({ idle }) => idle);
      if (over && this.#quietMs === 0) break;
      const message = await this.#next(over ? this.#quietMs : Math.max(1, deadline - Date.now()));
      if (message === undefined && over) break;
      if (message === undefined && this.#closed) throw new Error("the kernel ended while a cell was running");
      if (message === undefined) throw new Error(`the cells did not end within ${timeoutMs} ms`);
      // The stock kernel prints late and under another name: run one at a time, all belongs to the one cell.
      const cell = cells.get(String(message.parentId)) ??
        (this.#quietMs > 0 && cells.size === 1 ? [...cells.values()][0] : undefined);
      if (cell === undefined) continue;
      if (message.type === "status") {
        if (cells.has(String(message.parentId)) && message.content.execution_state === "idle") cell.idle = true;
      } else if (!cell.idle || this.#quietMs > 0) collect(message, cell.outputs, cell.displays);
    }
    await replying;
    await answering;
    return [...cells.values()].map(({ outputs, status }) => ({ outputs, status }));
  }

  /** Asks for completions, what a name means, or the like; gives what the reply says. */
  async ask(
    type: "complete_request" | "inspect_request" | "kernel_info_request" | "comm_info_request",
    code = "",
  ): Promise<Readonly<Record<string, unknown>>> {
    await this.#shell.send(
      composeMessage(this.#key, type, { code, cursor_pos: [...code].length, detail_level: 0 }).frames,
    );
    return parse(await this.#shell.receive(ANSWER_TIMEOUT_MS)).content;
  }

  /** Presses Stop; ends when the kernel has answered. */
  async interrupt(): Promise<void> {
    await this.#control.send(composeMessage(this.#key, "interrupt_request", {}).frames);
    await this.#control.receive(ANSWER_TIMEOUT_MS);
  }

  /** Waits until a running cell prints a text. */
  async untilPrinted(text: string, timeoutMs: number): Promise<void> {
    await this.#untilSeen(({ content }) => String(content.text ?? "").includes(text), text, timeoutMs);
  }

  /** Waits until a running cell shows a display whose HTML holds a text. */
  async untilShown(html: string, timeoutMs: number): Promise<void> {
    await this.#untilSeen(
      ({ content }) => String(objectOf(content.data)["text/html"] ?? "").includes(html),
      html,
      timeoutMs,
    );
  }

  async #untilSeen(isIt: (message: Message) => boolean, what: string, timeoutMs: number): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    while (!this.#seen.some(isIt)) {
      if (Date.now() > deadline) throw new Error(`${JSON.stringify(what)} did not come within ${timeoutMs} ms`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async #answerInput(value: string): Promise<void> {
    const request = parse(await this.#stdin.receive(ANSWER_TIMEOUT_MS));
    if (request.type !== "input_request") throw new Error(`expected a request for input, got ${request.type}`);
    await this.#stdin.send(composeMessage(this.#key, "input_reply", { status: "ok", value }).frames);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.leave();
    if (!this.#owned) return;
    try {
      this.#process.kill("SIGKILL");
    } catch {
      // It ended before.
    }
    await this.#process.status;
    await Deno.remove(this.#connectionFile).catch(() => {});
  }

  /** Closes all connections at once, as a client that is cut off does; the kernel goes on. */
  leave(): void {
    for (const socket of [this.#shell, this.#published, this.#control, this.#stdin]) socket[Symbol.dispose]();
  }

  /** Sends a message over the shell channel, waits for nothing, and gives the message's name. */
  async say(type: string, content: Readonly<Record<string, unknown>>): Promise<string> {
    const { id, frames } = composeMessage(this.#key, type, content);
    await this.#shell.send(frames);
    return id;
  }

  /** Waits for a published message of a type whose content is as wanted; gives its content. */
  async untilSaid(
    type: string,
    isIt: (content: Readonly<Record<string, unknown>>) => boolean,
    timeoutMs: number,
  ): Promise<Readonly<Record<string, unknown>>> {
    const isWanted = (message: Message) => message.type === type && isIt(message.content);
    await this.#untilSeen(isWanted, type, timeoutMs);
    return this.#seen.findLast(isWanted)?.content ?? {};
  }

  /** The published messages that have come, of those that are kept. */
  get heard(): readonly Message[] {
    return this.#seen;
  }

  /** Contents of those of a type. */
  said(type: string): readonly Readonly<Record<string, unknown>>[] {
    return this.#seen.filter((message) => message.type === type).map(({ content }) => content);
  }

  /** Asks for a cell to be run and waits for nothing. */
  async send(code: string): Promise<void> {
    const content = { code, silent: false, store_history: true, user_expressions: {}, allow_stdin: false };
    await this.#shell.send(composeMessage(this.#key, "execute_request", content).frames);
  }

  /** Asks the kernel to end, as a front end does before it starts it again; ends when the process has. */
  async shutDown(): Promise<void> {
    await this.#control.send(composeMessage(this.#key, "shutdown_request", { restart: true }).frames);
    await within(this.#process.status, ANSWER_TIMEOUT_MS, "the end of the kernel");
  }

  async #listen(): Promise<void> {
    try {
      for (;;) {
        const message = parse(await this.#published.receive());
        this.#queue.push(message);
        // Also those that a run in progress takes from the queue.
        if (this.#seen.push(message) > MOST_SEEN) this.#seen.shift();
        this.#wake();
      }
    } catch {
      // The connection ends with the kernel.
      this.#closed = true;
      this.#wake();
    }
  }

  /** A subscription takes effect after a while: asks until an answer is heard on the published side. */
  async #untilHeard(deadlineMs: number): Promise<void> {
    while (Date.now() < deadlineMs) {
      const request = composeMessage(this.#key, "kernel_info_request", {});
      await this.#shell.send(request.frames);
      await this.#shell.receive(Math.max(1, deadlineMs - Date.now()));
      for (let message = await this.#next(100); message !== undefined; message = await this.#next(100)) {
        if (message.parentId === request.id && message.content.execution_state === "idle") return;
      }
    }
    throw new Error("the kernel was not heard within its time");
  }

  #next(timeoutMs: number): Promise<Message | undefined> {
    if (this.#queue.length > 0 || this.#closed) return Promise.resolve(this.#queue.shift());
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#wake = () => {};
        resolve(undefined);
      }, timeoutMs);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = () => {};
        resolve(this.#queue.shift());
      };
    });
  }
}
