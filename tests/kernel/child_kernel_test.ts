import { assert, assertEquals } from "@std/assert";
import { startChildKernel } from "../../src/kernel/child_kernel.ts";
import { readConnection } from "../../src/kernel/jupyter_message.ts";
import { writeConnectionFile } from "../notebooks/_connection_file.ts";
import { Kernel, OWN_KERNEL } from "../notebooks/_kernel.ts";

const FOLDER = new URL("./", import.meta.url);

Deno.test({
  name: "on Linux the real kernel has an address of its own, where no other program takes its ports",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    const front = await writeConnectionFile();
    const child = await startChildKernel(readConnection(await Deno.readTextFile(front)));
    try {
      const words = (await Deno.readTextFile(`/proc/${child.process.pid}/cmdline`)).split("\0");
      const { ip } = readConnection(await Deno.readTextFile(words[words.indexOf("--conn") + 1]));
      assert(/^127\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./.test(ip), ip);
    } finally {
      child.stop();
      await child.process.status;
      child.cleanUp();
      await Deno.remove(front);
    }
  },
});

Deno.test("a port that a connection of another program holds for a moment is waited for", async () => {
  const connectionFile = await writeConnectionFile();
  const { ports } = readConnection(await Deno.readTextFile(connectionFile));
  const passing = Deno.listen({ hostname: "127.0.0.1", port: ports.hb_port });
  const starting = Kernel.start({ folder: FOLDER, args: OWN_KERNEL, connectionFile });
  starting.catch(() => {});
  try {
    await untilListens(ports.shell_port);
  } finally {
    passing.close();
  }
  await using kernel = await starting;
  assertEquals((await kernel.run("console.log(1)", 60_000)).map(({ text }) => text), ["1\n"]);
});

async function untilListens(port: number): Promise<void> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    try {
      return (await Deno.connect({ hostname: "127.0.0.1", port })).close();
    } catch (cause) {
      if (Date.now() > deadline) throw cause;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
