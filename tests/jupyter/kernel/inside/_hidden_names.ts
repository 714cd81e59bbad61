/** What goes on in a kernel whose cells have taken the names of globals. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Kernel, OWN_KERNEL } from "../../../notebooks/_kernel.ts";

const TIMEOUT_MS = 60_000;

/**
 * Declares names at the top of a cell, then prints, awaits, shows, times, asks and stops.
 *
 * @param slowMs Time in which all of it is over, Stop aside, on a busy machine too.
 * @returns What is printed below the cell that declares them.
 */
export async function checkHiddenNames(names: readonly string[], slowMs = 30_000): Promise<string> {
  await using kernel = await Kernel.start({ folder: new URL("./", import.meta.url), args: OWN_KERNEL });
  const text = async (code: string) =>
    (await kernel.run(code, TIMEOUT_MS)).map(({ text, data }) => text ?? String(data?.["text/plain"])).join("");
  await kernel.run("function later(value) { return new Promise((end) => setTimeout(end, 5, value)) }", TIMEOUT_MS);
  // What the user's own function refers to is hidden from it as well.
  await kernel.run(
    "later = ((P, wait) => (value) => new P((end) => wait(end, 5, value)))(Promise, setTimeout)",
    TIMEOUT_MS,
  );

  const said = await text(names.map((name) => `const ${name} = "mine";`).join("\n"));
  const begunAt = performance.now();
  assertEquals(
    await text(`for (let i = 0; i < 100; i++) console.log(i)`),
    Array.from({ length: 100 }, (_, i) => `${i}\n`).join(""),
  );
  assertEquals(
    await text(`console.log(await later(7)); for await (const each of [later(8)]) console.log(each)`),
    "7\n8\n",
  );
  assertEquals(await text("1 + 1"), "2");
  assertStringIncludes(await text("%time await later(9)"), "time: ");
  assertStringIncludes(await text("%who"), names[0]);
  assertStringIncludes(await text(`${names[0]}?`), "mine");
  assertEquals(await text("%sh echo here"), "here\n");
  // Deno itself reads an error by these names.
  const isRead = !["Error", "JSON", "Object", "String"].some((name) => names.includes(name));
  assertStringIncludes(await text("%nosuch"), isRead ? "SyntaxError: unknown command %nosuch" : "Error");
  const { matches } = await kernel.ask("complete_request", "lat");
  // Deno itself completes by the members of this one.
  assertEquals(matches, names.includes("globalThis") ? [] : ["later"]);
  const tookMs = performance.now() - begunAt;
  assert(tookMs < slowMs, `${Math.round(tookMs)} ms`);
  const running = kernel.runAll(
    [`console.log("begun"); await later(await new (later(1).constructor)(() => {}))`],
    TIMEOUT_MS,
  );
  await kernel.untilPrinted("begun", TIMEOUT_MS);
  await kernel.interrupt();
  assertEquals((await running)[0].status, "error");
  assertEquals(await text("console.log(await later(7))"), "7\n");
  return said;
}
