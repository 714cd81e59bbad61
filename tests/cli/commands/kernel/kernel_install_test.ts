import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { runCli } from "../../../_cli.ts";
import { inFolder, relative, walk } from "../../../_files.ts";
import { Kernel } from "../../../notebooks/_kernel.ts";
import { findExtension } from "../../../../src/cli/jupyter/lab_extension.ts";
import { jupyterDataFolder, startCommand } from "../../../../src/cli/support/kernelspec.ts";

Deno.test("kernel install writes a kernelspec that starts from anywhere, and remove takes it away", () =>
  inFolder(async (folder) => {
    const env = { JUPYTER_DATA_DIR: folder };
    const installed = await runCli(["kernel", "install"], { env });
    assertEquals([installed.code, installed.stdout], [0, `${folder}/kernels/deno-seqreg\n`]);

    const source = new URL("../../../../src/jupyter/kernel/", import.meta.url);
    const own = (await walk(source, "")).map((file) => relative(source, file));
    const place = new URL(`file://${folder}/kernels/deno-seqreg/`);
    const written = (await walk(place, "")).map((file) => relative(place, file));
    assertEquals(
      written.sort(),
      [...own, "code/babel_parser.js", "help/js_tokens.js", "imports.json", "kernel.json"].sort(),
    );

    const extension = `${folder}/labextensions/seqreg-live`;
    const about = JSON.parse(await Deno.readTextFile(`${extension}/package.json`));
    const script = await Deno.readTextFile(`${extension}/${about.jupyterlab._build.load}`);
    assertStringIncludes(script, "_JUPYTERLAB");
    new Function(script);
    const places = { env: (name: string) => name === "JUPYTER_DATA_DIR" ? folder : undefined, os: "linux" } as const;
    assertEquals(await findExtension(places), {
      subject: "live tables",
      state: `Jupyter's extension is in ${extension}`,
    });

    const spec: unknown = JSON.parse(await Deno.readTextFile(`${folder}/kernels/deno-seqreg/kernel.json`));
    const argv: unknown = typeof spec === "object" && spec !== null ? Reflect.get(spec, "argv") : undefined;
    assert(Array.isArray(argv) && argv.at(-1) === "{connection_file}");
    const start = argv.indexOf("run");
    await using kernel = await Kernel.start({
      folder: new URL(`file://${folder}/`),
      args: argv.slice(start, -1).map(String),
    });
    const outputs = await kernel.run("console.log('it runs')", 10_000);
    assertStringIncludes(outputs[0]?.text ?? "", "it runs");

    assertEquals((await runCli(["kernel", "remove"], { env })).code, 0);
    assertEquals(await Array.fromAsync(Deno.readDir(`${folder}/kernels`)), []);
    assertEquals(await Array.fromAsync(Deno.readDir(`${folder}/labextensions`)), []);
    assertEquals((await runCli(["kernel", "remove"], { env })).code, 3);
    const gone = await findExtension(places);
    // A machine may have it for all users.
    if (!gone.state.startsWith("Jupyter's extension is in /usr")) {
      assertEquals(gone.state, "Jupyter's extension is not installed: live() shows the first rows");
      assertStringIncludes(gone.advice ?? "", "seqreg kernel install");
    }
  }));

Deno.test("kernel install to a relative folder writes a kernelspec that starts from anywhere", () =>
  inFolder(async (folder) => {
    const { code, stdout, stderr } = await runCli(["kernel", "install", "--data-dir", "data"], { cwd: folder });
    assertEquals([code, stdout], [0, "data/kernels/deno-seqreg\n"], stderr);

    const spec = `${await Deno.realPath(folder)}/data/kernels/deno-seqreg`;
    const { argv } = JSON.parse(await Deno.readTextFile(`${spec}/kernel.json`));
    assertEquals(argv.slice(-2), [`${spec}/main.ts`, "{connection_file}"]);
  }));

Deno.test("a Deno of the user's own is named by its path, one of npx by its package", () => {
  assertEquals(startCommand("/usr/bin/deno"), ["/usr/bin/deno"]);
  assertEquals(startCommand("/h/.npm/_npx/05eeb/node_modules/@deno/linux-x64-glibc/deno"), [
    "npx",
    "--yes",
    "deno@2.9.6",
  ]);
});

Deno.test("jupyterDataFolder() follows the variables, then the platform", () => {
  const at = (os: "linux" | "darwin" | "windows", env: Record<string, string>) =>
    jupyterDataFolder((name) => env[name], os);

  assertEquals(at("linux", { JUPYTER_DATA_DIR: "/j", HOME: "/h" }), "/j");
  assertEquals(at("linux", { HOME: "/h" }), "/h/.local/share/jupyter");
  assertEquals(at("linux", { XDG_DATA_HOME: "/x", HOME: "/h" }), "/x/jupyter");
  assertEquals(at("darwin", { HOME: "/h" }), "/h/Library/Jupyter");
});

Deno.test("doctor says what is there and what to do about each gap", () =>
  inFolder(async (folder) => {
    const { code, stdout } = await runCli(["doctor"], {
      env: {
        SEQREG_CACHE: `${folder}/cache`,
        JUPYTER_DATA_DIR: folder,
        JUPYTER_PATH: "",
        VIRTUAL_ENV: "",
        CONDA_PREFIX: "",
      },
    });

    assertEquals(code, 0);
    const subjects = [
      "seqreg",
      "deno",
      "polars",
      "DuckDB",
      "cache",
      "kernel",
      "live tables",
      "permissions",
      "registry",
    ];
    for (const subject of subjects) {
      assert(stdout.split("\n").some((line) => line.startsWith(`${subject} `)), `${subject} is not in:\n${stdout}`);
    }
    assertStringIncludes(stdout, "polars       works");
    assertStringIncludes(stdout, "not installed; seqreg lab installs its own");
  }));
