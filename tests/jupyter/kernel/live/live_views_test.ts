/** Live tables as a page and a cell use them, through the proxy's half and a real data process. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  type JsonObject,
  type JupyterMessage,
  MessageWriter,
  parseMessage,
} from "../../../../src/jupyter/kernel/jupyter_message.ts";
import { LIVE_TARGET, LiveViews } from "../../../../src/jupyter/kernel/live/live_views.ts";
import { PublishedStream } from "../../../../src/jupyter/kernel/published_stream.ts";
import { describeFiles } from "../../../../src/jupyter/live/live_source.ts";
import { writeParquet } from "../../../_parquet.ts";
import { testAlone } from "../../../_test_alone.ts";

const PROGRAM = new URL("../../../../src/jupyter/live/serve_tables.ts", import.meta.url);
const ROWS = { op: "rows", offset: 3, limit: 2, columns: [0], sort: null, filters: [] };

function messageOf(type: string, content: JsonObject, metadata: JsonObject = {}): JupyterMessage {
  const id = crypto.randomUUID();
  return { type, id, header: { msg_id: id, msg_type: type }, parent: {}, metadata, content };
}

/** Views with one page that hears everything. */
class Desk implements AsyncDisposable {
  readonly folder: string;
  readonly heard: JupyterMessage[] = [];
  readonly views: LiveViews;
  #asked = 0;
  #wake: () => void = () => {};

  private constructor(folder: string) {
    this.folder = folder;
    const stream = new PublishedStream();
    this.views = new LiveViews({
      publish: (raw) => {
        for (const { parts } of stream.push(raw)) {
          const message = parseMessage(parts);
          if (message !== undefined) this.heard.push(message);
        }
        this.#wake();
      },
      writer: new MessageWriter("key"),
      program: PROGRAM,
      running: () => undefined,
    });
  }

  static async open(): Promise<Desk> {
    const desk = new Desk(await Deno.makeTempDir());
    await writeParquet(`${desk.folder}/a.parquet`, "SELECT i * 10 AS n FROM range(0, 1000) r(i)");
    return desk;
  }

  /** A cell is about to run. */
  run(cellId: string, deletedCells: string[] = []): void {
    this.views.beginCell(messageOf("execute_request", {}, { cellId, deletedCells }));
  }

  async show(view: string, others: JsonObject = {}): Promise<void> {
    const source = { files: await describeFiles([`${this.folder}/a.parquet`]), origin: { kind: "files" } };
    this.views.learn(messageOf("seqreg_live", { view, source, facts: { title: view }, state: {}, ...others }));
  }

  send(view: string, data: JsonObject): boolean {
    return this.views.take(messageOf("comm_msg", { comm_id: view, data }), () => Promise.resolve());
  }

  async ask(view: string, question: JsonObject, op = "ask"): Promise<JsonObject> {
    const id = `page-${++this.#asked}`;
    assert(this.send(view, { op, id, question }), "the message is not taken");
    return await this.until(({ content }) => Object(content.data).id === id, "an answer");
  }

  async until(isIt: (message: JupyterMessage) => boolean, what: string): Promise<JsonObject> {
    const late = Date.now() + 20_000;
    for (;;) {
      const found = this.heard.find(isIt);
      if (found !== undefined) return Object(found.content.data);
      assert(Date.now() < late, `${what} did not come`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 1000);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.views.end();
    await Deno.remove(this.folder, { recursive: true });
  }
}

const PLAIN = { sanitizeOps: false, sanitizeResources: false };

Deno.test("a page asks for rows of a view and gets them, and other comms pass", PLAIN, async () => {
  await using desk = await Desk.open();
  await desk.show("one");

  assertEquals(await desk.until(({ type }) => type === "comm_open", "comm_open"), {
    view: "one",
    facts: { title: "one" },
    state: {},
  });
  const { id: _, ...answer } = await desk.ask("one", ROWS);
  assertEquals(answer, { ids: [3, 4], rows: [[30], [40]] });
  assertStringIncludes(String((await desk.ask("one", { op: "sql", text: "DROP TABLE t" })).error), "expected rows");
  assertEquals(desk.send("other", { op: "ask" }), false);
  const reply = () => Promise.resolve();
  assertEquals(desk.views.take(messageOf("comm_open", { comm_id: "x", target_name: "jupyter.widget" }), reply), false);
  assertEquals(desk.views.take(messageOf("comm_info_request", { target_name: "jupyter.widget" }), reply), false);
  assertEquals(desk.views.take(messageOf("comm_info_request", {}), reply), false);
  assertEquals(desk.views.take(messageOf("execute_request", { code: "1" }), reply), false);
});

Deno.test("a page that comes back finds the views that are there, with what was seen of them", PLAIN, async () => {
  await using desk = await Desk.open();
  await desk.show("one");
  desk.send("one", { op: "state", state: { filters: { n: ">5" } } });
  let told: JsonObject = {};
  const stream = new PublishedStream();
  desk.views.take(messageOf("comm_info_request", { target_name: LIVE_TARGET }), (raw) => {
    told = parseMessage(stream.push(raw)[0].parts)?.content ?? {};
    return Promise.resolve();
  });

  assertEquals(told.comms, { one: { target_name: LIVE_TARGET } });
  desk.send("one", { op: "hello" });
  const hello = await desk.until(
    ({ type, content }) => type === "comm_msg" && "facts" in Object(content.data),
    "facts",
  );
  assertEquals(hello.state, { filters: { n: ">5" } });
});

Deno.test("the kernel is told once what a page shows, before its next cell", PLAIN, async () => {
  await using desk = await Desk.open();
  await desk.show("one");

  assertEquals(desk.views.tellSeen(), undefined);
  desk.send("one", { op: "state", state: { sort: null } });
  assertStringIncludes(desk.views.tellSeen() ?? "", `[["one",{"sort":null}]]`);
  assertEquals(desk.views.tellSeen(), undefined);
});

Deno.test("a cell that runs again ends its earlier views, and so does one that was deleted", PLAIN, async () => {
  await using desk = await Desk.open();
  desk.run("cell 1");
  await desk.show("one");
  desk.run("cell 2");
  await desk.show("two");
  desk.run("cell 3", ["cell 2"]);

  assertEquals(desk.heard.filter(({ type }) => type === "comm_close").map(({ content }) => content.comm_id), ["two"]);
  desk.run("cell 1");
  assertEquals(desk.send("one", { op: "hello" }), false);
});

Deno.test("what a page set is told also when the cell that shows the view runs again", PLAIN, async () => {
  await using desk = await Desk.open();
  desk.run("shows");
  await desk.show("one");
  desk.send("one", { op: "state", state: { filters: { n: ">5" } } });
  desk.run("shows");

  assertStringIncludes(desk.views.tellSeen() ?? "", `[["one",{"filters":{"n":">5"}}]]`);
});

Deno.test("the file of a frame stays until the cell that made its view runs again", PLAIN, async () => {
  await using desk = await Desk.open();
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "seqreg-live-" }));
  const temporary = `${folder}/frame.parquet`;
  await Deno.copyFile(`${desk.folder}/a.parquet`, temporary);
  const others = { source: { files: await describeFiles([temporary]), origin: { kind: "frame" } }, temporary };
  const isThere = () => Deno.stat(temporary).then(() => true, () => false);
  desk.run("makes");
  desk.views.learn(messageOf("seqreg_live", { view: "one", state: {}, temporary }));
  for (let time = 0; time < 2; time++) {
    desk.run("shows");
    await desk.show("one", others);
    assertEquals((await desk.ask("one", ROWS)).ids, [3, 4]);
  }
  desk.run("makes");
  assertEquals((await desk.ask("one", ROWS)).ids, [3, 4]);
  desk.run("shows");
  assertEquals(await isThere(), false);
});

testAlone(
  import.meta.url,
  { name: "a data process that cannot be started is an answer to the page", ...PLAIN },
  async () => {
    await using desk = await Desk.open();
    const before = Deno.env.get("TMPDIR");
    Deno.env.set("TMPDIR", `${desk.folder}/none`);
    try {
      desk.views.learn(messageOf("seqreg_live", { soon: true }));
      await desk.show("one");
      assert("error" in await desk.ask("one", ROWS));
    } finally {
      if (before === undefined) Deno.env.delete("TMPDIR");
      else Deno.env.set("TMPDIR", before);
    }
    assertEquals((await desk.ask("one", ROWS)).ids, [3, 4]);
  },
);

Deno.test("a data process that is killed is said to be, and the next question starts another", PLAIN, async () => {
  await using desk = await Desk.open();
  await desk.show("one");
  await desk.ask("one", ROWS);
  const before = desk.views.dataPid;
  assert(typeof before === "number");
  Deno.kill(before, "SIGKILL");
  let answer = await desk.ask("one", ROWS);
  // The question may have met the process as it ended.
  if ("error" in answer) answer = await desk.ask("one", ROWS);

  assertEquals(answer.ids, [3, 4]);
  assert(desk.views.dataPid !== before);
});

Deno.test("a question whose process ends is answered with what became of it and what to do", PLAIN, async () => {
  await using desk = await Desk.open();
  await desk.show("one");
  await desk.ask("one", ROWS);
  const pid = desk.views.dataPid!;
  // It answers nothing more.
  Deno.kill(pid, "SIGSTOP");
  const asked = desk.ask("one", ROWS);
  Deno.kill(pid, "SIGKILL");

  assertEquals(
    (await asked).error,
    "the process that holds the data has ended, perhaps for want of memory; the next question starts it anew",
  );
  assertEquals((await desk.ask("one", ROWS)).ids, [3, 4]);
});

Deno.test("files that are written anew are said to be, and opened anew when asked", PLAIN, async () => {
  await using desk = await Desk.open();
  await desk.show("one");
  await desk.ask("one", ROWS);
  await writeParquet(`${desk.folder}/a.parquet`, "SELECT i AS n, 'x' AS word FROM range(0, 7) r(i)");
  const { changed, error } = await desk.ask("one", ROWS);

  assertEquals(changed, true);
  assertStringIncludes(String(error), "written anew");
  const renewed = await desk.ask("one", {}, "renew");
  assertEquals(Object(renewed.facts).count, 7);
  assertEquals(Object(renewed.facts).columns.length, 2);
  assertEquals((await desk.ask("one", ROWS)).rows, [[3], [4]]);
});

Deno.test(
  "of many questions of one kind that one does not wait for, the first and the last are answered",
  PLAIN,
  async () => {
    await using desk = await Desk.open();
    await desk.show("one");
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, offset) => desk.ask("one", { ...ROWS, offset })),
    );

    assertEquals(answers[0].ids, [0, 1]);
    assertEquals(answers[29].ids, [29, 30]);
    assertEquals(answers.slice(1, 29).filter(({ skipped }) => skipped === true).length, 28);
  },
);

Deno.test("a temporary file goes with its view, and no other file does", PLAIN, async () => {
  await using desk = await Desk.open();
  const folder = await Deno.makeTempDir({ prefix: "seqreg-live-" });
  await Deno.writeTextFile(`${folder}/frame.parquet`, "x");
  await Deno.writeTextFile(`${desk.folder}/frame.parquet`, "mine");
  await desk.show("one", { temporary: `${folder}/frame.parquet` });
  await desk.show("two", { temporary: `${desk.folder}/frame.parquet` });
  desk.views.end();

  assertEquals(await Deno.stat(folder).catch(() => "gone"), "gone");
  assertEquals(await Deno.readTextFile(`${desk.folder}/frame.parquet`), "mine");
});
