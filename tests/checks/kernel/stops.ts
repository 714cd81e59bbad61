/**
 * Stop at random moments, both cores busy, pressed by a client that others wrote: each cell and each Stop gets exactly
 * one reply and one `idle`.
 */
import { assertEquals } from "@std/assert";
import { PYTHON } from "../../_python.ts";
import { Kernel, OWN_KERNEL } from "../../notebooks/_kernel.ts";
import { busyCores } from "./_busy_cores.ts";

const KERNELS = 4;
const TRIALS = Math.ceil(Number(Deno.env.get("SEQREG_STOPS") ?? "200") / KERNELS);
const SEED = Number(Deno.env.get("SEQREG_SEED") ?? "1");

Deno.test(`${KERNELS * TRIALS} Stops at random moments, seed ${SEED}: no reply is lost or comes twice`, async () => {
  await using _busy = busyCores();
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
});
