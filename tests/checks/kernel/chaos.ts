/** Our own kernel when what is around it fails: clients that leave, kernels that die, restarts, two clients at once. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { writeConnectionFile } from "../../notebooks/_connection_file.ts";
import { Kernel, OWN_KERNEL } from "../../notebooks/_kernel.ts";
import type { CellOutput } from "../../notebooks/_kernel_messages.ts";
import { inFolder, namesIn } from "../../_files.ts";
import { writeParquet } from "../../_parquet.ts";

const FOLDER = new URL("./", import.meta.url);
/** Generous: the machine may be loaded. Nothing below waits for it to pass. */
const TIMEOUT_MS = 60_000;

/** Starts our kernel with a folder for temporary files of its own, to see what stays behind. */
async function startOwn(temporary: string, connectionFile?: string): Promise<Kernel> {
  return await Kernel.start({
    folder: FOLDER,
    args: OWN_KERNEL,
    env: { TMPDIR: temporary },
    ...connectionFile !== undefined && { connectionFile },
  });
}

async function withKernel(work: (kernel: Kernel, temporary: string) => Promise<void>): Promise<void> {
  await inFolder(async (temporary) => {
    await using kernel = await startOwn(temporary);
    await work(kernel, temporary);
  });
}

function printed(outputs: readonly CellOutput[]): string {
  return outputs.filter(({ type }) => type === "stream").map(({ text }) => text).join("");
}

async function isRunning(pid: string): Promise<boolean> {
  const { success } = await new Deno.Command("kill", { args: ["-0", pid], stderr: "null" }).output();
  return success;
}

async function untilGone(pid: string): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  while (await isRunning(pid)) {
    if (Date.now() > deadline) throw new Error(`process ${pid} is still running`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const pidOf = async (kernel: Kernel) => printed(await kernel.run("console.log(Deno.pid)", TIMEOUT_MS)).trim();

Deno.test("a client that is cut off in the middle of its output leaves a kernel that others can use", () =>
  withKernel(async (kernel) => {
    await using second = await Kernel.join(kernel);
    await kernel.send("globalThis.kept = 7; for (let i = 0; i < 20_000; i++) console.log('x'.repeat(50))");
    await second.untilPrinted("xxx", TIMEOUT_MS);
    kernel.leave();

    assertEquals(printed(await second.run("console.log(kept)", TIMEOUT_MS)), "7\n");
    const [{ outputs }] = await second.runAll(["for (let i = 0; i < 500; i++) console.log(i)"], TIMEOUT_MS);
    assertEquals(printed(outputs).split("\n").length, 501);
  }));

Deno.test("a client that leaves with cells in the queue holds up nobody", () =>
  withKernel(async (kernel) => {
    await using second = await Kernel.join(kernel);
    await kernel.send("console.log('begun'); await new Promise((resolve) => setTimeout(resolve, 500))");
    for (let cell = 0; cell < 5; cell++) await kernel.send(`globalThis.ran = ${cell}`);
    await second.untilPrinted("begun", TIMEOUT_MS);
    kernel.leave();

    assertEquals(printed(await second.run("console.log(typeof ran)", TIMEOUT_MS)), "undefined\n");
  }));

Deno.test("two clients at once get each their own output, whole and in order", () =>
  withKernel(async (kernel) => {
    await using second = await Kernel.join(kernel);
    const cells = (name: string) =>
      [1, 2, 3].map((cell) => `for (let i = 0; i < 300; i++) console.log("${name}${cell}:" + i)`);
    const [ours, theirs] = await Promise.all([
      kernel.runAll(cells("a"), TIMEOUT_MS),
      second.runAll(cells("b"), TIMEOUT_MS),
    ]);
    for (const [name, runs] of [["a", ours], ["b", theirs]] as const) {
      for (const [index, { outputs }] of runs.entries()) {
        const lines = Array.from({ length: 300 }, (_, line) => `${name}${index + 1}:${line}\n`).join("");
        assertEquals(printed(outputs), lines);
      }
    }
  }));

Deno.test("an error of one client's cell does not take the cells of the other", () =>
  withKernel(async (kernel) => {
    await using second = await Kernel.join(kernel);
    const failing = kernel.runAll(["throw new Error('no')", "console.log('skipped')"], TIMEOUT_MS);
    assertEquals((await failing).map(({ status }) => status), ["error", "aborted"]);
    assertEquals((await second.runAll(["1 + 1"], TIMEOUT_MS))[0].status, "ok");
  }));

Deno.test("a kernel that is killed takes its proxy along, and nothing stays behind", () =>
  withKernel(async (kernel, temporary) => {
    const pid = await pidOf(kernel);
    const running = kernel.runAll(["await new Promise(() => {})", "1 + 1"], TIMEOUT_MS);
    await new Deno.Command("kill", { args: ["-9", pid] }).output();
    const runs = await running;
    assertEquals(runs.map(({ status }) => status), ["error", "error"]);
    assertStringIncludes(runs[0].outputs.at(-1)?.text ?? "", "the kernel was ended by SIGKILL");
    await kernel.process.status;

    assertEquals(await Array.fromAsync(Deno.readDir(temporary)), []);
  }));

Deno.test("a proxy that is killed takes its kernel along, and nothing stays behind", () =>
  withKernel(async (kernel, temporary) => {
    const pid = await pidOf(kernel);
    kernel.process.kill("SIGKILL");
    await untilGone(pid);

    assertEquals(await Array.fromAsync(Deno.readDir(temporary)), []);
  }));

Deno.test("a Jupyter that is killed takes its kernels along, and nothing stays behind", async () => {
  const temporary = await Deno.makeTempDir();
  const jupyter = `const args = [...${JSON.stringify(OWN_KERNEL)}, Deno.args[0]];
    const env = { JPY_PARENT_PID: String(Deno.pid), TMPDIR: ${JSON.stringify(temporary)} };
    await new Deno.Command(Deno.execPath(), { args, env }).spawn().status;`;
  try {
    await using kernel = await Kernel.start({ folder: FOLDER, args: ["eval", jupyter] });
    const pid = await pidOf(kernel);
    kernel.process.kill("SIGKILL");
    await untilGone(pid);

    assertEquals(await Array.fromAsync(Deno.readDir(temporary)), []);
  } finally {
    await Deno.remove(temporary, { recursive: true });
  }
});

/** Processes that hold the data of live tables, of a kernel with a folder for temporary files of its own. */
async function dataProcesses(temporary: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const command = await Deno.readTextFile(`/proc/${name}/cmdline`).catch(() => "");
    if (command.includes("serve_tables.ts") && command.includes(temporary)) found.push(name);
  }
  return found;
}

const LIVE_TABLE = "SELECT md5(i::VARCHAR) || md5((i + 1)::VARCHAR) AS word FROM range(0, 6000000) r(i)";

for (const who of ["a kernel", "a proxy"]) {
  for (const amid of ["", " while all rows are ordered"]) {
    Deno.test(`${who} that is killed${amid} takes the process of its live tables and what it spilled along`, () =>
      inFolder((data) =>
        withKernel(async (kernel, temporary) => {
          const path = `${data}/a.parquet`;
          await writeParquet(path, `${LIVE_TABLE} LIMIT ${amid === "" ? 1000 : 6e6}`);
          const cell = `import { live } from "seqreg/notebook"; await live(${JSON.stringify(path)})`;
          await kernel.run(cell, TIMEOUT_MS);
          const { comm_id } = await kernel.untilSaid("comm_open", () => true, TIMEOUT_MS);
          const ask = (id: string, question: object) =>
            kernel.say("comm_msg", { comm_id, data: { op: "ask", id, question } });
          const isAnswer = (id: string) => ({ data }: Readonly<Record<string, unknown>>) => Object(data).id === id;
          await ask("page-1", { op: "rows", offset: 0, limit: 2, columns: [0], sort: null, filters: [] });
          await kernel.untilSaid("comm_msg", isAnswer("page-1"), TIMEOUT_MS);
          const pid = await pidOf(kernel);
          assertEquals((await dataProcesses(temporary)).length, 1);
          if (amid !== "") {
            await ask("page-2", { op: "settle", sort: { column: 0, descending: false }, filters: [] });
            // Killed as it writes what does not fit into memory.
            const spilled = () => namesIn(temporary).flatMap((name) => namesIn(`${temporary}/${name}`));
            while (spilled().length === 0 && !kernel.said("comm_msg").some(isAnswer("page-2"))) {
              await new Promise((resolve) => setTimeout(resolve, 10));
            }
            assert(!kernel.said("comm_msg").some(isAnswer("page-2")), "all rows were ordered before the kill");
          }
          if (who === "a proxy") kernel.process.kill("SIGKILL");
          else await new Deno.Command("kill", { args: ["-9", pid] }).output();
          await kernel.process.status;
          await untilGone(pid);
          const deadline = Date.now() + TIMEOUT_MS;
          while ((await dataProcesses(temporary)).length > 0 && Date.now() < deadline) {
            await new Promise((resolve) => setTimeout(resolve, 50));
          }

          assertEquals([await dataProcesses(temporary), namesIn(temporary)], [[], []]);
        })
      ));
  }
}

Deno.test("a replay that is killed takes its kernel along", async () => {
  const client = new URL("../../../src/again/replay/kernel_client.ts", import.meta.url).href;
  const command = [Deno.execPath(), ...OWN_KERNEL, "{connection_file}"];
  const program = `import { KernelClient } from ${JSON.stringify(client)};
    const options = { command: ${JSON.stringify(command)}, folder: Deno.cwd(), env: {} };
    await using kernel = await KernelClient.start(options);
    const [{ text }] = await kernel.run("console.log(Deno.pid)");
    console.log(text);
    await new Promise(() => setTimeout(() => {}, 60_000));`;
  await using replay = new Deno.Command(Deno.execPath(), { args: ["eval", program], stdout: "piped" }).spawn();
  const reader = replay.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const pid = (await reader.read()).value?.trim() ?? "";
  await reader.cancel();
  replay.kill("SIGKILL");
  await untilGone(pid);
});

Deno.test("a kernel that was shut down starts again on the same ports, without the old state", async () => {
  const connectionFile = await writeConnectionFile();
  const content = await Deno.readTextFile(connectionFile);
  await inFolder(async (temporary) => {
    {
      await using first = await startOwn(temporary, connectionFile);
      await first.run("globalThis.old = 1", TIMEOUT_MS);
      await first.shutDown();
    }
    await Deno.writeTextFile(connectionFile, content);
    await using second = await startOwn(temporary, connectionFile);
    assertEquals(printed(await second.run("console.log(typeof old)", TIMEOUT_MS)), "undefined\n");
  });
});

Deno.test("20,000 lines and 5 MB arrive whole, and an image of 5 MB too", () =>
  withKernel(async (kernel) => {
    const lines = printed(await kernel.run("for (let i = 0; i < 20_000; i++) console.log(i)", TIMEOUT_MS));
    assertEquals(lines, Array.from({ length: 20_000 }, (_, line) => `${line}\n`).join(""));
    const [{ outputs }] = await kernel.runAll(["console.log('x'.repeat(5e6)); ({a: 1})"], TIMEOUT_MS);
    assertEquals([printed(outputs).length, outputs.at(-1)?.type], [5_000_001, "execute_result"]);
    const shown = await kernel.run(
      `({ [Symbol.for("Jupyter.display")]: () => ({ "text/plain": "p", "image/png": "A".repeat(5e6) }) })`,
      TIMEOUT_MS,
    );
    assertEquals(String(shown[0]?.data?.["image/png"]).length, 5_000_000);
  }));

/** A front end's connection that subscribes and then reads nothing: bytes of the protocol as a client sends them. */
async function connectDeaf(kernel: Kernel): Promise<Deno.TcpConn> {
  const file: unknown = JSON.parse(await Deno.readTextFile(kernel.connectionFile));
  const port: unknown = typeof file === "object" && file !== null ? Reflect.get(file, "iopub_port") : undefined;
  assert(typeof port === "number");
  const deaf = await Deno.connect({ hostname: "127.0.0.1", port });
  const greeting = new Uint8Array(64);
  greeting.set([0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0x7f, 3, 0, ...new TextEncoder().encode("NULL")]);
  const ready = new TextEncoder().encode("\x05READY\x0bSocket-Type\x00\x00\x00\x03SUB");
  await deaf.write(Uint8Array.of(...greeting, 4, ready.length, ...ready, 0, 1, 1));
  return deaf;
}

Deno.test("a client that does not read holds up nobody", () =>
  withKernel(async (kernel) => {
    using _deaf = await connectDeaf(kernel);
    for (let cell = 0; cell < 4; cell++) {
      const [{ outputs }] = await kernel.runAll(["console.log('x'.repeat(5e6))"], TIMEOUT_MS);
      assertEquals(printed(outputs).length, 5_000_001);
    }
  }));

Deno.test("output that the kernel tears because nobody reads for a while arrives whole", () =>
  withKernel(async (kernel, temporary) => {
    // While the proxy stands still the socket fills up in the middle of a message, and there the kernel says that it is
    // idle.
    const wait = "await new Promise((resolve) => setTimeout(resolve, 200));";
    const said = JSON.stringify(`${temporary}/said`);
    const code =
      `console.log("begun"); ${wait} console.log("x".repeat(20e6)); ${wait} Deno.writeTextFileSync(${said}, "")`;
    const running = kernel.runAll([code, "console.log('next')"], TIMEOUT_MS);
    await kernel.untilPrinted("begun", TIMEOUT_MS);
    kernel.process.kill("SIGSTOP");
    try {
      const deadline = Date.now() + TIMEOUT_MS;
      while (!await Deno.stat(`${temporary}/said`).catch(() => undefined) && Date.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    } finally {
      kernel.process.kill("SIGCONT");
    }
    const [first, next] = await running;
    assertEquals([printed(first.outputs).length, printed(next.outputs)], [20_000_007, "next\n"]);
  }));

Deno.test("bytes that are no message end that connection alone", () =>
  withKernel(async (kernel) => {
    const file: unknown = JSON.parse(await Deno.readTextFile(kernel.connectionFile));
    for (const name of ["shell_port", "iopub_port", "stdin_port", "control_port", "hb_port"]) {
      const port: unknown = typeof file === "object" && file !== null ? Reflect.get(file, name) : undefined;
      assert(typeof port === "number");
      using stranger = await Deno.connect({ hostname: "127.0.0.1", port });
      await stranger.write(crypto.getRandomValues(new Uint8Array(4096)));
    }
    assertStringIncludes(printed(await kernel.run("console.log('still here')", TIMEOUT_MS)), "still here");
  }));
