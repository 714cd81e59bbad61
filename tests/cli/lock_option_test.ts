import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { acquireLock } from "../../src/core/io/files/lock.ts";
import { readLock } from "../../src/core/registry/lock/lock_file.ts";
import { runCli } from "../_cli.ts";
import { namesIn } from "../_files.ts";
import { runInProcess } from "../_program.ts";
import { sampleFolder, serveFolder } from "../core/registry/_archives.ts";

Deno.test("--lock records what a command asks, and with --offline answers it", async () => {
  await using folder = await sampleFolder(40);
  const lock = `${folder.cacheFolder}.lock`;
  const lines = [
    ["search", "sequence_length:>500", "--format", "json"],
    ["search", "sequence_length:>500", "--all", "--format", "csv"],
    ["download", "sequence_length:>500", "--information", "sequences", "--type", "fasta"],
    ["sequence", "vj000000000001"],
    ["definitions", "Country"],
    ["dataset", "unique_seqs_metadata"],
  ];
  let url = "";
  const run = (line: readonly string[], ...more: string[]) =>
    runInProcess([...line, "--registry", url, "--lock", lock, ...more], { env: { SEQREG_CACHE: folder.cacheFolder } });
  const came: string[] = [];
  {
    await using server = await serveFolder(folder);
    ({ url } = server);
    for (const line of lines) {
      const { code, stdout, stderr } = await run(line);
      assertEquals(code, 0, stderr);
      came.push(stdout);
    }
  }
  for (const [index, line] of lines.entries()) {
    const { code, stdout, stderr } = await run(line, "--offline");
    assertEquals([code, stdout], [0, came[index]], stderr);
  }
  const { code, stdout, stderr } = await run(["search", "country:Kenya"], "--offline");
  assertEquals([code, stdout], [1, ""]);
  assertStringIncludes(stderr, "country:Kenya");
  assertStringIncludes(stderr, "the call is not in");
  assertEquals((await runInProcess(["search", "x", "--lock", ""])).code, 2);
});

Deno.test("SEQREG_LOCK is followed as --lock is, by archives too", async () => {
  await using folder = await sampleFolder(40);
  const lock = `${folder.cacheFolder}.lock`;
  let url = "";
  const run = (line: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    runInProcess([...line, "--registry", url], { env: { SEQREG_CACHE: folder.cacheFolder, ...env } });
  const archive = ["dataset", "unique_seqs_metadata"];
  {
    await using server = await serveFolder(folder);
    ({ url } = server);
    assertEquals((await run(["search", "sequence_length:>500", "--lock", lock])).code, 0);
    assertEquals((await run(archive)).code, 0);
  }
  // The archive that the cache holds is not the lock's.
  const runs = [
    await run([...archive, "--offline", "--lock", lock]),
    await run([...archive, "--offline"], { SEQREG_LOCK: lock }),
    await run(archive, { SEQREG_LOCK: lock, SEQREG_OFFLINE: "1" }),
  ];
  for (const { code, stdout, stderr } of runs) {
    assertEquals([code, stdout], [1, ""], stderr);
    assertStringIncludes(stderr, "the call is not in");
  }
  assertEquals((await run([...archive, "--offline"])).code, 0);
});

Deno.test("two processes that write one lock at once lose none of each other's calls", async () => {
  await using folder = await sampleFolder(40);
  const together = `${folder.cacheFolder}-together`;
  const env = { SEQREG_CACHE: folder.cacheFolder };
  const line = (length: number) => ["search", `sequence_length:>${length}`, "--format", "json"];
  const lengths = [100, 200];
  const alone = `${folder.cacheFolder}.lock`;
  for (const length of lengths) {
    assertEquals((await runCli([...line(length), "--registry", folder.folder, "--lock", alone], { env })).code, 0);
  }
  const expected = (await readLock(alone))!;
  await Deno.mkdir(together);
  const lock = `${together}/seqreg.lock`;
  let runs: ReturnType<typeof runCli>[];
  {
    // Neither can write the lock before both have asked.
    await using _ = await acquireLock(`${together}/.seqreg.lock.writing`);
    runs = lengths.map((length) =>
      runCli([...line(length), "--registry", folder.folder, "--lock", lock], { env, limitMs: 60_000 })
    );
    let isOver = false;
    Promise.race(runs).then(() => isOver = true);
    while (!isOver && (await readLock(lock))?.size !== expected.size) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assertEquals([isOver, (await readLock(lock))?.size], [false, expected.size]);
  }
  assertEquals((await Promise.all(runs)).map(({ code }) => code), [0, 0]);
  assertEquals(await Deno.readTextFile(lock), await Deno.readTextFile(alone));
  assertEquals(namesIn(together), ["seqreg.lock"]);
});

Deno.test("what doctor asks a registry is recorded in no lock", async () => {
  await using folder = await sampleFolder(10);
  await using server = await serveFolder(folder);
  const lock = `${folder.cacheFolder}.lock`;
  const env = { SEQREG_CACHE: folder.cacheFolder, SEQREG_LOCK: lock };
  const { stdout, stderr } = await runInProcess(["doctor", "--registry", server.url], { env });
  assertStringIncludes(stdout, "answers a search for everything: 10 records", stderr);
  await assertRejects(() => Deno.stat(lock), Deno.errors.NotFound);
});
