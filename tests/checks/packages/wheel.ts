/**
 * The wheel, whole: built twice, installed by pip into a fresh environment with no index, and used in an empty home
 * with the network refused; a notebook runs in its kernel by nbclient.
 *
 * It needs Python and PyPI (nbclient, the wheel of Deno): `deno test --allow-all tests/checks/packages/wheel.ts`.
 * `PYTHON` names a Python with pytest, polars, pandas, pyarrow and DuckDB.
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { fromFileUrl } from "../../_files.ts";
import { PYTHON } from "../../_python.ts";
import {
  folderBytes,
  must,
  NO_NETWORK,
  OWN_PACKAGE_CELL,
  OWN_PACKAGE_PRINTS,
  ROOT,
  tryCommands,
  writeOwnPackage,
} from "./_installed.ts";

const PAGE = new URL("../../../docs/python_and_r.md", import.meta.url);

const MB = 1e6;
const MOST = { wheelBytes: 100 * MB, installedBytes: 350 * MB, installMs: 60_000, versionMs: 120 };

/** Builds the wheel and returns its path. */
async function build(): Promise<string> {
  const { stdout } = await must([Deno.execPath(), "task", "--quiet", "wheel"], { cwd: ROOT });
  return stdout.trim();
}

Deno.test("the wheel works in an empty home with the network refused", async (t) => {
  const room = await Deno.realPath(await Deno.makeTempDir());
  await using _ = { [Symbol.asyncDispose]: () => Deno.remove(room, { recursive: true }) };
  const wheel = await build();
  const bytes = await Deno.readFile(wheel);
  const again = await Deno.readFile(await build());
  assertEquals(
    again.length === bytes.length && again.every((byte, index) => byte === bytes[index]),
    true,
    "two builds",
  );
  const wheels = wheel.slice(0, wheel.lastIndexOf("/"));

  const home = `${room}/home`;
  const env = { HOME: home, PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", NO_COLOR: "1" };
  const bin = `${room}/venv/bin`;
  await Deno.mkdir(`${home}/my analysis`, { recursive: true });
  await must(["python3", "-m", "venv", `${room}/venv`]);
  await must([`${bin}/pip`, "install", "--quiet", "nbclient==0.11.0"]);

  const site = `${room}/site.txt`;
  await t.step("pip installs it without an index", async () => {
    const { ms } = await must(
      [...NO_NETWORK, `${bin}/pip`, "install", "--no-index", "--find-links", wheels, "seqreg-toolkit"],
      { env },
    );
    const { stdout } = await must([`${bin}/python`, "-c", "import seqreg_toolkit as s; print(s.__path__[0])"]);
    await Deno.writeTextFile(site, stdout.trim());
    const installed = await folderBytes(stdout.trim());
    console.log(
      `wheel ${(bytes.length / MB).toFixed(1)} MB, installed ${(installed / MB).toFixed(1)} MB, ` +
        `in ${(ms / 1000).toFixed(1)} s`,
    );
    assert(bytes.length <= MOST.wheelBytes && installed <= MOST.installedBytes && ms <= MOST.installMs);
  });
  const options = { cwd: `${home}/my analysis`, env };
  await tryCommands(t, [`${bin}/seqreg`], options);
  await t.step("import seqreg: the examples of its documentation run", async () => {
    // The environment finds the packages of the other Python after its own.
    const { stdout: paths } = await must([PYTHON, "-c", "import site; print(*site.getsitepackages(), sep='\\n')"]);
    const { stdout: own } = await must([`${bin}/python`, "-c", "import site; print(site.getsitepackages()[0])"]);
    await Deno.writeTextFile(`${own.trim()}/others.pth`, paths);
    const pytest = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--doctest-modules", "--pyargs", "seqreg"];
    const { stdout } = await must([...NO_NETWORK, `${bin}/python`, ...pytest], options);
    assertMatch(stdout, /^[7-9] passed/m);
    const blocks = [...(await Deno.readTextFile(PAGE)).matchAll(/^```python\n([\s\S]*?)^```$/gm)];
    assertEquals(blocks.length, 2);
    const script = blocks.map(([, block]) => block).join("");
    const { stdout: printed, stderr } = await must([...NO_NETWORK, `${bin}/python`, "-c", script], options);
    assertMatch(printed, /│ +[0-9]+ │[\s\S]*sha256\/[0-9a-f]{64}\n([0-9]+) of \1\n[\s\S]*>vj000000000001\n/);
    assertEquals(stderr, "");
    await Deno.remove(`${own.trim()}/others.pth`);
  });
  await t.step("the version comes at once", async () => {
    const times: number[] = [];
    for (let turn = 0; turn < 10; turn++) times.push((await must([`${bin}/seqreg`, "--version"], options)).ms);
    const best = Math.min(...times);
    console.log(`seqreg --version in ${best.toFixed(0)} ms (best of ${times.length})`);
    assert(best <= MOST.versionMs);
  });
  await t.step("its bundle works without it, in an empty home", async () => {
    await must([...NO_NETWORK, `${bin}/seqreg`, "bundle", "--quiet", "-o", "bundle.tar.gz"], options);
    const unpacked = `${room}/unpacked`;
    await Deno.mkdir(unpacked);
    await must(["tar", "-xzf", `${options.cwd}/bundle.tar.gz`, "-C", unpacked]);
    await Deno.remove(`${options.cwd}/bundle.tar.gz`);
    const [{ name }] = await Array.fromAsync(Deno.readDir(unpacked));
    const alone = { cwd: `${unpacked}/${name}`, env: { ...env, HOME: unpacked } };
    assertStringIncludes((await must([...NO_NETWORK, "./seqreg", "demo"], alone)).stdout, "== Next");
    await must([...NO_NETWORK, "./seqreg", "run", "toolkit/examples/search.ts"], alone);
  });
  await t.step("Jupyter lists its kernel", async () => {
    const { stdout } = await must([...NO_NETWORK, `${bin}/jupyter`, "kernelspec", "list"], options);
    assertMatch(stdout, /deno-seqreg\s+\S*\/venv\/share\/jupyter\/kernels\/deno-seqreg/);
  });
  await t.step("a notebook runs in its kernel", async () => {
    await Deno.writeTextFile(`${options.cwd}/mine.ts`, "export const mine: number = 42;\n");
    const script = fromFileUrl(new URL("_notebook.py", import.meta.url));
    const { stdout } = await must([...NO_NETWORK, `${bin}/python`, script], options);
    assertStringIncludes(stdout, "75 records, 1 row, 42, my analysis");
    await writeOwnPackage(options.cwd);
    const again = await must([...NO_NETWORK, `${bin}/python`, script, OWN_PACKAGE_CELL], options);
    assertStringIncludes(again.stdout, "75 records, 1 row, 42, my analysis");
    assertStringIncludes(again.stdout, OWN_PACKAGE_PRINTS);
  });
});
