/**
 * Our kernel under the programs that run notebooks without a person: nbclient, nbconvert, jupyter_client. Run by `deno
 * task checks browser-nbclient`.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { runCli } from "../_cli.ts";
import { testNeeding } from "../_needs.ts";
import { NEEDS_JUPYTER, openBrowser, testInLab, writeNotebook } from "./_lab.ts";

const TOOLKIT = new URL("../../", import.meta.url).href;
const OUT = new URL("../../.ci/out/", import.meta.url).pathname;

/** One folder with our kernel installed for it alone. */
class Workplace implements AsyncDisposable {
  private constructor(readonly folder: string) {}

  static async make(): Promise<Workplace> {
    const folder = await Deno.makeTempDir();
    const { code, stderr } = await runCli(["kernel", "install", "--data-dir", `${folder}/data`]);
    assertEquals(code, 0, stderr);
    return new Workplace(folder);
  }

  async run(program: string, ...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    const { code, stdout, stderr } = await new Deno.Command(program, {
      args,
      cwd: this.folder,
      env: { JUPYTER_PATH: `${this.folder}/data`, JUPYTER_RUNTIME_DIR: `${this.folder}/runtime`, SEQREG_URL: "" },
    }).output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    return { code, stdout: text(stdout), stderr: text(stderr) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.folder, { recursive: true });
  }
}

/** Streams and errors of each code cell of a notebook that was run. */
async function outputsOf(path: string): Promise<{ text: string; errors: string[] }[]> {
  const notebook: { cells: { outputs: Record<string, unknown>[] }[] } = JSON.parse(await Deno.readTextFile(path));
  return notebook.cells.map(({ outputs }) => ({
    text: outputs.filter((output) => output.output_type === "stream").map(({ text }) => [text].flat().join("")).join(
      "",
    ),
    errors: outputs.filter((output) => output.output_type === "error").map(({ ename, evalue }) =>
      `${ename}: ${evalue}`
    ),
  }));
}

const PRINTS = [1, 2, 3, 4, 5].map((cell) => `for (let i = 0; i < 500; i++) console.log("${cell}:" + i)`);

async function checkPrints(path: string): Promise<void> {
  for (const [index, { text, errors }] of (await outputsOf(path)).entries()) {
    assertEquals(errors, []);
    assertEquals(text, Array.from({ length: 500 }, (_, line) => `${index + 1}:${line}\n`).join(""));
  }
}

const RUNNERS: Readonly<Record<string, readonly string[]>> = {
  nbclient: ["jupyter", "execute", "--output=ran", "prints.ipynb"],
  "nbclient, pinned to one core": ["taskset", "-c", "0", "jupyter", "execute", "--output=ran", "prints.ipynb"],
  nbconvert: ["jupyter", "nbconvert", "--to", "notebook", "--execute", "--output", "ran", "prints.ipynb"],
};

for (const [name, [program, ...args]] of Object.entries(RUNNERS)) {
  testNeeding(NEEDS_JUPYTER, `${name} gets every printed line under its own cell`, async () => {
    await using place = await Workplace.make();
    await writeNotebook(`${place.folder}/prints.ipynb`, PRINTS);
    const { code, stderr } = await place.run(program, ...args);
    assertEquals(code, 0, stderr);
    await checkPrints(`${place.folder}/ran.ipynb`);
  });
}

testNeeding(NEEDS_JUPYTER, "nbclient shows a syntax error, and goes on where errors are allowed", async () => {
  await using place = await Workplace.make();
  await writeNotebook(`${place.folder}/a.ipynb`, ["console.log('one')", "const a = (", "console.log('three')"]);
  const { code, stderr } = await place.run("jupyter", "execute", "--allow-errors", "--output=ran", "a.ipynb");
  assertEquals(code, 0, stderr);
  const [, wrong, after] = await outputsOf(`${place.folder}/ran.ipynb`);
  assertStringIncludes(wrong.errors[0], "SyntaxError: the cell was not run");
  assertEquals(after.text, "three\n");
});

testNeeding(NEEDS_JUPYTER, "nbclient stops at an error and names it", async () => {
  await using place = await Workplace.make();
  const cells = ["console.log('before'); throw new RangeError('too far')", `Deno.writeTextFileSync("ran.txt", "")`];
  await writeNotebook(`${place.folder}/a.ipynb`, cells);
  const { code, stderr } = await place.run("jupyter", "execute", "a.ipynb");
  assert(code !== 0);
  assertStringIncludes(stderr, "RangeError: too far");
  assertEquals(await Deno.stat(`${place.folder}/ran.txt`).catch(() => "not run"), "not run");
});

testNeeding(NEEDS_JUPYTER, "40,000 lines and 5 MB reach nbclient whole", async () => {
  await using place = await Workplace.make();
  const cells = [
    "for (let i = 0; i < 40_000; i++) console.log(i)",
    "console.log('x'.repeat(5e6))",
    "console.log('end')",
  ];
  await writeNotebook(`${place.folder}/big.ipynb`, cells);
  const { code, stderr } = await place.run("jupyter", "execute", "--output=ran", "big.ipynb");
  assertEquals(code, 0, stderr);
  const [lines, big, end] = await outputsOf(`${place.folder}/ran.ipynb`);
  assertEquals(lines.text, Array.from({ length: 40_000 }, (_, line) => `${line}\n`).join(""));
  assertEquals([big.text.length, end.text], [5_000_001, "end\n"]);
});

/** jupyter_client gives its stdin socket the identity of its shell socket: by it a request for input finds its way. */
const PROMPT = `
import sys
from jupyter_client.manager import start_new_kernel
manager, client = start_new_kernel(kernel_name="deno-seqreg", startup_timeout=120)
try:
    heard = []
    for answer in ["Kenya", "Peru"]:
        def give(message):
            client.input(answer)
        def hear(message):
            if message["msg_type"] == "stream": heard.append(message["content"]["text"])
        client.execute_interactive("console.log('got ' + prompt('country?'))", allow_stdin=True, timeout=120,
                                   stdin_hook=give, output_hook=hear)
    sys.stdout.write("".join(heard))
finally:
    client.stop_channels()
    manager.shutdown_kernel(now=True)
`;

testNeeding(NEEDS_JUPYTER, "prompt() asks through jupyter_client and gets its answers", async () => {
  await using place = await Workplace.make();
  const { code, stdout, stderr } = await place.run(Deno.env.get("PYTHON") ?? "python3", "-c", PROMPT);
  assertEquals(code, 0, stderr);
  assertStringIncludes(stdout, "got Kenya");
  assertStringIncludes(stdout, "got Peru");
});

testInLab("a page that nbconvert writes is readable without scripts, and alive with them", async () => {
  await Deno.mkdir(OUT, { recursive: true });
  await using place = await Workplace.make();
  await writeNotebook(`${place.folder}/page.ipynb`, [
    `const { show } = await import("${TOOLKIT}src/jupyter/notebook/mod.ts");`,
    `const sequence = "GCAT".repeat(100) + "ATTA".repeat(100);
     await show(Array.from({ length: 60 }, (_, n) => ({ Country: n % 2 ? "Kenya" : "Peru", n, sequence })), "records")`,
    `import { live } from "seqreg/notebook";
     import pl from "nodejs-polars";
     await live(pl.DataFrame({ n: Array.from({ length: 60 }, (_, n) => n) }), { caption: "numbers" })`,
  ]);
  const { code, stderr } = await place.run("jupyter", "nbconvert", "--to", "html", "--execute", "page.ipynb");
  assertEquals(code, 0, stderr);
  await using browser = await openBrowser();
  for (const javaScriptEnabled of [false, true]) {
    const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 1000, height: 1200 } });
    const page = await context.newPage();
    // The page's own scripts from elsewhere are not needed, and this machine may be without a network.
    await page.route(/^https?:/, (route) => route.abort());
    await page.goto(`file://${place.folder}/page.html`, { waitUntil: "domcontentloaded" });
    const live = page.locator("[data-seqreg-live=saved] .seqreg-table");
    assertStringIncludes(await live.innerText(), "numbers: 60 rows × 1 column; the first 50 are here");
    assertEquals([await live.locator("tbody tr").count(), await page.locator(".seqreg-live-grid").count()], [20, 0]);
    const table = page.locator(".seqreg-table").first();
    assertEquals(await table.locator("tbody tr").count(), 20);
    assertStringIncludes(await table.innerText(), "records: 60 rows × 3 columns");
    const strips = table.locator(javaScriptEnabled ? "canvas" : "img");
    const shape = await strips.first().boundingBox();
    assert(shape !== null && shape.width > 100 && shape.height > 5);
    if (javaScriptEnabled) {
      await table.getByRole("searchbox").fill("kenya");
      assertStringIncludes(await table.locator("[role=status]").innerText(), "30 of 60 rows, page 1 of 2");
    }
    await page.screenshot({ path: `${OUT}nbconvert-${javaScriptEnabled ? "alive" : "plain"}.png` });
    await context.close();
  }
});
