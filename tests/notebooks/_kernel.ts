/** A real Deno kernel, started cold, that runs cells one after another. */
import { createHmac } from "node:crypto";
import { ZmtpSocket } from "./_zmtp.ts";

/** What one cell put out. */
export interface CellOutput {
  readonly type: "stream" | "display_data" | "execute_result" | "error";
  /** Text of a stream, or of an error: its name and message. */
  readonly text?: string;
  /** Representations of a value, by media type. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** How a kernel is started. */
export interface KernelOptions {
  /** Folder that relative imports and paths of the cells start from. */
  readonly folder: URL;
  /** Environment variables besides the process's own. */
  readonly env?: Readonly<Record<string, string>>;
}

interface Message {
  readonly type: string;
  readonly parentId: string | undefined;
  readonly content: Readonly<Record<string, unknown>>;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The stock kernel prints after it has said that it is idle: a cell is over when nothing more came for this long. */
const QUIET_MS = 200;

/** A running kernel; leaving its scope ends it. */
export class Kernel implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;
  readonly #key: string;
  readonly #shell: ZmtpSocket;
  readonly #published: ZmtpSocket;
  readonly #connectionFile: string;
  readonly #queue: Message[] = [];
  #wake: () => void = () => {};

  private constructor(
    process: Deno.ChildProcess,
    key: string,
    shell: ZmtpSocket,
    published: ZmtpSocket,
    connectionFile: string,
  ) {
    this.#process = process;
    this.#key = key;
    this.#shell = shell;
    this.#published = published;
    this.#connectionFile = connectionFile;
    this.#listen();
  }

  /** Starts a kernel and waits until it answers. */
  static async start(options: KernelOptions): Promise<Kernel> {
    const [shell_port, iopub_port, stdin_port, control_port, hb_port] = Array.from({ length: 5 }, freePort);
    const key = crypto.randomUUID();
    const connectionFile = await Deno.makeTempFile({ suffix: ".json" });
    await Deno.writeTextFile(
      connectionFile,
      JSON.stringify({
        transport: "tcp",
        ip: "127.0.0.1",
        signature_scheme: "hmac-sha256",
        key,
        kernel_name: "deno",
        shell_port,
        iopub_port,
        stdin_port,
        control_port,
        hb_port,
      }),
    );
    const process = new Deno.Command(Deno.execPath(), {
      args: ["jupyter", "--kernel", "--conn", connectionFile],
      cwd: options.folder,
      env: { NO_COLOR: "1", ...options.env },
      stdout: "null",
      stderr: "null",
    }).spawn();
    const deadlineMs = Date.now() + 30_000;
    const shell = await ZmtpSocket.open(shell_port, "DEALER", deadlineMs);
    const published = await ZmtpSocket.open(iopub_port, "SUB", deadlineMs);
    const kernel = new Kernel(process, key, shell, published, connectionFile);
    await kernel.#untilHeard(deadlineMs);
    return kernel;
  }

  /** Runs one cell and gives what it put out, in order; updates of a display replace what they update. */
  async run(code: string, timeoutMs: number): Promise<CellOutput[]> {
    const request = this.#message("execute_request", {
      code,
      silent: false,
      store_history: true,
      user_expressions: {},
      allow_stdin: false,
      stop_on_error: true,
    });
    await this.#shell.send(request.frames);
    const replying = this.#shell.receive();
    const outputs: CellOutput[] = [];
    const displays = new Map<string, number>();
    const deadline = Date.now() + timeoutMs;
    let idle = false;
    for (;;) {
      const message = await this.#next(idle ? QUIET_MS : Math.max(1, deadline - Date.now()));
      if (message === undefined && idle) break;
      if (message === undefined) throw new Error(`the cell did not end within ${timeoutMs} ms`);
      if (message.type === "status") {
        if (message.parentId === request.id && message.content.execution_state === "idle") idle = true;
      } else collect(message, outputs, displays);
    }
    await replying;
    return outputs;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#shell[Symbol.dispose]();
    this.#published[Symbol.dispose]();
    try {
      this.#process.kill("SIGKILL");
    } catch {
      // It ended before.
    }
    await this.#process.status;
    await Deno.remove(this.#connectionFile);
  }

  async #listen(): Promise<void> {
    try {
      for (;;) {
        this.#queue.push(parse(await this.#published.receive()));
        this.#wake();
      }
    } catch {
      // The connection ends with the kernel.
    }
  }

  /** A subscription takes effect after a while: asks until an answer is heard on the published side. */
  async #untilHeard(deadlineMs: number): Promise<void> {
    while (Date.now() < deadlineMs) {
      const request = this.#message("kernel_info_request", {});
      await this.#shell.send(request.frames);
      await this.#shell.receive();
      for (let message = await this.#next(100); message !== undefined; message = await this.#next(100)) {
        if (message.parentId === request.id && message.content.execution_state === "idle") return;
      }
    }
    throw new Error("the kernel was not heard within its time");
  }

  #next(timeoutMs: number): Promise<Message | undefined> {
    if (this.#queue.length > 0) return Promise.resolve(this.#queue.shift());
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

  #message(type: string, content: unknown): { id: string; frames: Uint8Array[] } {
    const header = {
      msg_id: crypto.randomUUID(),
      session: "tests",
      username: "tests",
      date: new Date().toISOString(),
      msg_type: type,
      version: "5.3",
    };
    const parts = [header, {}, {}, content].map((part) => encoder.encode(JSON.stringify(part)));
    const hmac = createHmac("sha256", this.#key);
    for (const part of parts) hmac.update(part);
    return { id: header.msg_id, frames: [encoder.encode("<IDS|MSG>"), encoder.encode(hmac.digest("hex")), ...parts] };
  }
}

function collect(message: Message, outputs: CellOutput[], displays: Map<string, number>): void {
  const { type, content } = message;
  const data = objectOf(content.data);
  const id = objectOf(content.transient).display_id;
  if (type === "stream") {
    const last = outputs.at(-1);
    if (last?.type === "stream") outputs[outputs.length - 1] = { type, text: `${last.text}${content.text}` };
    else outputs.push({ type, text: String(content.text) });
  } else if (type === "display_data" || type === "execute_result") {
    if (typeof id === "string") displays.set(id, outputs.length);
    outputs.push({ type, data });
  } else if (type === "update_display_data" && typeof id === "string") {
    const index = displays.get(id);
    if (index !== undefined) outputs[index] = { ...outputs[index], data };
  } else if (type === "error") outputs.push({ type, text: `${content.ename}: ${content.evalue}` });
}

function parse(frames: readonly Uint8Array[]): Message {
  const start = frames.findIndex((frame) => decoder.decode(frame) === "<IDS|MSG>");
  const part = (offset: number) => objectOf(JSON.parse(decoder.decode(frames[start + offset])));
  const parentId = part(3).msg_id;
  return {
    type: String(part(2).msg_type),
    parentId: typeof parentId === "string" ? parentId : undefined,
    content: part(5),
  };
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  listener.close();
  return port;
}
