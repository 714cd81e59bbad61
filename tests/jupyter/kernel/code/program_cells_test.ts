/** Cells beside Deno's own kernel: each gives the same in both. */
import { assertEquals } from "@std/assert";
import { Kernel, OWN_KERNEL } from "../../../notebooks/_kernel.ts";

const FOLDER = new URL("./", import.meta.url);
const TIMEOUT_MS = 60_000;

const CELLS: readonly string[] = [
  "await(Promise.resolve(1))",
  "await`x`",
  "await[1]",
  "await+1",
  "const f = (a: string) => a; f('x') /2/ 1; if (f) {} /await x/.test('await x')",
  "if (f) /await x/.exec('await x')",
  "const [React] = [{ createElement: (...all: unknown[]) => all }]; <p>Please await the results {await 1}</p>",
  "class A { await = 1; static await() { return 2 } } [new A().await, A.await()]",
  "interface B { await: number; await(): void } ({ await: 3 } as unknown as B).await",
  'import { await as w } from "data:text/javascript,const a = 4; export { a as await }"; w',
  "const o\\u0066x = await Promise.resolve(5); o\\u0066x",
  "const id = <T,>(value: T) => value; await id<Map<string, number>>(new Map([['a', 1]]))",
  "await Promise.resolve(6) // the last line",
  "const help = (x: number) => 2 * x\nhelp(4)",
  "help(5)",
  "const list: string[] = []; for await (const letter of 'ab') list.push(letter); list",
  "for await (const x of null as any) {}",
  "for await (const x of 5 as any) {}",
  "const steps: number[] = []; for await (const x of [1, Promise.resolve(2)]) steps.push(x); steps",
  "const failed = async () => { throw new RangeError('far') }; try { await(failed()) } catch (e) { String(e) }",
  "enum Colour { Red = 'r' } await (async () => Colour.Red satisfies string)()",
];

Deno.test("cells give what they give in the stock kernel", async (t) => {
  await using own = await Kernel.start({ folder: FOLDER, args: OWN_KERNEL });
  await using stock = await Kernel.start({ folder: FOLDER });
  for (const code of CELLS) {
    await t.step(code, async () => {
      const [here, there] = [await own.run(code, TIMEOUT_MS), await stock.run(code, TIMEOUT_MS)];
      assertEquals(here, there);
    });
  }
});
