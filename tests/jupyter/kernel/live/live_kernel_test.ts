/** `live()` in our own kernel, with a page that asks while a cell computes. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Kernel, OWN_KERNEL } from "../../../notebooks/_kernel.ts";

const TIMEOUT_MS = 120_000;

Deno.test("rows come while a cell computes, and the next cell reads what the page shows", async () => {
  await using kernel = await Kernel.start({ folder: new URL("./", import.meta.url), args: OWN_KERNEL });
  const outputs = await kernel.run(
    `import { live } from "seqreg/notebook";
     import pl from "nodejs-polars";
     const view = await live(pl.DataFrame({ n: [10, 20, 30] }), { caption: "numbers", rows: 7 });
     view`,
    TIMEOUT_MS,
  );
  const { comm_id: view, data } = await kernel.untilSaid("comm_open", () => true, TIMEOUT_MS);
  assertStringIncludes(outputs.map(({ data }) => String(data?.["text/html"] ?? "")).join(""), `data-view="${view}"`);
  const { title, height } = Object(Object(data).facts);
  assertEquals([title, height], ["numbers", 7]);

  let isRunning = true;
  const computing = kernel.run("const end = Date.now() + 3000; while (Date.now() < end);", TIMEOUT_MS)
    .finally(() => isRunning = false);
  const question = { op: "rows", offset: 1, limit: 2, columns: [0], sort: null, filters: [] };
  await kernel.say("comm_msg", { comm_id: view, data: { op: "ask", id: "page-1", question } });
  await kernel.say("comm_msg", { comm_id: view, data: { op: "state", state: { filters: { n: ">15" } } } });
  const answer = await kernel.untilSaid("comm_msg", (content) => Object(content.data).id === "page-1", TIMEOUT_MS);
  assert(isRunning, "the rows came after the cell");
  assertEquals(Object(answer.data).rows, [[20], [30]]);
  await computing;
  const [seen] = await kernel.run("console.log(JSON.stringify(view.filter))", TIMEOUT_MS);
  assertEquals(seen.text, '{"n":">15"}\n');
});

/** What a kernel makes of comms that are not ours: of a cell's widget, and of pages. */
async function foreignComms(kernel: Kernel): Promise<unknown> {
  const widget = { comm_id: "widget", target_name: "jupyter.widget", data: { state: { value: 1 }, buffer_paths: [] } };
  await kernel.run(
    `await Deno.jupyter.broadcast("comm_open", ${JSON.stringify(widget)},
       { metadata: { version: "2.1.0" }, buffers: [new Uint8Array([1, 2, 3])] });`,
    TIMEOUT_MS,
  );
  const said = [
    await kernel.say("comm_open", { comm_id: "page", target_name: "jupyter.widget.control", data: {} }),
    await kernel.say("comm_msg", { comm_id: "page", data: { method: "request_states" } }),
    await kernel.say("comm_msg", { comm_id: "widget", data: { method: "update", state: { value: 2 } } }),
    await kernel.say("comm_close", { comm_id: "widget", data: {} }),
  ];
  const info = await kernel.ask("comm_info_request");
  const [{ text }] = await kernel.run("console.log('still here')", TIMEOUT_MS);
  const { heard } = kernel;
  const answers = said.map((id) => heard.filter(({ parentId }) => parentId === id));
  const widgets = heard.filter(({ type, content }) => type.startsWith("comm_") && content.comm_id === "widget");
  const without = ({ parentId: _, ...message }: (typeof heard)[number]) => message;
  return { answers: answers.map((each) => each.map(without)), widgets: widgets.map(without), info, text };
}

Deno.test("comms of others, such as ipywidgets', pass as they do in Deno's own kernel, with a live table there too", async () => {
  const folder = new URL("./", import.meta.url);
  await using stock = await Kernel.start({ folder });
  const expected = await foreignComms(stock);
  await using own = await Kernel.start({ folder, args: OWN_KERNEL });
  await own.run(
    `import { live } from "seqreg/notebook";
     import pl from "nodejs-polars";
     await live(pl.DataFrame({ n: [10, 20, 30] }))`,
    TIMEOUT_MS,
  );
  await own.untilSaid("comm_open", () => true, TIMEOUT_MS);

  assertEquals(await foreignComms(own), expected);
  assertEquals(Object(expected).widgets.at(0)?.buffers, [new Uint8Array([1, 2, 3])]);
});
