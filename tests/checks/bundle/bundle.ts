/**
 * `seqreg bundle`, whole: packed, unpacked in an empty home, and used with the network refused.
 *
 * It packs some hundred megabytes, so it is no part of `deno task test`: `deno test --allow-all
 * tests/checks/bundle/bundle.ts`. The network is taken away with `unshare` (a namespace with loopback alone); where
 * that is forbidden every request is sent to a closed port, and a line says so.
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { fromFileUrl, walk } from "../../_files.ts";

const ROOT = new URL("../../../", import.meta.url);

/** Prints what a program printed when it fails. */
async function run(
  command: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<{ stdout: string; stderr: string; code: number }> {
  const { code, stdout, stderr } = await new Deno.Command(command[0], {
    args: command.slice(1),
    cwd: options.cwd,
    ...options.env && { env: options.env, clearEnv: true },
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** Takes the network from a command. */
async function networkRefuser(): Promise<{ prefix: readonly string[]; env: Readonly<Record<string, string>> }> {
  const prefix = ["unshare", "--map-root-user", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"];
  const works = await run([...prefix, "true"]).then(({ code }) => code === 0, () => false);
  if (works) return { prefix, env: {} };
  console.log("the network is refused by a closed port: unshare or ip does not work here");
  const closed = "http://127.0.0.1:1";
  return { prefix: [], env: { HTTP_PROXY: closed, HTTPS_PROXY: closed, ALL_PROXY: closed, NO_PROXY: "127.0.0.1" } };
}

Deno.test("a bundle works in an empty home with the network refused", async (t) => {
  const room = await Deno.makeTempDir();
  await using _ = { [Symbol.asyncDispose]: () => Deno.remove(room, { recursive: true }) };
  const home = `${room}/home`;
  await Deno.mkdir(home);
  const archive = `${room}/seqreg.tar.gz`;
  const packed = await run([
    Deno.execPath(),
    "run",
    "--allow-all",
    "--no-check",
    fromFileUrl(new URL("src/cli/main.ts", ROOT)),
    "bundle",
    "-o",
    archive,
  ]);
  assertEquals(packed.code, 0, packed.stderr);
  assertEquals(packed.stdout, `${archive}\n`);
  console.log(packed.stderr.trim());

  const unpacked = await run(["tar", "-xzf", archive, "-C", room]);
  assertEquals([unpacked.code, unpacked.stderr], [0, ""]);
  const [folder] = (await Array.fromAsync(Deno.readDir(room))).filter(({ name }) => name.startsWith("seqreg-"));
  // A blank in its path, as a memory stick may have.
  const bundle = `${room}/the bundle`;
  await Deno.rename(`${room}/${folder.name}`, bundle);

  const { prefix, env } = await networkRefuser();
  const base = { HOME: home, PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", NO_COLOR: "1", ...env };
  const inRoom = async (...command: readonly string[]) => {
    const result = await run([...prefix, ...command], { cwd: home, env: base });
    assertEquals(result.code, 0, `${command.join(" ")}: ${result.stderr}`);
    assertEquals(/Download/.test(result.stderr), false, result.stderr);
    return result.stdout;
  };

  await t.step("the network is refused", async () => {
    const { stdout } = await run(["npm", "config", "get", "registry"]);
    const probe = `try { await fetch("${stdout.trim()}"); console.log("reached") } catch { console.log("refused") }`;
    assertEquals(await inRoom(`${bundle}/deno`, "eval", probe), "refused\n");
  });
  await t.step("the README names what there is", async () => {
    const readme = await Deno.readTextFile(`${bundle}/README.txt`);
    assertStringIncludes(readme, "./seqreg demo");
    for (const [, name] of readme.matchAll(/(toolkit\/\S+\.ts)/g)) {
      assert((await Deno.stat(`${bundle}/${name}`)).isFile);
    }
    const lessons = await walk(new URL(`file://${encodeURI(bundle)}/toolkit/notebooks/`), ".ipynb");
    assert(lessons.length > 0);
  });
  await t.step("the demonstration", async () => {
    assertStringIncludes(await inRoom(`${bundle}/seqreg`, "demo"), "== Next");
  });
  await t.step("the documentation", async () => {
    const script = `"$0" docs --no-browser > address & docs=$!
for _ in $(seq 200); do test -s address && break; sleep 0.1; done
curl -fsS "$(cat address)cookbook/" | head -c 15; kill $docs; wait $docs || true; rm address`;
    assertEquals(await inRoom("bash", "-c", script, `${bundle}/seqreg`), "<!DOCTYPE html>");
  });
  await t.step("every example", async () => {
    for (const example of await walk(new URL(`file://${encodeURI(bundle)}/toolkit/examples/`), ".ts")) {
      const [first] = (await Deno.readTextFile(example)).split("\n", 1);
      const permissions = first.match(/--allow-[a-z]+/g) ?? [];
      assert((await inRoom(`${bundle}/deno`, "run", "--no-prompt", ...permissions, fromFileUrl(example))).length > 0);
    }
  });
  await t.step("every lesson, in the bundle's own kernel", async () => {
    for (const lesson of await walk(new URL(`file://${encodeURI(bundle)}/toolkit/notebooks/`), ".ipynb")) {
      const script = fromFileUrl(new URL("_room.ts", import.meta.url));
      const args = ["run", "--quiet", "--allow-all", "--no-config", "--no-lock", script, lesson.href];
      assertMatch(await inRoom(`${bundle}/deno`, ...args), /^[1-9]\d* cells\n$/);
    }
  });
  await t.step("nothing is written into the home but by its owner's wish", async () => {
    const names = (await Array.fromAsync(Deno.readDir(home))).map(({ name }) => name);
    assertEquals(names.filter((name) => name !== ".cache" && name !== ".local"), []);
  });
});
