import { assert, assertEquals } from "@std/assert";
import { readConnection } from "../../../src/jupyter/kernel/jupyter_message.ts";
import { writeConnectionFile } from "../../notebooks/_connection_file.ts";
import { Kernel, OWN_KERNEL } from "../../notebooks/_kernel.ts";

const FOLDER = new URL("./", import.meta.url);

/** Prints the address of the real kernel; a process of its own, since the tests may use 127.0.0.1 alone. */
const PRINT_ADDRESS = `
  import { startChildKernel } from "./src/jupyter/kernel/child_kernel.ts";
  import { readConnection } from "./src/jupyter/kernel/jupyter_message.ts";
  const child = await startChildKernel(readConnection(await Deno.readTextFile(Deno.args[0])));
  const words = (await Deno.readTextFile("/proc/" + child.process.pid + "/cmdline")).split("\\0");
  console.log(readConnection(await Deno.readTextFile(words[words.indexOf("--conn") + 1])).ip);
  child.stop();
  await child.process.status;
  child.cleanUp();
`;

/** Connects to a real kernel that has ended. */
const DIAL_ENDED = `
  import { startChildKernel } from "./src/jupyter/kernel/child_kernel.ts";
  import { readConnection } from "./src/jupyter/kernel/jupyter_message.ts";
  const child = await startChildKernel(readConnection(await Deno.readTextFile(Deno.args[0])));
  child.stop();
  await child.process.status;
  child.cleanUp();
  const begun = performance.now();
  const message = await child.dial("shell_port").then(() => "connected", ({ message }) => message);
  console.log(message, performance.now() - begun < 5000 ? "at once" : "late");
`;

Deno.test({
  name: "on Linux the real kernel has an address of its own, where no other program takes its ports",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    const front = await writeConnectionFile();
    try {
      const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        args: ["eval", "--quiet", PRINT_ADDRESS, front],
        cwd: new URL("../../../", import.meta.url),
        signal: AbortSignal.timeout(60_000),
      }).output();
      const ip = new TextDecoder().decode(stdout).trim();
      assert(/^127\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./.test(ip), ip + new TextDecoder().decode(stderr));
    } finally {
      await Deno.remove(front);
    }
  },
});

Deno.test("nobody waits for a kernel that has ended", async () => {
  const front = await writeConnectionFile();
  try {
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["eval", "--quiet", DIAL_ENDED, front],
      cwd: new URL("../../../", import.meta.url),
      signal: AbortSignal.timeout(60_000),
    }).output();
    assertEquals(new TextDecoder().decode(stdout), "the Deno kernel has ended at once\n");
  } finally {
    await Deno.remove(front);
  }
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
