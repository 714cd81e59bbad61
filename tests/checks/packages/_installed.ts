/** What an installed program is put through, whether pip or npm installed it. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { fromFileUrl } from "../../_files.ts";

export const ROOT: string = fromFileUrl(new URL("../../../", import.meta.url));

/** Takes the network from a command: a namespace with loopback alone. */
export const NO_NETWORK = ["unshare", "--map-root-user", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"];

/** What a program printed, and how it ended. */
export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Milliseconds. */
  readonly ms: number;
}

/** How a program is run. */
export interface RunOptions {
  readonly cwd?: string;
  /** All variables that it gets; the process's own by default. */
  readonly env?: Readonly<Record<string, string>>;
}

export async function run(command: readonly string[], { cwd, env }: RunOptions = {}): Promise<Run> {
  const begun = performance.now();
  const [program, ...args] = command;
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args,
    ...cwd !== undefined && { cwd },
    ...env !== undefined && { env: { ...env }, clearEnv: true },
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr), ms: performance.now() - begun };
}

export async function must(command: readonly string[], options: RunOptions = {}): Promise<Run> {
  const result = await run(command, options);
  assertEquals(result.code, 0, `${command.join(" ")}:\n${result.stdout}\n${result.stderr}`);
  return result;
}

/** A cell that takes what {@linkcode writeOwnPackage} wrote. */
export const OWN_PACKAGE_CELL = 'import local from "local"; import { own } from "#own"; console.log(local, own);';
/** What it prints. */
export const OWN_PACKAGE_PRINTS = "a package of the folder an alias of the folder";

/** Gives a folder a `package.json` of its own, with a package and an alias that need no network. */
export async function writeOwnPackage(folder: string): Promise<void> {
  const path = `${folder}/package.json`;
  const before = JSON.parse(await Deno.readTextFile(path).catch(() => "{}"));
  const dependencies = { ...before.dependencies, local: "1.0.0" };
  await Deno.writeTextFile(path, JSON.stringify({ ...before, dependencies, imports: { "#own": "./own.js" } }));
  await Deno.writeTextFile(`${folder}/own.js`, 'export const own = "an alias of the folder";\n');
  const place = `${folder}/node_modules/local`;
  await Deno.mkdir(place, { recursive: true });
  await Deno.writeTextFile(`${place}/package.json`, '{ "name": "local", "version": "1.0.0", "main": "local.cjs" }\n');
  await Deno.writeTextFile(`${place}/local.cjs`, 'module.exports = "a package of the folder";\n');
}

/** Bytes below a folder. */
export async function folderBytes(folder: string): Promise<number> {
  let bytes = 0;
  for await (const { name, isDirectory, isFile } of Deno.readDir(folder)) {
    if (isDirectory) bytes += await folderBytes(`${folder}/${name}`);
    else if (isFile) bytes += (await Deno.stat(`${folder}/${name}`)).size;
  }
  return bytes;
}

/**
 * Goes through the commands of an installed program, in a folder of a user's own and without a network.
 *
 * @param program The program with its first arguments.
 * @param options An empty home is in `env`, an empty folder is `cwd`.
 */
export async function tryCommands(t: Deno.TestContext, program: readonly string[], options: RunOptions): Promise<void> {
  const seqreg = (...args: readonly string[]) => must([...NO_NETWORK, ...program, ...args], options);

  await t.step("the version", async () => {
    const { version } = JSON.parse(await Deno.readTextFile(`${ROOT}/deno.json`));
    assertEquals((await seqreg("--version")).stdout, `seqreg ${version}\n`);
  });
  await t.step("a search", async () => {
    const { stdout } = await seqreg("search", "country:Kenya", "--page-size", "3", "--format", "tsv");
    assertEquals(stdout.trim().split(/\r?\n/).length, 4);
  });
  await t.step("the demonstration", async () => {
    assertStringIncludes((await seqreg("demo")).stdout, "== Next");
  });
  await t.step("the documentation", async () => {
    // A job has a process group of its own: npx passes no signal on to what it starts.
    const fetched = `set -m; "$@" docs --no-browser --quiet > address & docs=$!
for _ in $(seq 200); do test -s address && break; sleep 0.1; done
for page in "" cookbook/ lessons/01_first_contact.html reference/seqreg.html llms.txt; do curl -fsS "$(cat address)$page" | head -c 15; echo; done
kill -- -$docs; wait $docs || true`;
    const { stdout } = await must([...NO_NETWORK, "bash", "-c", fetched, "bash", ...program], options);
    assertEquals(stdout.match(/<!DOCTYPE html>/g)?.length, 4, stdout);
    assertStringIncludes(stdout, "# seqreg");
  });
  await t.step("an import that is compiled by a worker", async () => {
    await seqreg("sample", "-o", "archives", "--records", "2000");
    const { stdout } = await seqreg("search", "--registry", "archives", "--count");
    assertMatch(stdout, /^2000\n$/);
    const { stdout: tables } = await seqreg("lake", "archives", "-o", "lake");
    assert(tables.trim().split("\n").length > 1);
  });
  await t.step("a command has its own permissions, and no more", async () => {
    await Deno.writeTextFile(`${options.cwd}/a.fasta`, ">a\nACGT\n");
    assertStringIncludes((await seqreg("fasta", "stats", "a.fasta")).stdout, "a.fasta\t1\t4");
    const { code, stderr } = await run([...program, "fasta", "stats", "--help"], options);
    assertEquals([code, stderr], [0, ""]);
  });
  await t.step("wrong usage keeps its exit code", async () => {
    assertEquals((await run([...program, "serach"], options)).code, 2);
  });
  await t.step("a folder of one's own", async () => {
    await seqreg("init", "mine");
    const inside = { ...options, cwd: `${options.cwd}/mine` };
    const { stdout } = await must([...NO_NETWORK, ...program, "run", "first.ts"], inside);
    assertMatch(stdout, /records from Kenya/);
    const config = await Deno.readTextFile(`${inside.cwd}/deno.json`);
    assertEquals(/file:|node_modules|fast-check/.test(config), false);
  });
  await t.step("completions", async () => {
    for (const shell of ["bash", "zsh", "fish"]) {
      assertStringIncludes((await seqreg("completions", shell)).stdout, "seqreg");
    }
  });
}
