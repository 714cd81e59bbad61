/** Many kernels that start at once on busy cores, as those of a class do: each answers, at its first try. */
import { assertEquals } from "@std/assert";
import { writeConnectionFile } from "../../notebooks/_connection_file.ts";
import { Kernel, OWN_KERNEL } from "../../notebooks/_kernel.ts";
import { busyCores } from "./_busy_cores.ts";

const STARTS = 300;
const AT_ONCE = 30;
const FOLDER = new URL("./", import.meta.url);

Deno.test(`${STARTS} kernels, ${AT_ONCE} at a time, on busy cores: all answer`, async () => {
  await using _busy = busyCores();
  const faults: string[] = [];
  for (let begun = 0; begun < STARTS; begun += AT_ONCE) {
    const taken = new Set<number>();
    const files: string[] = [];
    while (files.length < AT_ONCE) files.push(await connectionFileBeside(taken));
    await Promise.all(files.map(async (connectionFile, index) => {
      try {
        const args = OWN_KERNEL;
        await using kernel = await Kernel.start({ folder: FOLDER, args, connectionFile, stderr: "inherit" });
        const [answer] = await kernel.run(`console.log(${begun + index})`, 60_000);
        if (answer?.text !== `${begun + index}\n`) faults.push(`${begun + index}: answered ${answer?.text}`);
      } catch (cause) {
        faults.push(`${begun + index}: ${cause}`);
      }
    }));
  }
  assertEquals(faults, []);
});

/** A front end gives no port to two kernels of its own. */
async function connectionFileBeside(taken: Set<number>): Promise<string> {
  for (;;) {
    const path = await writeConnectionFile();
    const file: Record<string, unknown> = JSON.parse(await Deno.readTextFile(path));
    const ports = Object.entries(file).filter(([name]) => name.endsWith("_port")).map(([, port]) => Number(port));
    if (!ports.some((port) => taken.has(port))) {
      for (const port of ports) taken.add(port);
      return path;
    }
    await Deno.remove(path);
  }
}
