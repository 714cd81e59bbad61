/** `live()` in our own kernel, with a page that asks while a cell computes. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Kernel, OWN_KERNEL } from "../../../notebooks/_kernel.ts";

const TIMEOUT_MS = 120_000;

Deno.test("rows come while a cell computes, and the next cell reads what the page shows", async () => {
  await using kernel = await Kernel.start({ folder: new URL("./", import.meta.url), args: OWN_KERNEL });
  const outputs = await kernel.run(
    `import { live } from "seqreg/notebook";
     import pl from "nodejs-polars";
     const view = await live(pl.DataFrame({ n: [10, 20, 30] }), { caption: "numbers" });
     view`,
    TIMEOUT_MS,
  );
  const { comm_id: view, data } = await kernel.untilSaid("comm_open", () => true, TIMEOUT_MS);
  assertStringIncludes(outputs.map(({ data }) => String(data?.["text/html"] ?? "")).join(""), `data-view="${view}"`);
  assertEquals(Object(Object(data).facts).title, "numbers");

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
