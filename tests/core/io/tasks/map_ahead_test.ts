/** Work that goes on while the next item is made. */
import { assertEquals, assertRejects } from "@std/assert";
import { mapAhead } from "../../../../src/core/io/tasks/map_ahead.ts";

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

Deno.test("mapAhead() keeps the order of the items, and so many conversions under way", async () => {
  let running = 0;
  let most = 0;
  async function* items() {
    for (let item = 0; item < 6; item++) {
      most = Math.max(most, running);
      yield item;
    }
  }
  const convert = async (item: number) => {
    running++;
    await later(item % 2 === 0 ? 4 : 1);
    running--;
    return item * 2;
  };
  assertEquals(await Array.fromAsync(mapAhead(items(), { ahead: 2 }, convert)), [0, 2, 4, 6, 8, 10]);
  assertEquals(most, 2);
});

Deno.test("mapAhead() aborts and waits for what is under way when anything ends it", async (t) => {
  const run = async (from: "source" | "convert" | "consumer") => {
    const events: string[] = [];
    async function* items() {
      try {
        yield 1;
        yield 2;
        if (from === "source") throw new RangeError("source");
        yield 3;
      } finally {
        events.push("source closed");
      }
    }
    const convert = async (item: number, signal: AbortSignal) => {
      signal.addEventListener("abort", () => events.push(`aborted ${item}`));
      await later(2);
      if (from === "convert") throw new RangeError("convert");
      events.push(`ended ${item}`);
      return item;
    };
    const reading = async () => {
      for await (const _ of mapAhead(items(), { ahead: 1 }, convert)) if (from === "consumer") break;
    };
    if (from === "consumer") await reading();
    else await assertRejects(reading, RangeError, from);
    return events;
  };
  await t.step("the source", async () => {
    const events = await run("source");
    assertEquals(events.slice(-2).sort(), ["aborted 2", "ended 2"]);
  });
  await t.step("a conversion", async () => assertEquals((await run("convert"))[0], "source closed"));
  await t.step("the consumer", async () => assertEquals((await run("consumer")).includes("source closed"), true));
});
