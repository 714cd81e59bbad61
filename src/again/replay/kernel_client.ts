/** A kernel that is started for one notebook, and runs its cells one after another. */
import { messageOf, RegistryError } from "@seqreg/core/errors";
import { makeTempFile } from "@seqreg/core/io/files/temp_path";
import { CHANNELS, type JupyterMessage, MessageWriter, parseMessage } from "@seqreg/jupyter/kernel/jupyter_message";
import { within } from "@seqreg/jupyter/kernel/within";
import { Link } from "@seqreg/jupyter/kernel/zmtp";
import { CellOutputs, type Displays } from "./_cell_outputs.ts";
import type { CellOutput } from "./notebook_file.ts";

export interface KernelClientOptions {
  /** The command that starts it, with `{connection_file}` among its arguments. */
  readonly command: readonly string[];
  readonly folder: string;
  /** Environment variables in addition to the process's own. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends the kernel with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Longest wait for a kernel to start. */
const START_MS = 60_000;
/** Time between two attempts to connect, in ms. */
const RETRY_MS = 25;
/** Time after which an unconfirmed subscription is requested again, in ms. */
const HEARD_MS = 500;
/** Longest wait for the end of the kernel's process after it was asked to end. */
const END_MS = 5000;

/** A kernel that runs. Leaving its scope ends it. */
export class KernelClient implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;
  readonly #connectionFile: string;
  readonly #writer: MessageWriter;
  readonly #signal: AbortSignal | undefined;
  #shell!: Link;
  #published!: Link;
  readonly #queue: JupyterMessage[] = [];
  readonly #displays: Displays = new Map();
  #wake: () => void = () => {};
  #ended = false;

  private constructor(process: Deno.ChildProcess, connectionFile: string, key: string, signal?: AbortSignal) {
    this.#process = process;
    this.#connectionFile = connectionFile;
    this.#writer = new MessageWriter(key);
    this.#signal = signal;
    // A read of a closed connection fails, which ends what waits for it.
    process.status.then(() => this.#close());
    signal?.addEventListener("abort", this.#kill, { once: true });
  }

  /** Starts a kernel and waits until it answers. @throws {RegistryError} With code `disk` if it does not start. */
  static async start({ command, folder, env, signal }: KernelClientOptions): Promise<KernelClient> {
    signal?.throwIfAborted();
    const key = crypto.randomUUID();
    const ports = freePorts();
    const connectionFile = await makeTempFile({ prefix: "seqreg-replay-", suffix: ".json" });
    const content = { transport: "tcp", ip: "127.0.0.1", signature_scheme: "hmac-sha256", key, ...ports };
    await Deno.chmod(connectionFile, 0o600).catch(() => {});
    await Deno.writeTextFile(connectionFile, JSON.stringify(content));
    const [program, ...args] = command.map((part) => part.replace("{connection_file}", () => connectionFile));
    let client: KernelClient | undefined;
    try {
      const process = new Deno.Command(program, {
        args,
        cwd: folder,
        // A kernel ends when the process that this names has been killed, as those of Jupyter do.
        env: { ...env, JPY_PARENT_PID: String(Deno.pid) },
        stdin: "null",
        stdout: "null",
      }).spawn();
      client = new KernelClient(process, connectionFile, key, signal);
      // From here on the signal ends the process; before, nothing listened to it.
      signal?.throwIfAborted();
      await client.#connect(ports);
      return client;
    } catch (cause) {
      if (client === undefined) await Deno.remove(connectionFile);
      else await client[Symbol.asyncDispose]();
      signal?.throwIfAborted();
      throw new RegistryError(
        "disk",
        `Cannot start a kernel for the notebook: ${messageOf(cause)}; see seqreg doctor`,
        {
          cause,
        },
      );
    }
  }

  /** Runs one cell; returns its outputs, as a notebook keeps them. Cells that run later may update its displays. */
  async run(code: string): Promise<readonly CellOutput[]> {
    const content = {
      code,
      silent: false,
      store_history: true,
      user_expressions: {},
      allow_stdin: false,
      stop_on_error: true,
    };
    const id = await this.#ask("execute_request", content);
    const cell = new CellOutputs(this.#displays);
    try {
      for (;;) {
        const message = await this.#next();
        if (message.parent.msg_id !== id) continue;
        if (message.type === "status" && message.content.execution_state === "idle") break;
        cell.add(message);
      }
      // The reply is read so that it is not mistaken for the next cell's.
      await this.#reply(id);
    } catch (cause) {
      this.#signal?.throwIfAborted();
      throw new RegistryError("disk", `Cannot run the notebook to its end: the kernel ended; replay it again`, {
        cause,
      });
    }
    return cell.outputs;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#signal?.removeEventListener("abort", this.#kill);
    this.#kill();
    if (await within(this.#process.status, END_MS) === undefined) this.#process.kill("SIGKILL");
    await this.#process.status;
    this.#close();
    await Deno.remove(this.#connectionFile).catch(() => {});
  }

  readonly #kill = (): void => {
    try {
      this.#process.kill("SIGTERM");
    } catch {
      // It has ended.
    }
  };

  #close(): void {
    this.#ended = true;
    this.#shell?.close();
    this.#published?.close();
    this.#wake();
  }

  async #connect(ports: Readonly<Record<string, number>>): Promise<void> {
    const deadline = performance.now() + START_MS;
    this.#shell = await this.#dial(ports.shell_port, deadline);
    await this.#shell.handshake("DEALER");
    this.#published = await this.#dial(ports.iopub_port, deadline);
    await this.#published.handshake("SUB");
    // A message of one part, 0x01, subscribes to everything.
    await this.#published.write(Uint8Array.of(0, 1, 1));
    const heard = new Promise<true>((resolve) => this.#listen(() => resolve(true)));
    // A subscription takes effect after a while: asks until an answer is heard on the published side.
    while (performance.now() < deadline) {
      const id = await this.#ask("kernel_info_request", {});
      if (await within(this.#reply(id), deadline - performance.now()) === undefined) break;
      if (await within(heard, HEARD_MS)) return;
    }
    throw new Error("it did not answer in time");
  }

  /** Gathers what is published, until the connection ends. */
  async #listen(onFirst: () => void): Promise<void> {
    try {
      for (;;) {
        const message = parseMessage((await this.#published.readMessage()).parts);
        if (message === undefined) continue;
        onFirst();
        this.#queue.push(message);
        this.#wake();
      }
    } catch {
      // The connection ends with the kernel.
      this.#ended = true;
      this.#wake();
    }
  }

  async #dial(port: number, deadline: number): Promise<Link> {
    for (;;) {
      if (this.#ended) throw new Error("it ended at once");
      try {
        return new Link(await Deno.connect({ hostname: "127.0.0.1", port }));
      } catch (cause) {
        if (!(cause instanceof Deno.errors.ConnectionRefused) || performance.now() > deadline) throw cause;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  async #ask(type: string, content: Readonly<Record<string, unknown>>): Promise<string> {
    const header = this.#writer.header(type);
    await this.#shell.write(this.#writer.write({ type, content, header }));
    return String(header.msg_id);
  }

  async #reply(id: string): Promise<true> {
    for (;;) {
      const message = parseMessage((await this.#shell.readMessage()).parts);
      if (message?.parent.msg_id === id) return true;
    }
  }

  async #next(): Promise<JupyterMessage> {
    for (;;) {
      const message = this.#queue.shift();
      if (message !== undefined) return message;
      if (this.#ended) throw new Error("the kernel has ended");
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }
}

function freePorts(): Readonly<Record<string, number>> {
  // All are held open until all are known, so that no two are the same.
  const probes = CHANNELS.map(() => Deno.listen({ hostname: "127.0.0.1", port: 0 }));
  const ports = probes.map(({ addr }) => addr.transport === "tcp" ? addr.port : 0);
  for (const probe of probes) probe.close();
  return Object.fromEntries(CHANNELS.map((channel, index) => [channel, ports[index]]));
}
