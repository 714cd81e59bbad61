import { gunzipSync } from "node:zlib";
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { sha256Of } from "../../../../src/core/io/digest/sha256.ts";
import { runInProcess } from "../../../_program.ts";
import { sampleFolder, type TestFolder } from "../../../core/registry/_archives.ts";
import { copyFolder } from "../../../_files.ts";

/** Records two calls; returns the program with a cache of the caller's choice, and the lock. */
async function record({ folder, cacheFolder }: TestFolder) {
  const lock = `${cacheFolder}.lock`;
  const run = (args: readonly string[], cache = cacheFolder, at = lock) =>
    runInProcess([...args, "--lock", at], { env: { SEQREG_CACHE: cache } });
  const many = Array.from({ length: 25 }, (_, index) => `vj0000000000${String(index + 1).padStart(2, "0")}`);
  for (const line of [["search", "sequence_length:>500"], ["sequence", "vj000000000001"], ["sequence", ...many]]) {
    const { code, stderr } = await run([...line, "--registry", folder]);
    assertEquals(code === 0 || code === 4, true, stderr);
  }
  return { lock, run };
}

Deno.test("lock show lists calls; lock verify finds what the cache lacks and what was changed", async () => {
  await using folder = await sampleFolder(20);
  const { lock, run } = await record(folder);
  const shown = await run(["lock", "show"]);
  assertMatch(shown.stdout, /sequence +1 /);
  const text = await Deno.readTextFile(lock);
  assertEquals((await run(["lock", "show", "--format", "json"])).stdout, text);
  const good = await run(["lock", "verify"]);
  assertEquals([good.code, good.stdout.match(/: OK$/gm)?.length], [0, Object.keys(JSON.parse(text).calls).length]);

  const named = await runInProcess(["lock", "show", lock]);
  assertEquals([named.code, named.stdout.split("\n")[0]], [0, shown.stdout.split("\n")[0]], named.stderr);
  assertEquals((await run(["lock", "verify", lock])).code, 2, "the lock is named twice");
  assertEquals((await runInProcess(["lock", "show", lock, "-o", lock])).code, 2);

  await Deno.writeTextFile(lock, text.replace('"records": 1,', '"records": 2,'));
  const changed = await run(["lock", "verify"]);
  assertEquals(changed.code, 1);
  assertStringIncludes(changed.stderr, "other records");
  await Deno.writeTextFile(lock, text.replace("sequence_length:>500", "sequence_length:>501"));
  const reworded = await run(["lock", "verify"]);
  assertEquals([reworded.code, reworded.stdout.match(/: FAILED$/gm)?.length], [1, 1]);
  assertStringIncludes(reworded.stderr, "its request is another one");
  await Deno.writeTextFile(lock, text);
  for await (const { name } of Deno.readDir(`${folder.cacheFolder}/lock`)) {
    await Deno.remove(`${folder.cacheFolder}/lock/${name}`);
  }
  const gone = await run(["lock", "verify"]);
  assertEquals([gone.code, /: OK$/m.test(gone.stdout)], [1, false]);
  assertStringIncludes(gone.stderr, "its answer is not in the cache");
  assertEquals((await run(["lock", "show"], folder.cacheFolder, `${lock}.absent`)).code, 1);
});

Deno.test("lock verify finds facts of an answer that were changed, also where its records are not recognised", async () => {
  await using folder = await sampleFolder(20);
  const { lock, run } = await record(folder);
  const archive = [
    "dataset",
    "unique_seqs_metadata",
    "--registry",
    folder.folder,
    "-o",
    `${folder.cacheFolder}-archive`,
  ];
  assertEquals((await run(archive)).code, 0);
  const text = await Deno.readTextFile(lock);
  const good = await run(["lock", "verify"]);
  assertEquals(good.code, 0, good.stderr);
  const edits: readonly (readonly [RegExp, string])[] = [
    [/"set": "[0-9a-f]{64}"/, '"set": null'],
    [/"records": null/, '"records": 3'],
    [/"archive": "[0-9a-f]{64}"/, `"archive": "${"0".repeat(64)}"`],
    [/"accept"/, `"archive": "${"0".repeat(64)}",\n "accept"`],
  ];
  for (const [what, to] of edits) {
    assertMatch(text, what);
    await Deno.writeTextFile(lock, text.replace(what, to));
    const { code, stdout, stderr } = await run(["lock", "verify"]);
    assertEquals([code, stdout.match(/: FAILED$/gm)?.length], [1, 1], to);
    assertStringIncludes(stderr, "the lock was changed");
  }
});

Deno.test("a packed lock answers on another machine; a damaged one is refused", async () => {
  await using folder = await sampleFolder(20);
  const { lock, run } = await record(folder);
  const file = `${folder.cacheFolder}.tar`;
  const packed = await run(["lock", "pack", "-o", file]);
  assertEquals(packed.code, 0, packed.stderr);
  const bytes = await Deno.readFile(file);
  await run(["lock", "pack", "-o", file]);
  assertEquals(await Deno.readFile(file), bytes);
  await run(["lock", "pack", "-o", `${file}.gz`]);
  assertEquals(new Uint8Array(gunzipSync(await Deno.readFile(`${file}.gz`))), bytes);
  assertEquals((await run(["lock", "pack"])).code, 2);

  const other = `${folder.cacheFolder}-other`;
  const there = `${other}.lock`;
  const unpacked = await run(["lock", "unpack", file], other, there);
  assertEquals([unpacked.code, unpacked.stdout], [0, `${there}\n`], unpacked.stderr);
  assertEquals(await Deno.readTextFile(there), await Deno.readTextFile(lock));
  const piped = await runInProcess(["lock", "unpack", "-", "--lock", `${other}.piped`], {
    env: { SEQREG_CACHE: `${other}-piped` },
    stdin: bytes,
  });
  assertEquals(
    [piped.code, await Deno.readTextFile(`${other}.piped`)],
    [0, await Deno.readTextFile(lock)],
    piped.stderr,
  );
  const line = ["sequence", "vj000000000001", "--registry", folder.folder];
  const answer = await run([...line, "--offline"], other, there);
  assertEquals([answer.code, answer.stdout], [0, (await run(line)).stdout], answer.stderr);

  // What other programs make of the file: compressed, and with entries of folders.
  const parts = `${other}-parts`;
  await Deno.mkdir(parts);
  for (const args of [["-xf", file, "-C", parts], ["-czf", `${file}.gz`, "-C", parts, "./seqreg.lock", "./bodies"]]) {
    assertEquals((await new Deno.Command("tar", { args }).output()).code, 0);
  }
  const repacked = await run(["lock", "unpack", `${file}.gz`], `${other}-again`, `${other}-again.lock`);
  assertEquals(repacked.code, 0, repacked.stderr);
  assertEquals(await Deno.readTextFile(`${other}-again.lock`), await Deno.readTextFile(lock));

  const asked = await run(["lock", "verify", "--live", "--registry", folder.folder], other, there);
  assertEquals(asked.code, 0, "the list of 25 accessions was unpacked too");

  const damages: Record<string, Uint8Array> = {
    "cut": bytes.subarray(0, bytes.length >> 1),
    "empty": new Uint8Array(),
    "text": new TextEncoder().encode("a,b\n1,2\n".repeat(200)),
    "one bit": bytes.map((byte, at) => at === bytes.lastIndexOf(0x1f) + 40 ? byte ^ 1 : byte),
  };
  for (const [name, damaged] of Object.entries(damages)) {
    await Deno.writeFile(file, damaged);
    const { code, stdout, stderr } = await run(["lock", "unpack", file], `${other}-${name}`, `${other}-${name}.lock`);
    assertEquals([code, stdout], [1, ""], name);
    assertStringIncludes(stderr, "Cannot", name);
    assertEquals(await Deno.stat(`${other}-${name}.lock`).then(() => true, () => false), false, name);
  }
});

Deno.test("answers that take the place of others in a lock are named", async () => {
  await using before = await sampleFolder(20);
  await using after = await sampleFolder(21);
  const { lock, run } = await record(before);
  const registry = `${before.cacheFolder}-now`;
  const file = `${lock}.tar`;
  const ask = () =>
    run(["search", "sequence_length:>500", "--count", "--registry", registry], before.cacheFolder, lock);
  await copyFolder(before.folder, registry);
  assertEquals((await ask()).stderr.includes("warning"), false);
  assertEquals((await ask()).stderr.includes("warning"), false, "the same records");
  assertEquals((await run(["lock", "pack", "-o", file])).code, 0);
  await copyFolder(after.folder, registry);
  const replaced = await ask();
  assertEquals(replaced.code, 0);
  assertStringIncludes(replaced.stderr, `warning: 2 answers of ${lock} were replaced by others that differ: search `);
  const unpacked = await run(["lock", "unpack", file]);
  assertEquals(unpacked.code, 0);
  assertStringIncludes(unpacked.stderr, `warning: 2 answers of ${lock} were replaced by others that differ: search `);
});

Deno.test("a lock with a mark of its byte order is read; one with marks of a conflict tells what to do", async () => {
  await using folder = await sampleFolder(20);
  const { lock, run } = await record(folder);
  const text = await Deno.readTextFile(lock);
  await Deno.writeTextFile(lock, `\ufeff${text.replaceAll("\n", "\r\n")}`);
  assertEquals((await run(["lock", "verify"])).code, 0);
  await Deno.writeTextFile(lock, `<<<<<<< HEAD\n${text}=======\n${text}>>>>>>> other\n`);
  const crate = runInProcess(["crate", lock, "-o", `${lock}.crate`]);
  for (const { code, stderr } of [await run(["lock", "verify"]), await crate]) {
    assertEquals(code, 1);
    assertStringIncludes(stderr, "git checkout --ours or --theirs");
  }
});

Deno.test("a lock is cited by its bytes, and not when it was changed", async () => {
  await using folder = await sampleFolder(20);
  const { lock } = await record(folder);
  const text = await Deno.readTextFile(lock);
  const { code, stdout } = await runInProcess(["cite", lock]);
  assertEquals(code, 0);
  assertEquals(stdout.trimEnd().endsWith(` hash://sha256/${sha256Of(text)}`), true);
  assertMatch(
    stdout,
    /^Lock of calls of a sequence registry \(archives\), recorded with seqreg [0-9.]+: \d+ calls?, \d+ /,
  );
  await Deno.writeTextFile(lock, text.replaceAll("\n", "\r\n"));
  const changed = await runInProcess(["cite", lock]);
  assertEquals([changed.code, changed.stdout], [1, ""]);
  assertStringIncludes(changed.stderr, "canonical text");
});
