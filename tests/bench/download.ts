/**
 * Verifying and downloading an archive, each as a whole process from the shell to its end: `deno task bench download
 * [MEGABYTES]`; 570 by default.
 */
import { CLI_PERMISSIONS } from "../_cli.ts";
import { hasProgram } from "../_needs.ts";
import { archiveFiles } from "../../src/core/contract/datasets.ts";
import { report, type Row, timeCommand } from "./_report.ts";

const RUNS = 5;
const MEGABYTES = Number(Deno.args[0] ?? 570);
const ID = "full_dataset_sequence";
const { archive, checksum } = archiveFiles(ID);
const MAIN = new URL("../../src/cli/main.ts", import.meta.url).pathname;
const DENO = Deno.execPath();

const absent = ["sha256sum", "curl", "cmp"].filter((program) => !hasProgram(program));
if (absent.length > 0) {
  console.log(`not run: download (absent: ${absent.join(", ")})`);
  Deno.exit(0);
}
const folder = await Deno.makeTempDir();
const server = await startServer();
try {
  const original = `${folder}/served/${archive}`;
  const rows: Row[] = [await measureDigest(), await measureDownload(original)];
  if (!report("verified download", rows, await versions())) Deno.exitCode = 1;
} finally {
  server.child.kill();
  await server.child.status;
  await Deno.remove(folder, { recursive: true });
}

/** `seqreg verify` beside `sha256sum --check`, on the same file. */
async function measureDigest(): Promise<Row> {
  const sums = `${folder}/served/${checksum}`;
  const run = ["run", ...CLI_PERMISSIONS, MAIN, "verify", "--quiet", sums];
  const peer = ["-c", `cd ${folder}/served && sha256sum --check ${checksum}`];
  const ours: number[] = [];
  const figures: number[] = [];
  await timeCommand(DENO, run);
  for (let count = 0; count < RUNS; count++) {
    ours.push(await timeCommand(DENO, run));
    figures.push(await timeCommand("sh", peer));
  }
  const equal = await output(DENO, run) === await output("sh", peer);
  return {
    work: `SHA-256 of ${MEGABYTES} MB`,
    ours,
    unit: "ms",
    peer: { name: "sha256sum", figures },
    goal: { atMost: 0.3 },
    equal,
  };
}

/** `seqreg dataset` into an empty cache beside curl, and `sha256sum --check` of what it wrote. */
async function measureDownload(original: string): Promise<Row> {
  const address = (name: string) => `${server.url}/v2/datasets_download?filename=${name}`;
  const run = ["run", ...CLI_PERMISSIONS, MAIN, "dataset", "--quiet", "--registry", server.url, ID];
  const peer = `cd ${folder}/peer && curl -sS -o ${archive} '${address(archive)}' && ` +
    `curl -sS -o ${checksum} '${address(checksum)}' && sha256sum --check --quiet ${checksum}`;
  const ours: number[] = [];
  const figures: number[] = [];
  let equal = true;
  for (let count = 0; count < RUNS; count++) {
    const cache = `${folder}/cache`;
    ours.push(await timeCommand(DENO, run, { SEQREG_CACHE: cache }));
    const path = await output(DENO, [...run, "--offline"], { SEQREG_CACHE: cache });
    equal &&= await isSame(path.trim(), original);
    await Deno.remove(cache, { recursive: true });
    await Deno.mkdir(`${folder}/peer`);
    figures.push(await timeCommand("sh", ["-c", peer]));
    equal &&= await isSame(`${folder}/peer/${archive}`, original);
    await Deno.remove(`${folder}/peer`, { recursive: true });
  }
  return {
    work: `verified download of ${MEGABYTES} MB over loopback`,
    ours,
    unit: "ms",
    peer: { name: "curl, then sha256sum -c", figures },
    goal: { atMost: 0.6 },
    equal,
  };
}

/** Serves bytes that no compression and no repetition helps with. */
async function startServer(): Promise<{ readonly child: Deno.ChildProcess; readonly url: string }> {
  await Deno.mkdir(`${folder}/served`);
  {
    using file = await Deno.open(`${folder}/served/${archive}`, { write: true, create: true });
    const block = new Uint8Array(1 << 16);
    for (let written = 0; written < MEGABYTES * 1e6;) {
      crypto.getRandomValues(block);
      written += file.writeSync(block.subarray(0, Math.min(block.length, MEGABYTES * 1e6 - written)));
    }
  }
  await Deno.writeTextFile(
    `${folder}/served/${checksum}`,
    await output("sh", ["-c", `cd ${folder}/served && sha256sum ${archive}`]),
  );
  const script = new URL("./_file_server.ts", import.meta.url).pathname;
  const child = new Deno.Command(DENO, {
    args: ["run", "--allow-net", "--allow-read", script, `${folder}/served`, archive],
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  reader.releaseLock();
  return { child, url: `http://127.0.0.1:${new TextDecoder().decode(value).trim()}` };
}

async function isSame(path: string, other: string): Promise<boolean> {
  return (await new Deno.Command("cmp", { args: ["--silent", path, other] }).output()).success;
}

async function output(command: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { stdout, success, stderr } = await new Deno.Command(command, { args: [...args], env }).output();
  if (!success) throw new Error(`${command} failed: ${new TextDecoder().decode(stderr).slice(0, 500)}`);
  return new TextDecoder().decode(stdout);
}

async function versions(): Promise<Record<string, string>> {
  const second = async (command: string) => (await output(command, ["--version"])).split("\n", 1)[0].split(" ");
  return { curl: (await second("curl"))[1], sha256sum: (await second("sha256sum")).at(-1) ?? "" };
}
