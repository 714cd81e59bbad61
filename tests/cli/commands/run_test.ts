/** `seqreg run`, from a folder that is not in the checkout. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { runProgram } from "../../../src/cli/main.ts";
import { runCli } from "../../_cli.ts";
import { inFolder } from "../../_files.ts";

async function withFiles(files: Record<string, string>, work: (folder: string) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    for (const [name, content] of Object.entries(files)) await Deno.writeTextFile(`${folder}/${name}`, content);
    await work(folder);
  });
}

async function run(folder: string, args: readonly string[], env: Record<string, string> = {}) {
  return await runCli(["run", ...args], { cwd: folder, env: { SEQREG_CACHE: `${folder}/cache`, ...env }, run: true });
}

Deno.test("run gives a script its arguments, and ends with its exit code", () =>
  withFiles({ "a.ts": "console.log(JSON.stringify(Deno.args)); Deno.exit(7);" }, async (folder) => {
    const { code, stdout, stderr } = await run(folder, ["-q", "a.ts", "--allow-all", "-x", "--help", "--", "é"]);
    assertEquals([code, stdout, stderr], [7, '["--allow-all","-x","--help","--","é"]\n', ""]);
  }));

Deno.test("run resolves the toolkit, its packages and a project's own imports", () =>
  withFiles({
    "deno.jsonc": '{ // mine\n "imports": { "mine": "./own.ts", "own/": "./", }, }',
    "own.ts": "export const answer = 42;",
    "a.ts": `import { answer } from "mine";
import { answer as again } from "own/own.ts";
import { readFasta } from "seqreg/fasta";
import { VERSION } from "seqreg";
import { html } from "hono/html";
import pl from "nodejs-polars";
console.log(answer, again, typeof readFasta, typeof VERSION, String(html\`<b>\`), pl.Series([1]).length);`,
  }, async (folder) => {
    const { code, stdout, stderr } = await run(folder, ["a.ts"]);
    assertEquals([code, stdout, stderr], [0, "42 42 function string <b> 1\n", ""]);
    assertEquals((await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort(), [
      "a.ts",
      "deno.jsonc",
      "own.ts",
    ]);
  }));

Deno.test("run reports operators that are applied to expressions of polars", () =>
  withFiles({
    "a.ts": `import pl from "nodejs-polars";
const length = pl.col("Sequence Length");
console.log(pl.DataFrame({ "Sequence Length": [10, 2000] }).filter(length > 1000).height);`,
  }, async (folder) => {
    const { code, stdout, stderr } = await run(folder, ["a.ts"]);
    assertEquals([code, stdout], [0, "0\n"]);
    assertStringIncludes(stderr, "hint: a.ts, line 3: JavaScript applies > to the expression itself");
  }));

Deno.test("run allows a script what the toolkit needs without a network, and more by flags", () =>
  withFiles({
    "a.ts": `const state = async (descriptor: Deno.PermissionDescriptor) =>
  (await Deno.permissions.query(descriptor)).state === "granted";
console.log(JSON.stringify({
  read: await state({ name: "read" }), env: await state({ name: "env" }), ffi: await state({ name: "ffi" }),
  here: await state({ name: "write", path: "." }), everywhere: await state({ name: "write" }),
  host: await state({ name: "net", host: "registry.test" }), port: await state({ name: "net", host: "a.test:8080" }),
  near: await state({ name: "net", host: "localhost:8080" }),
  net: await state({ name: "net" }), run: await state({ name: "run" }),
}));`,
  }, async (folder) => {
    const base = { read: true, env: true, ffi: true, here: true, everywhere: false };
    const closed = { host: false, port: false, near: false, net: false, run: false };
    const cases: [args: string[], env: Record<string, string>, expected: Record<string, boolean>][] = [
      [[], {}, closed],
      [[], { SEQREG_URL: "http://a.test:8080/api" }, { ...closed, port: true }],
      [[], { SEQREG_URL: "HTTP://a.test:8080" }, { ...closed, port: true }],
      [[], { SEQREG_URL: "localhost:8080" }, { ...closed, near: true }],
      [[], { SEQREG_URL: "ftp://localhost:8080" }, closed],
      [["--allow-net=registry.test"], {}, { ...closed, host: true }],
      [["--allow-net", "--allow-run"], {}, { host: true, port: true, near: true, net: true, run: true }],
      [["--allow-write"], {}, { ...closed, everywhere: true }],
      [["-A"], {}, { everywhere: true, host: true, port: true, near: true, net: true, run: true }],
    ];
    await Promise.all(cases.map(async ([args, env, expected]) => {
      const { stdout, stderr } = await run(folder, [...args, "a.ts"], env);
      assertEquals(JSON.parse(stdout || stderr), { ...base, ...expected }, args.join(" "));
    }));
  }));

Deno.test("run lets a script write in a folder with a comma in its name, and nowhere else", () =>
  withFiles({}, async (folder) => {
    const place = `${folder}/samples, 2026`;
    await Deno.mkdir(`${folder}/tmp`);
    await Deno.mkdir(place);
    await Deno.writeTextFile(
      `${place}/a.ts`,
      `await Deno.writeTextFile("a.txt", "a");
console.log((await Deno.permissions.query({ name: "write", path: "../b.txt" })).state);`,
    );
    const { code, stdout, stderr } = await run(place, ["a.ts"], {
      SEQREG_CACHE: `${folder}/cache`,
      TMPDIR: `${folder}/tmp`,
    });
    assertEquals([code, stdout, stderr], [0, "prompt\n", ""]);
    assertEquals(await Deno.readTextFile(`${place}/a.txt`), "a");
  }));

Deno.test("run names what is wrong before it starts a script", () =>
  withFiles({ "deno.json": "{ imports", "a.ts": "" }, async (folder) => {
    const absent = await run(folder, ["b.ts"]);
    assertEquals(absent.code, 1);
    assertStringIncludes(absent.stderr, "Cannot run b.ts: the file does not exist");
    const invalid = await run(folder, ["a.ts"]);
    assertEquals(invalid.code, 1);
    assert(/Cannot read the imports of .*deno\.json: /.test(invalid.stderr), invalid.stderr);
    assertEquals((await run(folder, [])).code, 2);
    assertEquals((await run(folder, ["--help"])).code, 0);
  }));

Deno.test("run starts no script once it was interrupted", () =>
  withFiles({ "a.ts": "Deno.writeTextFileSync(Deno.args[0], 'ran');" }, async (folder) => {
    let printed = "";
    const code = await runProgram(["run", "-A", `${folder}/a.ts`, `${folder}/a.txt`], {
      stdout: { write: () => Promise.resolve(), flush: () => Promise.resolve() },
      isTerminal: false,
      signal: AbortSignal.abort(new DOMException("interrupted", "AbortError")),
      stdin: () => new ReadableStream(),
      writeError: (text) => printed += text,
      env: () => undefined,
      allowedEnv: () => undefined,
    });
    assertEquals(code, 130, printed);
    assertEquals((await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name), ["a.ts"]);
  }));
