/** Stop at random moments, both cores busy, pressed by a client that others wrote: each request is answered. */
import { assertEquals } from "@std/assert";
import { PYTHON } from "../../_python.ts";
import { Kernel, OWN_KERNEL } from "../../notebooks/_kernel.ts";

const KERNELS = 4;
const TRIALS = Math.ceil(Number(Deno.env.get("SEQREG_STOPS") ?? "200") / KERNELS);
const SEED = Number(Deno.env.get("SEQREG_SEED") ?? "1");
const BUSY = "const end = Date.now() + 3_600_000; while (Date.now() < end);";

Deno.test(`${KERNELS * TRIALS} Stops at random moments lose no reply`, async () => {
  const others = [1, 2].map(() => new Deno.Command(Deno.execPath(), { args: ["eval", BUSY] }).spawn());
  try {
    const lost = await Promise.all(Array.from({ length: KERNELS }, async (_, index) => {
      await using kernel = await Kernel.start({ folder: new URL("./", import.meta.url), args: OWN_KERNEL });
      const { stdout, stderr } = await new Deno.Command(PYTHON, {
        args: [
          new URL("./_stops.py", import.meta.url).pathname,
          kernel.connectionFile,
          String(TRIALS),
          String(SEED + index),
        ],
      }).output();
      const told = new TextDecoder().decode(stdout);
      return told === `${TRIALS} trials\n` ? [] : [told + new TextDecoder().decode(stderr)];
    }));
    assertEquals(lost.flat(), []);
  } finally {
    for (const other of others) other.kill("SIGKILL");
    await Promise.all(others.map(({ status }) => status));
  }
});
