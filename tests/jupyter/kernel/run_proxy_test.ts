/** The proxy as a program. */
import { assertEquals, assertRejects } from "@std/assert";
import { runProxy } from "../../../src/jupyter/kernel/run_proxy.ts";

Deno.test("a kernel that cannot listen leaves no folder", async () => {
  let removed = 0;
  const folder = { path: ".", enter: "", remove: () => void removed++ };
  const port = 1 << 17;
  const ports = { shell_port: port, iopub_port: port, stdin_port: port, control_port: port, hb_port: port };

  await assertRejects(() => runProxy({ ip: "127.0.0.1", key: "", ports, file: {} }, { folder }));
  assertEquals(removed, 1);
});
