/** `seqreg init`, seen from a folder that is nowhere near the checkout. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { runCli } from "../../_cli.ts";
import { Kernel, OWN_KERNEL } from "../../notebooks/_kernel.ts";
import { readCells } from "../../notebooks/_notebook.ts";

const TIMEOUT_MS = 90_000;

async function withProject(work: (folder: string, env: Record<string, string>) => Promise<void>): Promise<void> {
  const base = await Deno.makeTempDir();
  try {
    const folder = `${base}/my analysis`;
    const { code, stdout, stderr } = await runCli(["init", folder]);
    assertEquals([code, stdout], [
      0,
      ["deno.json", "first.ts", "first.ipynb"].map((name) => `${folder}/${name}\n`).join(""),
    ]);
    assertStringIncludes(stderr, "seqreg lab");
    await work(folder, { SEQREG_CACHE: `${base}/cache`, SEQREG_URL: "" });
  } finally {
    await Deno.remove(base, { recursive: true });
  }
}

Deno.test("the script of a new project runs with the command that its first line names", () =>
  withProject(async (folder, env) => {
    const [first] = (await Deno.readTextFile(`${folder}/first.ts`)).split("\n");
    const args = first.replace("// deno ", "").split(" ");
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args, cwd: folder, env }).output();
    assertEquals(code, 0, new TextDecoder().decode(stderr));
    assertEquals(new TextDecoder().decode(stdout), "75 records from Kenya; complete: true\n");
  }));

Deno.test("the notebook of a new project runs in the kernel, cell by cell", () =>
  withProject(async (folder, env) => {
    await using kernel = await Kernel.start({
      folder: new URL(`file://${encodeURI(folder)}/`),
      args: OWN_KERNEL,
      env,
    });
    const shown: string[] = [];
    for (const cell of await readCells(new URL(`file://${encodeURI(folder)}/first.ipynb`))) {
      if (cell.type !== "code") continue;
      const outputs = await kernel.run(cell.source, TIMEOUT_MS);
      assertEquals(outputs.filter(({ type }) => type === "error").map(({ text }) => text), []);
      shown.push(...outputs.map(({ data }) => String(data?.["text/plain"])));
    }
    assert(shown.some((text) => text.includes("records 1 to 20 of 75: page 1")), shown.join("\n"));
    assert(shown.some((text) => text.includes("frame: 20 rows")), shown.join("\n"));
  }));

Deno.test("a folder that holds something is left alone", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/mine.txt`, "mine");
  const { code, stderr } = await runCli(["init", folder]);
  assertEquals(code, 1);
  assertStringIncludes(stderr, "it contains mine.txt; use a new folder");
  assertEquals((await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name), ["mine.txt"]);
  await Deno.remove(folder, { recursive: true });
});
