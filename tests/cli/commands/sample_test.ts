import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { datasetFileNames } from "../../../src/core/contract/datasets.ts";
import { namingOf } from "../../../src/core/contract/naming.ts";
import { cliCommand, runCli } from "../../_cli.ts";
import { runInFolder, runInProcess } from "../../_program.ts";
import { boundByModes, testNeeding, testWithPrograms } from "../../_needs.ts";
import { digestFolder, makeFolder, namesIn, sha256sumCheck } from "../../embedded/sample/_archives.ts";

testWithPrograms(["sha256sum"], "sample lists the sixteen files it wrote, which sha256sum accepts", async () => {
  await using folder = await makeFolder();
  const args = ["sample", "-o", "./deep/set", "--records", "30", "--seed", "9"];
  const { code, stdout, stderr } = await runCli(args, { cwd: folder.path });
  assertEquals([code, stdout], [0, datasetFileNames().map((name) => `${name}\n`).join("")]);
  assertStringIncludes(stderr, "sample: complete, 30 synthetic records");
  assertEquals(stderr.trim().split("\n").length, 1);
  const set = `${folder.path}/deep/set`;
  assertEquals(await namesIn(set), [...datasetFileNames(), "definitions.json", "manifest.json"].sort());
  const check = await sha256sumCheck(set);
  assertEquals([check.code, check.stdout.match(/: OK$/gm)?.length], [0, 8]);
  const again = await runInFolder(folder.path, [...args, "--quiet", "--ledger", "./ledger.json"]);
  assertEquals([again.code, again.stderr], [0, ""]);
  const ledger = JSON.parse(await Deno.readTextFile(`${folder.path}/ledger.json`));
  assertEquals([ledger.operation, ledger.complete, ledger.asked, ledger.received], ["sample", true, 30, 30]);
  assertEquals(ledger.request.seed, 9);
  const digests = await digestFolder(set);
  await runInFolder(folder.path, ["sample", "-o", "./other", "--records=30", "--seed=9"]);
  assertEquals(await digestFolder(`${folder.path}/other`), digests);
});

Deno.test("sample follows --naming and SEQREG_NAMING", async () => {
  await using folder = await makeFolder();
  const naming = `${folder.path}/naming.json`;
  await Deno.writeTextFile(naming, '{"registry": "genomebank"}');
  const expected = datasetFileNames(namingOf({ registry: "genomebank" })).map((name) => `${name}\n`).join("");
  const flag = await runInProcess(["sample", "-o", `${folder.path}/a`, "--records", "3", "--naming", naming]);
  assertEquals([flag.code, flag.stdout], [0, expected]);
  const env = await runInProcess(["sample", "-o", `${folder.path}/b`, "--records", "3"], {
    env: { SEQREG_NAMING: naming },
  });
  assertEquals([env.code, env.stdout], [0, expected]);
});

Deno.test("sample refuses wrong usage, and writes nothing", async (t) => {
  await using folder = await makeFolder();
  await Deno.writeTextFile(`${folder.path}/bad.json`, "[]");
  const wrong: Record<string, [args: string[], says: string]> = {
    "no folder": [["sample"], "sample -o DIR"],
    "standard output": [["sample", "-o", "-"], "sample -o DIR"],
    "no records": [["sample", "-o", "x", "--records", "0"], "from 1 to 1000000"],
    "records that are no number": [["sample", "-o", "x", "--records", "many"], "whole number"],
    "a negative seed": [["sample", "-o", "x", "--seed=-1"], "whole number"],
    "an argument": [["sample", "x"], "Unexpected argument"],
    "a naming that is none": [["sample", "-o", "x", "--naming", `${folder.path}/bad.json`], "bad.json"],
    "a naming that is absent": [["sample", "-o", "x", "--naming", `${folder.path}/no.json`], "no.json"],
  };
  for (const [what, [args, says]] of Object.entries(wrong)) {
    await t.step(what, async () => {
      const { code, stdout, stderr } = await runInProcess(args.map((arg) => arg === "x" ? `${folder.path}/x` : arg));
      assertEquals([code, stdout], [2, ""]);
      assertStringIncludes(stderr, says);
      assertEquals(stderr.trim().split("\n").length, 1);
      assertEquals(await namesIn(folder.path), ["bad.json"]);
    });
  }
});

Deno.test("sample refuses a folder of other files in one line", async () => {
  await using folder = await makeFolder();
  await Deno.writeTextFile(`${folder.path}/thesis.txt`, "mine");
  const { code, stdout, stderr } = await runInProcess(["sample", "-o", folder.path, "--records", "3"]);
  assertEquals([code, stdout, await namesIn(folder.path)], [1, "", ["thesis.txt"]]);
  assertStringIncludes(stderr, "thesis.txt");
});

const BOUND_BY_MODES = boundByModes();
const NEEDS_MODES = { "a user whom file modes bind, or setpriv": BOUND_BY_MODES !== undefined };

testNeeding(NEEDS_MODES, "sample refuses a read-only folder in one line", async () => {
  await using folder = await makeFolder();
  const locked = `${folder.path}/locked`;
  await Deno.mkdir(locked);
  await Deno.chmod(locked, 0o555);
  const args = ["sample", "--records", "3", "-o", `${locked}/set`];
  const { code, stderr } = await runCli(args, { cwd: folder.path, through: BOUND_BY_MODES });
  assertEquals([code, await namesIn(locked)], [1, []]);
  assertStringIncludes(stderr, "permission denied; choose a folder you can write to");
  assertEquals(stderr.trim().split("\n").length, 1);
});

Deno.test("sample leaves nothing when it is interrupted", async () => {
  await using folder = await makeFolder();
  const child = cliCommand(["sample", "-o", "set", "--records", "200000"], { cwd: folder.path }).spawn();
  await untilSomethingIsIn(folder.path);
  child.kill("SIGINT");
  const { code, stdout, stderr } = await child.output();
  assertEquals([code, new TextDecoder().decode(stdout)], [130, ""]);
  assertStringIncludes(new TextDecoder().decode(stderr), "interrupted");
  assertEquals(await namesIn(folder.path), []);
});

/** Waits, within bounds, until a file appears. */
async function untilSomethingIsIn(folder: string): Promise<void> {
  for (let turn = 0; turn < 1000; turn++) {
    if ((await namesIn(folder)).length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert(false, "the command wrote nothing in ten seconds");
}
