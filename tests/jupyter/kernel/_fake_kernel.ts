/** A real kernel's five channels without a kernel: what it answers is the test's to say. */
import type { ChildKernel } from "../../../src/jupyter/kernel/child_kernel.ts";
import {
  type Channel,
  CHANNELS,
  type JsonObject,
  type JupyterMessage,
  MessageWriter,
  parseMessage,
} from "../../../src/jupyter/kernel/jupyter_message.ts";
import { Link } from "../../../src/jupyter/kernel/zmtp.ts";

export interface FakeAnswers {
  readonly tellState: (state: "busy" | "idle") => void;
  readonly reply: (content?: JsonObject) => void;
}

/** Answers a front end's request. */
export type Answering = (request: JupyterMessage, answers: FakeAnswers) => void;

/** A kernel that answers the proxy's own requests, and others as a test says. */
export class FakeKernel implements ChildKernel {
  readonly #listeners = CHANNELS.map((channel) => [channel, Deno.listen({ hostname: "127.0.0.1", port: 0 })] as const);
  readonly #links = new Set<Link>();
  readonly #published = new Set<Link>();
  readonly #writer = new MessageWriter("");
  readonly #status = Promise.withResolvers<Deno.CommandStatus>();
  readonly #answering: Answering;
  /** Header of the latest request to run code, under which the real kernel sends what is printed. */
  latest: JsonObject = {};

  constructor(answering: Answering) {
    this.#answering = answering;
    for (const [channel, listener] of this.#listeners) this.#serve(channel, listener);
  }

  readonly process: ChildKernel["process"] = {
    pid: 0,
    status: this.#status.promise,
    kill: (signal) => {
      if (signal === "SIGINT") this.#publish("seqreg_alive", { heard: true }, {});
    },
  };
  readonly cpuMs = (): number => Infinity;
  readonly cleanUp = (): void => {};
  readonly stop = (): void => {};

  readonly dial = async (channel: Channel): Promise<Link> => {
    const listener = this.#listeners.find(([name]) => name === channel)![1];
    return new Link(await Deno.connect({ hostname: "127.0.0.1", port: (listener.addr as Deno.NetAddr).port }));
  };

  /** Prints as code does that runs in the background. */
  print(text: string): void {
    this.#publish("stream", { name: "stdout", text }, this.latest);
  }

  /** Ends as a process does: its connections close, and it has an exit code. */
  readonly die = (code: number): void => {
    for (const [, listener] of this.#listeners) {
      try {
        listener.close();
      } catch {
        // It died before.
      }
    }
    for (const link of this.#links) link.close();
    this.#status.resolve({ code, success: code === 0, signal: null });
  };

  async #serve(channel: Channel, listener: Deno.TcpListener): Promise<void> {
    for await (const connection of listener) {
      const link = new Link(connection);
      this.#links.add(link);
      if (channel === "iopub_port") this.#follow(link).catch(() => {});
      else this.#answer(link).catch(() => {});
    }
  }

  async #follow(link: Link): Promise<void> {
    await link.handshake("PUB");
    await link.readMessage();
    this.#published.add(link);
  }

  async #answer(link: Link): Promise<void> {
    await link.handshake("DEALER");
    for (;;) {
      const request = parseMessage((await link.readMessage()).parts);
      if (request === undefined) continue;
      const { type, header, content } = request;
      if (type === "execute_request") this.latest = header;
      const answers: FakeAnswers = {
        tellState: (state) => this.#publish("status", { execution_state: state }, header),
        reply: (content = { status: "ok" }) => {
          const reply = { type: type.replace("_request", "_reply"), content, parent: header };
          link.write(this.#writer.write(reply)).catch(() => {});
        },
      };
      if (content.silent !== true) {
        this.#answering(request, answers);
        continue;
      }
      const marker = /\("([\w-]+)", (?:undefined|")/.exec(String(content.code))?.[1];
      answers.tellState("busy");
      if (marker !== undefined) this.#publish("seqreg_marker", { id: marker }, header);
      answers.reply();
      answers.tellState("idle");
    }
  }

  #publish(type: string, content: JsonObject, parent: JsonObject): void {
    const raw = this.#writer.write({ type, content, parent });
    for (const link of this.#published) link.write(raw).catch(() => {});
  }
}

export const answerWell: Answering = (_, { tellState, reply }) => {
  tellState("busy");
  reply();
  tellState("idle");
};
