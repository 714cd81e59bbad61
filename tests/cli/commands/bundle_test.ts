import { assert, assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { join } from "node:path";
import { findPackages, isModule, pruneConfiguration, readGraph } from "../../../src/cli/bundle/bundle_packages.ts";
import { bundleReadme, startScripts } from "../../../src/cli/bundle/bundle_texts.ts";
import { writeKernelspec } from "../../../src/cli/support/kernelspec.ts";
import { type TarEntry, writeTar } from "../../../src/cli/bundle/tar.ts";
import { runCli } from "../../_cli.ts";
import { testWithPrograms } from "../../_needs.ts";

// The whole bundle is packed and used by tests/checks/bundle/bundle.ts.

Deno.test("bundle refuses wrong usage before any work", async () => {
  for (const args of [["bundle"], ["bundle", "-o", "-"], ["bundle", "-o", ""], ["bundle", "x", "-o", "y"]]) {
    const { code, stdout } = await runCli(args);
    assertEquals([code, stdout], [2, ""], args.join(" "));
  }
});

Deno.test("bundle reports that it may not run Deno, and leaves nothing", async () => {
  const folder = await Deno.makeTempDir();
  const { code, stderr } = await runCli(["bundle", "-o", join(folder, "x.tar.gz")]);
  assertEquals(code, 1);
  assertStringIncludes(stderr, "--allow-run");
  assertEquals(await Array.fromAsync(Deno.readDir(folder)), []);
  await Deno.remove(folder, { recursive: true });
});

function entryOf(path: string, text: string, executable = false): TarEntry {
  const bytes = new TextEncoder().encode(text);
  return {
    path,
    bytes: bytes.length,
    executable,
    async *open() {
      yield* [bytes.slice(0, 3), bytes.slice(3)];
    },
  };
}

testWithPrograms(["tar"], "tar reads what writeTar() wrote", async () => {
  const root = await Deno.makeTempDir();
  const long = "n".repeat(80);
  const files: Record<string, string> = {
    "plain.txt": "plain\n",
    "empty": "",
    "exactly one block": "x".repeat(512),
    "a folder/with a blank": "y".repeat(513),
    [`${long}/${long}/name`]: "in the prefix",
    [`${long}/${long}/${long}/${long}/name`]: "too long for the prefix",
    [`${"x".repeat(180)}/y`]: "a folder too long for the prefix",
    "å/日本.txt": "not ASCII",
    "run me": "#!/bin/sh\n",
  };
  const tar = writeTar(Object.entries(files).map(([path, text]) => entryOf(path, text, path === "run me")));
  await Deno.writeFile(join(root, "a.tar"), ReadableStream.from(tar));
  assertEquals((await Deno.stat(join(root, "a.tar"))).size % 512, 0);
  const { code, stderr } = await new Deno.Command("tar", { args: ["-xf", "a.tar"], cwd: root }).output();
  assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
  for (const [path, text] of Object.entries(files)) {
    assertEquals(await Deno.readTextFile(join(root, path)), text, path);
    const { mode, mtime } = await Deno.stat(join(root, path));
    assertEquals((mode ?? 0) & 0o100, path === "run me" ? 0o100 : 0, path);
    assertEquals(mtime?.toISOString(), "2000-01-01T00:00:00.000Z");
  }
  await Deno.remove(root, { recursive: true });
});

Deno.test("writeTar() refuses paths that leave the folder, and files that changed", async (t) => {
  const drain = (entry: TarEntry) => Array.fromAsync(writeTar([entry]));
  for (const path of ["/etc/x", "../x", "a/../b", "a//b", "./a", "", "a\\b", "a/"]) {
    await t.step(JSON.stringify(path), async () => {
      await assertRejects(() => drain(entryOf(path, "")), RangeError, "relative path");
    });
  }
  for (const bytes of [4, 6]) {
    await assertRejects(() => drain({ ...entryOf("x", "12345"), bytes }), Error, "changed meanwhile");
  }
  const twice = await Promise.all([1, 2].map(() => drain(entryOf("same", "same"))));
  assertEquals(twice[0], twice[1]);
});

Deno.test("sources of WebAssembly are no modules of the toolkit", () => {
  const paths = ["mod.ts", "src/cli/main.ts", "src/core/fasta/wasm/scan.as.ts", "src/README.md", "examples/lake.ts"];
  assertEquals(paths.filter(isModule), ["mod.ts", "src/cli/main.ts"]);
});

Deno.test("packages are those that modules reach, for this platform", async () => {
  const folder = await Deno.makeTempDir();
  for (const name of ["a", "b", "native-musl"]) await Deno.mkdir(join(folder, name));
  const packageOf = (name: string, dependencies: readonly string[]) => ({
    localPath: join(folder, name),
    dependencies,
  });
  const graph = readGraph(JSON.stringify({
    modules: [{ kind: "esm" }, { kind: "npm", npmPackage: "@x/a@1.0.0" }],
    npmPackages: {
      "@x/a@1.0.0": packageOf("a", ["b@2.0.0", "other-system@1.0.0", "native-musl@1.0.0"]),
      "b@2.0.0": packageOf("b", ["@x/a@1.0.0"]),
      "other-system@1.0.0": packageOf("absent", []),
      "native-musl@1.0.0": packageOf("native-musl", []),
      "test-only@1.0.0": packageOf("a", []),
    },
  }));
  const packages = await findPackages(graph);
  assertEquals(packages.map(({ id }) => id), ["@x/a@1.0.0", "b@2.0.0"]);

  const config = {
    name: "n",
    imports: { a: "npm:@x/a@1.0.0/mod.js", t: "npm:test-only@1.0.0", "a/": "npm:/@x/a@1.0.0/" },
  };
  const lock = {
    version: "5",
    specifiers: { "npm:@x/a@1.0.0": "1.0.0", "npm:test-only@1.0.0": "1.0.0" },
    npm: {
      "@x/a@1.0.0": { integrity: "i", dependencies: ["b"], optionalDependencies: ["other-system", "native-musl"] },
      "b@2.0.0": { integrity: "i", dependencies: ["@x/a"] },
      "native-musl@1.0.0": { integrity: "i" },
      "other-system@1.0.0": { integrity: "i", os: ["other"] },
      "test-only@1.0.0": { integrity: "i" },
    },
    workspace: { dependencies: ["npm:@x/a@1.0.0", "npm:test-only@1.0.0"] },
  };
  const pruned = pruneConfiguration(JSON.stringify(config), JSON.stringify(lock), packages);
  assertEquals(JSON.parse(pruned.config), {
    name: "n",
    imports: { a: "npm:@x/a@1.0.0/mod.js", "a/": "npm:/@x/a@1.0.0/" },
  });
  assertEquals(JSON.parse(pruned.lock), {
    version: "5",
    specifiers: { "npm:@x/a@1.0.0": "1.0.0" },
    npm: {
      "@x/a@1.0.0": { integrity: "i", dependencies: ["b"] },
      "b@2.0.0": { integrity: "i", dependencies: ["@x/a"] },
    },
    workspace: { dependencies: ["npm:@x/a@1.0.0"] },
  });
  assertThrows(() => readGraph("{}"), SyntaxError, "list of modules");
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a bundle tells each platform how to start it", () => {
  assertEquals(Object.keys(startScripts("linux")), ["deno", "seqreg"]);
  const windows = startScripts("windows");
  assertEquals(Object.keys(windows), ["deno.cmd", "seqreg.cmd"]);
  for (const script of Object.values(windows)) {
    assert(script.split("\n").slice(0, -1).every((line) => line.endsWith("\r")));
  }
  for (const os of ["linux", "windows"] as const) {
    const readme = bundleReadme({ toolkit: "seqreg 1", deno: "2", platform: "p", os });
    for (const name of Object.keys(startScripts(os))) assertStringIncludes(readme, name);
    // Only the scripts of a shell look whether the folder is writable.
    assertEquals(readme.includes("the user's cache is used"), os === "linux");
    assertEquals(readme.split("\n").filter((line) => line.length > 120), []);
  }
});

Deno.test("a bundle of an installed toolkit starts its JavaScript with the packages in its folder", () => {
  for (const os of ["linux", "windows"] as const) {
    const scripts = Object.values(startScripts(os, { installed: true }));
    assert(scripts.some((script) => /toolkit[/\\]src[/\\]cli[/\\]main\.js/.test(script)));
    assertEquals(scripts.filter((script) => script.includes("main.ts")), []);
    const readme = bundleReadme({ toolkit: "seqreg 1", deno: "2", platform: "p", os, installed: true });
    assertStringIncludes(readme, "run toolkit/examples/search.ts");
    assertEquals(readme.split("\n").filter((line) => line.length > 120), []);
  }
});

Deno.test("a kernel that is installed from a bundle finds the bundle's packages", async () => {
  const folder = await Deno.makeTempDir();
  for (
    const [own, expected] of [["/stick/deno_dir", { DENO_DIR: "/stick/deno_dir" }], [undefined, undefined]] as const
  ) {
    const spec = await writeKernelspec(folder, undefined, () => own);
    assertEquals(JSON.parse(await Deno.readTextFile(join(spec, "kernel.json"))).env, expected);
  }
  await Deno.remove(folder, { recursive: true });
});
