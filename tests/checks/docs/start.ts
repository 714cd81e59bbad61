/**
 * The three doors of `docs/start` are walked as they are written: every command is typed, every cell is run, every
 * output compared; what comes after "switch the network off" runs without one.
 *
 * It needs JupyterLab (that of `PYTHON`), tar and unshare. `-- --show` prints what there is instead of comparing it.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { dirname } from "node:path";
import { NEUTRAL } from "../../_cli.ts";
import { fromFileUrl, inFolder } from "../../_files.ts";
import { needsPrograms, testNeeding } from "../../_needs.ts";
import { Kernel } from "../../notebooks/_kernel.ts";
import { NO_NETWORK, run } from "../packages/_installed.ts";
import { type DoorBlock, readDoor, withoutMargin } from "./_doors.ts";

const CONFIG = fromFileUrl(new URL("../../../deno.json", import.meta.url));
const MAIN = fromFileUrl(new URL("../../../src/cli/main.ts", import.meta.url));
const CELL_TIMEOUT_MS = 120_000;
const PATH = [...Deno.env.has("PYTHON") ? [dirname(Deno.env.get("PYTHON")!)] : [], Deno.env.get("PATH") ?? ""].join(
  ":",
);

/**
 * What is there before the first line: `seqreg`, installed from the checkout, and a browser that says what it opens. A
 * server is ended as soon as its address is printed; the folder in which a block ends is where the next one begins.
 */
const SHELL = `set -euo pipefail
seqreg() { "${Deno.execPath()}" run --quiet --no-check --allow-all --config "${CONFIG}" "${MAIN}" "$@"; }
opened() {
  set -m; "$@" > "$DOOR/opened" 2>&1 & local server=$!
  for _ in $(seq 600); do grep -q "http://127.0.0.1:\\|http://localhost:" "$DOOR/opened" && break; sleep 0.1; done
  kill -TERM -- -$server; wait $server || true
  grep -q "http://127.0.0.1:\\|http://localhost:" "$DOOR/opened" || { cat "$DOOR/opened" >&2; exit 1; }
}
cd "$(cat "$DOOR/place")"
`;

async function type({ code }: DoorBlock, { door, network }: { door: string; network: boolean }): Promise<string> {
  // JupyterLab is a package of the Python that runs the checks.
  const lines = code.replace(/^pip install jupyterlab$/m, "jupyter lab --version > /dev/null")
    .replaceAll(/^(\S*seqreg (?:lab|docs)\b.*)$/gm, "opened $1");
  const { code: end, stdout, stderr } = await run(
    [...network ? [] : NO_NETWORK, "bash", "-c", `${SHELL}${lines}\npwd > "$DOOR/place"`],
    {
      cwd: door,
      env: {
        ...Deno.env.toObject(),
        ...NEUTRAL,
        PATH,
        HOME: `${door}/home`,
        DOOR: door,
        DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`,
        SEQREG_CACHE: `${door}/cache`,
        BROWSER: "true",
      },
    },
  );
  assertEquals(end, 0, `${code}\n${stdout}\n${stderr}`);
  return stdout;
}

/** Goes through a door in an empty home. */
async function walk(page: string, t: Deno.TestContext): Promise<void> {
  await inFolder(async (folder) => {
    const door = await Deno.realPath(folder);
    await Deno.mkdir(`${door}/home/.jupyter`, { recursive: true });
    await Deno.writeTextFile(`${door}/home/.jupyter/jupyter_server_config.json`, '{"ServerApp":{"allow_root":true}}');
    await Deno.writeTextFile(`${door}/place`, `${door}/home`);
    const place = async () => (await Deno.readTextFile(`${door}/place`)).trim();
    let kernel: Kernel | undefined;
    let network = true;
    for (const block of await readDoor(page)) {
      await t.step(block.code.split("\n")[0], async () => {
        if (block.file !== undefined) {
          await Deno.writeTextFile(`${await place()}/${block.file}`, block.code);
        } else if (block.language === "sh") {
          // The bundle is packed with the network, the day before.
          compare(block, await type(block, { door, network }));
          network &&= !block.code.includes("seqreg bundle");
        } else {
          kernel ??= await startKernel(`${door}/cache`, await place());
          const outputs = await kernel.run(block.code, CELL_TIMEOUT_MS);
          assertEquals(outputs.filter(({ type }) => type === "error"), []);
          compare(block, outputs.map(({ text, data }) => String(text ?? data?.["text/plain"] ?? "")).join("\n"));
        }
      });
    }
    await kernel?.[Symbol.asyncDispose]();
  });
}

/** Starts the kernel as JupyterLab does, by the kernelspec that `seqreg lab` wrote. */
async function startKernel(cache: string, folder: string): Promise<Kernel> {
  const spec = JSON.parse(await Deno.readTextFile(`${cache}/jupyter/kernels/deno-seqreg/kernel.json`));
  // Whatever starts Deno: what it is given begins with "run".
  const args = spec.argv.slice(spec.argv.indexOf("run"));
  assertEquals(args.at(-1), "{connection_file}");
  return await Kernel.start({
    folder: new URL(`file://${folder}/`),
    args: args.slice(0, -1),
    env: { ...spec.env, ...NEUTRAL, SEQREG_CACHE: cache },
  });
}

/** What the page shows is printed, in this order; a line `…` stands for what the page leaves out. */
function compare({ output }: DoorBlock, printed: string): void {
  if (Deno.args.includes("--show")) return console.log(printed);
  const shown = withoutMargin(printed);
  let from = 0;
  for (const part of output === undefined ? [] : output.split(/^…$/m).map((part) => part.trim()).filter(Boolean)) {
    const at = shown.indexOf(part, from);
    assert(at >= 0, `the page shows\n${part}\nand this is printed:\n${shown}`);
    from = at + part.length;
  }
}

for (const page of ["notebooks.md", "scripts.md", "teach.md"]) {
  const needs = needsPrograms("bash", "tar", "unshare");
  testNeeding(needs, `the door docs/start/${page} is open`, async (t) => {
    const blocks = await readDoor(page);
    assert(blocks.length >= 2 && blocks.some(({ language }) => language === "sh"));
    assertMatch(blocks[0].code, /^(pip install|seqreg) /);
    await walk(page, t);
  });
}
