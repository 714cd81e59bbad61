/** Lines printed in large numbers, in our own kernel. */
import { assert, assertEquals } from "@std/assert";
import { Kernel, OWN_KERNEL } from "../../notebooks/_kernel.ts";

const TIMEOUT_MS = 120_000;

Deno.test("printed lines are joined: in order, before what follows them, in bounded memory", async (t) => {
  await using kernel = await Kernel.start({ folder: new URL("./", import.meta.url), args: OWN_KERNEL });
  const shown = async (code: string) =>
    (await kernel.run(code, TIMEOUT_MS)).map(({ type, text }) => `${type} ${text ?? ""}`);
  const numbers = (count: number) => Array.from({ length: count }, (_, line) => `${line}\n`).join("");

  await t.step("100,000 lines take at most 60 MB", async () => {
    await kernel.run("for (let i = 0; i < 100; i++) console.log(i)", TIMEOUT_MS);
    const megabytes = async () =>
      Number((await kernel.run("console.log(Deno.memoryUsage().rss / 1e6)", TIMEOUT_MS))[0].text);
    const before = await megabytes();
    assertEquals(await shown("for (let i = 0; i < 100_000; i++) console.log(i)"), [`stream ${numbers(100_000)}`]);
    const more = await megabytes() - before;
    assert(more <= 60, `${more} MB`);
  });
  await t.step("before a display, a result and an error", async () => {
    const print = "for (let i = 0; i < 200; i++) console.log(i);";
    const show = `await Deno.jupyter.display({ [Symbol.for("Jupyter.display")]: () => ({ "text/plain": "shown" }) });`;
    const types = async (code: string) => (await kernel.run(code, TIMEOUT_MS)).map(({ type }) => type);
    assertEquals(await types(`${print} ${show} console.log("behind")`), ["stream", "display_data", "stream"]);
    assertEquals(await types(`${print} 1 + 1`), ["stream", "execute_result"]);
    assertEquals(await types(`${print} throw new Error("no")`), ["stream", "error"]);
  });
  await t.step("the two streams in turn", async () => {
    const turns = await kernel.run(
      "for (let i = 0; i < 100; i++) { console.log('o' + i); console.error('e' + i) }",
      TIMEOUT_MS,
    );
    const expected = Array.from({ length: 100 }, (_, i) => `o${i}\ne${i}\n`).join("");
    assertEquals(turns.map(({ text }) => text).join(""), expected);
  });
  await t.step("in the background, also after help was asked for", async () => {
    await kernel.run("const ticking = setInterval(() => console.log(Date.now()), 50)", TIMEOUT_MS);
    await kernel.ask("inspect_request", "ticking");
    const askedAt = Date.now();
    await kernel.untilSaid("stream", ({ text }) => Number(String(text).trim().split("\n").at(-1)) > askedAt, 10_000);
    await kernel.run("clearInterval(ticking)", TIMEOUT_MS);
  });
  await t.step("while the cell goes on", async () => {
    await kernel.send(
      "for (let i = 0; i < 200; i++) console.log('early ' + i); await new Promise((resolve) => setTimeout(() => resolve(globalThis.ended = true), 2000))",
    );
    await kernel.untilPrinted("early 199", TIMEOUT_MS);
    assertEquals(await shown("console.log('later')"), ["stream later\n"]);
  });
  await t.step("groups are indented by whichever method prints", async () => {
    assertEquals(await shown("console.group('g'); console.info('a'); console.groupEnd(); console.debug('b')"), [
      "stream g\n  a\nb\n",
    ]);
  });
});
