/** Every request that the proxy takes gets one reply and one `idle`, whatever the real kernel does. */
import { assert, assertEquals } from "@std/assert";
import { type Channel, CHANNELS } from "../../../src/jupyter/kernel/jupyter_message.ts";
import { KernelProxy, type Listeners } from "../../../src/jupyter/kernel/proxy.ts";
import { composeMessage, type Message, parse } from "../../notebooks/_kernel_messages.ts";
import { ZmtpSocket } from "../../notebooks/_zmtp.ts";
import { type Answering, answerWell, FakeKernel } from "./_fake_kernel.ts";

const LIMIT_MS = 20_000;
/** Nothing more may come after this long. */
const QUIET_MS = 300;
const PATIENCE_MS = 100;

/** A front end before a proxy before a kernel that is none. */
class Front implements AsyncDisposable {
  readonly kernel: FakeKernel;
  readonly #listeners: Listeners;
  readonly #proxy: KernelProxy;
  readonly #sockets: ZmtpSocket[] = [];
  readonly #messages: Message[] = [];
  #shell!: ZmtpSocket;
  #control!: ZmtpSocket;

  private constructor(answering: Answering) {
    this.kernel = new FakeKernel(answering);
    this.#listeners = Object.fromEntries(
      CHANNELS.map((channel) => [channel, Deno.listen({ hostname: "127.0.0.1", port: 0 })]),
    ) as Record<Channel, Deno.TcpListener>;
    this.#proxy = new KernelProxy({
      key: "",
      listeners: this.#listeners,
      child: this.kernel,
      patienceMs: PATIENCE_MS,
    });
  }

  static async connect(answering: Answering): Promise<Front> {
    const front = new Front(answering);
    await front.#proxy.start();
    const open = (channel: Channel, type: "DEALER" | "SUB") =>
      ZmtpSocket.open((front.#listeners[channel].addr as Deno.NetAddr).port, type, Date.now() + LIMIT_MS);
    const published = await open("iopub_port", "SUB");
    front.#shell = await open("shell_port", "DEALER");
    front.#control = await open("control_port", "DEALER");
    front.#sockets.push(published, front.#shell, front.#control);
    for (const socket of front.#sockets) front.#listen(socket).catch(() => {});
    // The subscription has taken effect when an answer's `idle` is heard.
    const deadline = Date.now() + LIMIT_MS;
    for (let id = ""; front.#answers(id)[1] === 0;) {
      if (Date.now() > deadline) throw new Error("nothing was heard on the published side");
      id = await front.send("kernel_info_request");
      await front.untilAnswered([id], QUIET_MS).catch(() => {});
    }
    return front;
  }

  /** Sends a request; returns its id. */
  async send(type: string, content: unknown = {}, channel: "shell" | "control" = "shell"): Promise<string> {
    const { id, frames } = composeMessage("", type, content);
    await (channel === "shell" ? this.#shell : this.#control).send(frames);
    return id;
  }

  cell(code = "1"): Promise<string> {
    return this.send("execute_request", { code, silent: false, stop_on_error: false });
  }

  /** Waits until each request has a reply and an `idle`, and then whether more come; returns how many of each came. */
  async count(ids: readonly string[]): Promise<(readonly [replies: number, idles: number])[]> {
    await this.untilAnswered(ids, LIMIT_MS).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    return ids.map((id) => this.#answers(id));
  }

  async untilAnswered(ids: readonly string[], limitMs: number): Promise<void> {
    const deadline = Date.now() + limitMs;
    while (!ids.every((id) => this.#answers(id).every((count) => count > 0))) {
      if (Date.now() > deadline) throw new Error("a request was not answered");
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  statusOf(id: string): unknown {
    return this.#messages.find(({ type, parentId }) => parentId === id && type.endsWith("_reply"))?.content.status;
  }

  /** Waits until something was printed under a request; returns it. */
  async printedUnder(id: string): Promise<unknown> {
    const find = () => this.#messages.find(({ type, parentId }) => type === "stream" && parentId === id);
    for (const deadline = Date.now() + LIMIT_MS; find() === undefined;) {
      if (Date.now() > deadline) throw new Error("nothing was printed");
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return find()?.content.text;
  }

  /** The kernel has ended: the proxy answers and ends. */
  end(status: Deno.CommandStatus): Promise<void> {
    return this.#proxy.end(status);
  }

  #answers(id: string): readonly [replies: number, idles: number] {
    const own = this.#messages.filter(({ parentId }) => parentId === id);
    return [
      own.filter(({ type }) => type.endsWith("_reply")).length,
      own.filter(({ content }) => content.execution_state === "idle").length,
    ];
  }

  async #listen(socket: ZmtpSocket): Promise<void> {
    for (;;) this.#messages.push(parse(await socket.receive()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket[Symbol.dispose]();
    this.kernel.die(0);
    for (const listener of Object.values(this.#listeners)) listener.close();
    return Promise.resolve();
  }
}

/** The first cell is answered otherwise than well. */
function first(odd: Answering): Answering {
  let isFirst = true;
  return (request, answers) => {
    const isOdd = isFirst && request.type === "execute_request";
    if (isOdd) isFirst = false;
    (isOdd ? odd : answerWell)(request, answers);
  };
}

const ODD: Record<string, Answering> = {
  "keeps silent": () => {},
  "replies and is never idle": (_, { tellState, reply }) => {
    tellState("busy");
    reply();
  },
  "is idle and never replies": (_, { tellState }) => {
    tellState("busy");
    tellState("idle");
  },
  "replies and is idle twice": (request, answers) => {
    answerWell(request, answers);
    answerWell(request, answers);
  },
};

const options = { sanitizeOps: false, sanitizeResources: false };

for (const [name, odd] of Object.entries(ODD)) {
  Deno.test(`a kernel that ${name}: one reply and one idle, and the next cell runs`, options, async () => {
    await using front = await Front.connect(first(odd));
    const ids = [await front.cell(), await front.cell()];

    assertEquals(await front.count(ids), [[1, 1], [1, 1]]);
    assertEquals(front.statusOf(ids[1]), "ok");
  });
}

Deno.test("what is printed after a request of the proxy's own belongs to the cell that ran last", options, async () => {
  await using front = await Front.connect(answerWell);
  const cell = await front.cell();
  await front.untilAnswered([cell], LIMIT_MS);
  const { latest } = front.kernel;
  // The proxy looks at the name in the kernel.
  const help = await front.send("inspect_request", { code: "name", cursor_pos: 4 });
  await front.untilAnswered([help], LIMIT_MS);
  assert(front.kernel.latest !== latest, "the kernel was not asked");
  front.kernel.print("still running\n");

  assertEquals(await front.printedUnder(cell), "still running\n");
});

Deno.test(
  "lines that come late from a long cell are its own, though the proxy asked for a sign of life",
  options,
  async () => {
    await using front = await Front.connect((request, answers) => {
      if (request.type !== "execute_request") return answerWell(request, answers);
      answers.tellState("busy");
      const isAsked = setInterval(() => {
        if (front.kernel.latest.msg_id === request.id) return;
        clearInterval(isAsked);
        front.kernel.print("late\n");
        answers.reply();
        answers.tellState("idle");
      }, 5);
    });
    const cell = await front.cell();

    assertEquals(await front.printedUnder(cell), "late\n");
    assertEquals(await front.count([cell]), [[1, 1]]);
  },
);

Deno.test("requests that the kernel does not know get one reply and one idle", options, async () => {
  await using front = await Front.connect((request, answers) => {
    if (request.type !== "nonsense_request") return answerWell(request, answers);
    answers.tellState("busy");
    answers.tellState("idle");
  });
  const ids = [
    await front.send("nonsense_request"),
    await front.send("nonsense_request", {}, "control"),
    await front.send("interrupt_request", {}, "control"),
    await front.send("kernel_info_request"),
  ];

  assertEquals(await front.count(ids), [[1, 1], [1, 1], [1, 1], [1, 1]]);
  assertEquals(ids.map((id) => front.statusOf(id)), ["error", "error", "ok", "ok"]);
});

Deno.test("a kernel that dies: running and waiting requests get one reply and one idle each", options, async () => {
  await using front = await Front.connect((request, answers) => {
    if (request.type !== "execute_request") return answerWell(request, answers);
    answers.tellState("busy");
    front.kernel.die(3);
  });
  const ids = [await front.cell(), await front.cell(), await front.send("complete_request", { code: "x" })];
  await front.end(await front.kernel.process.status);

  assertEquals(await front.count(ids), [[1, 1], [1, 1], [1, 1]]);
  assertEquals(ids.map((id) => front.statusOf(id)), ["error", "error", "error"]);
});

Deno.test("code that cannot be taken apart is the kernel's to judge, and answered", options, async () => {
  await using front = await Front.connect(answerWell);
  const deep = `const ${"[".repeat(50_000)}`;
  const signs = `await ${"+ ".repeat(50_000)}1`;
  const ids = [
    await front.cell(deep),
    await front.cell(signs),
    await front.send("inspect_request", { code: deep, cursor_pos: deep.length }),
    await front.cell(),
  ];

  assertEquals(await front.count(ids), [[1, 1], [1, 1], [1, 1], [1, 1]]);
  assertEquals(ids.map((id) => front.statusOf(id)), ["ok", "ok", "ok", "ok"]);
});
