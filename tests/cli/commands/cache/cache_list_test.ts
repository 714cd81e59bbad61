import { assertEquals, assertStringIncludes } from "@std/assert";
import { type ProgramRun, runInProcess } from "../../../_program.ts";
import { archiveBytes, checksumOf, finalFiles, NAME, serveWell, withFolder } from "../../../core/datasets/_archive.ts";
import { startRawServer } from "../../../core/datasets/_raw_server.ts";

const BYTES = archiveBytes(41);
const TEXT = await checksumOf(BYTES);

/** Runs work with a cache that holds one archive. */
async function withCache(
  work: (run: (...args: string[]) => Promise<ProgramRun>, cache: string, origin: string) => Promise<void>,
): Promise<void> {
  await using server = await startRawServer(serveWell(() => ({ bytes: BYTES, checksum: TEXT })));
  await withFolder(async (cache) => {
    const run = (...args: string[]) => runInProcess(args, { env: { SEQREG_CACHE: cache } });
    assertEquals((await run("dataset", NAME, "--registry", server.url)).code, 0);
    await work(run, cache, server.url);
  });
}

Deno.test("cache list shows size, age, origin and digest; cache verify rehashes", async () => {
  await withCache(async (run, cache, origin) => {
    const { code, stdout } = await run("cache", "list");
    const [header, row, ...more] = stdout.trimEnd().split("\n");
    assertEquals([code, more], [0, []]);
    assertEquals(header, "kind\tname\tbytes\tage_days\torigin\tsha256\tpath");
    const [archive] = await finalFiles(cache);
    const path = `${cache}/archives/sha256/${archive}`;
    assertEquals(row.split("\t"), ["archive", NAME, `${BYTES.length}`, "0.0", origin, TEXT.slice(0, 64), path]);
    const whole = await run("cache", "verify");
    assertEquals([whole.code, whole.stdout], [0, `${NAME}: OK\n`]);
    await Deno.writeTextFile(path, "damaged");
    const damaged = await run("cache", "verify");
    assertEquals([damaged.code, damaged.stdout], [1, `${NAME}: FAILED\n`]);
    assertStringIncludes(damaged.stderr, "bytes changed");
  });
});

Deno.test("cache verify reads every block of imports", async () => {
  await withFolder(async (cache) => {
    const run = (...args: string[]) => runInProcess(args, { env: { SEQREG_CACHE: cache } });
    assertEquals((await run("sample", "-o", `${cache}/set`, "--records", "30")).code, 0);
    assertEquals((await run("search", "virus", "--page-size", "1", "--registry", `${cache}/set`)).code, 0);
    const whole = await run("cache", "verify");
    assertEquals(whole.code, 0, whole.stderr);
    const [line] = whole.stdout.split("\n").filter((line) => line.startsWith("service/"));
    const path = `${cache}/${line.replace(": OK", "")}/index/index.bin`;
    const bytes = await Deno.readFile(path);
    bytes[bytes.length - 1] ^= 1;
    await Deno.writeFile(path, bytes);
    const damaged = await run("cache", "verify");
    assertEquals([damaged.code, damaged.stdout], [1, whole.stdout.replace(line, line.replace("OK", "FAILED"))]);
    assertStringIncludes(damaged.stderr, "index.bin: it is damaged");
  });
});

Deno.test("cache prune names what would go, and removes it with --yes", async () => {
  await withCache(async (run, cache) => {
    const rows = ({ stdout }: ProgramRun) => stdout.trimEnd().split("\n").length - 1;
    assertEquals(rows(await run("cache", "prune", "--older-than", "1")), 0);
    assertEquals(rows(await run("cache", "prune", "--max-size", "1GB")), 0);
    assertEquals(rows(await run("cache", "prune", "--max-size", "1kB")), 1);
    const dry = await run("cache", "prune");
    assertEquals([dry.code, rows(dry), (await finalFiles(cache)).length], [0, 1, 1]);
    assertStringIncludes(dry.stderr, "add --yes to remove");
    const done = await run("cache", "prune", "--yes");
    assertEquals([done.code, done.stdout, await finalFiles(cache)], [0, dry.stdout, []]);
    assertEquals(rows(await run("cache", "list")), 0);
  });
});

Deno.test("answers of locks are verified, and pruned only when told to", async () => {
  await withFolder(async (cache) => {
    const run = (...args: string[]) => runInProcess(args, { env: { SEQREG_CACHE: cache } });
    const lock = `${cache}/seqreg.lock`;
    assertEquals((await run("sample", "-o", `${cache}/set`, "--records", "30")).code, 0);
    assertEquals((await run("search", "virus", "--registry", `${cache}/set`, "--lock", lock)).code, 0);
    const [call] = Object.values(JSON.parse(await Deno.readTextFile(lock)).calls) as { sha256: string }[];
    const name = `lock/${call.sha256}.gz`;
    assertStringIncludes((await run("cache", "verify")).stdout, `${name}: OK\n`);
    for (const limit of [[], ["--max-size", "0"], ["--older-than", "0"]]) {
      const kept = await run("cache", "prune", "--yes", ...limit);
      assertEquals([kept.code, kept.stdout.includes("\nlock\t")], [0, false]);
      assertStringIncludes(kept.stderr, "1 answer of locks, ");
    }
    assertEquals((await run("lock", "verify", lock)).code, 0);

    await Deno.writeTextFile(`${cache}/${name}`, "damaged");
    const damaged = await run("cache", "verify");
    assertEquals(damaged.code, 1);
    assertStringIncludes(damaged.stdout, `${name}: FAILED\n`);
    assertStringIncludes(damaged.stderr, "seqreg lock unpack");
    const pruned = await run("cache", "prune", "--yes", "--answers");
    assertEquals([pruned.code, pruned.stdout.match(/^lock\t/gm)?.length], [0, 1]);
    assertEquals((await run("lock", "verify", lock)).code, 1);
  });
});

Deno.test("the cache commands refuse wrong usage", async () => {
  const wrong: Readonly<Record<string, [args: string[], says: string]>> = {
    "no command": [["cache"], ""],
    "an unknown command": [["cache", "lists"], "did you mean cache list"],
    "an operand": [["cache", "list", "x"], "Unexpected argument"],
    "no size": [["cache", "prune", "--max-size", "much"], "such as 500MB"],
    "no number of days": [["cache", "prune", "--older-than", "long"], "whole number"],
  };
  for (const [args, says] of Object.values(wrong)) {
    const { code, stderr } = await runInProcess(args, { env: { SEQREG_CACHE: "no/such/folder" } });
    assertEquals(code, 2, stderr);
    assertStringIncludes(stderr, says);
  }
});
