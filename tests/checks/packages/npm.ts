/**
 * The npm package, whole: installed by npm into a folder of its own, and used in an empty home with the network
 * refused.
 *
 * It needs npm and its registry: `deno test --allow-all tests/checks/packages/npm.ts`.
 */
import { assertEquals } from "@std/assert";
import { Kernel } from "../../notebooks/_kernel.ts";
import {
  must,
  NO_NETWORK,
  OWN_PACKAGE_CELL,
  OWN_PACKAGE_PRINTS,
  ROOT,
  run,
  tryCommands,
  writeOwnPackage,
} from "./_installed.ts";

const KERNEL_MS = 120_000;

Deno.test("the npm package works in an empty home with the network refused", async (t) => {
  const room = await Deno.realPath(await Deno.makeTempDir());
  await using _ = { [Symbol.asyncDispose]: () => Deno.remove(room, { recursive: true }) };
  const { stdout } = await must([Deno.execPath(), "task", "--quiet", "npm"], { cwd: ROOT });
  const home = `${room}/home`;
  const project = `${home}/project`;
  await Deno.mkdir(project, { recursive: true });
  await Deno.writeTextFile(`${project}/package.json`, '{ "private": true }\n');
  // npm with a Node.js below 22 leaves the native package of polars out unless it is named.
  const node = Number((await must(["node", "--version"])).stdout.replace(/^v(\d+).*/s, "$1"));
  const { imports } = JSON.parse(await Deno.readTextFile(`${ROOT}/deno.json`));
  const native = String(imports["nodejs-polars"]).replace("npm:nodejs-polars", "nodejs-polars-linux-x64-gnu");
  const more = node < 22 ? [native] : [];
  const { ms } = await must(["npm", "install", "--no-audit", "--no-fund", stdout.trim(), ...more], { cwd: project });
  console.log(`npm install in ${(ms / 1000).toFixed(1)} s`);

  const env = { HOME: home, PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", NO_COLOR: "1" };
  const options = { cwd: project, env };
  await tryCommands(t, ["npx", "seqreg"], options);
  await t.step("the interrupt reaches the program", async () => {
    const child = new Deno.Command(`${project}/node_modules/.bin/seqreg`, {
      args: ["serve"],
      cwd: project,
      env,
      clearEnv: true,
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const reader = child.stdout.getReader();
    await reader.read();
    child.kill("SIGINT");
    reader.releaseLock();
    await child.stdout.cancel();
    assertEquals((await child.status).code, 0);
  });
  await t.step("its kernel takes what the notebook's folder has of its own", async () => {
    await must([...NO_NETWORK, "npx", "seqreg", "kernel", "install", "--data-dir", `${room}/jupyter`], options);
    await writeOwnPackage(project);
    const spec = `${room}/jupyter/kernels/deno-seqreg/kernel.json`;
    const { argv }: { argv: string[] } = JSON.parse(await Deno.readTextFile(spec));
    const args = argv.slice(argv.indexOf("run"), -1);
    await using kernel = await Kernel.start({ folder: new URL(`file://${project}/`), args, env: { HOME: home } });
    const cells = [OWN_PACKAGE_CELL, 'console.log((await import("seqreg")).Registry.name);'];
    const ran = await kernel.runAll(cells, KERNEL_MS);
    assertEquals(ran.map(({ outputs }) => outputs[0]?.text), [`${OWN_PACKAGE_PRINTS}\n`, "Registry\n"]);
  });
  await t.step("an unknown command", async () => {
    assertEquals((await run(["npx", "seqreg", "no-such-command"], options)).code, 2);
  });
});
