import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { basename } from "node:path";
import { RegistryError } from "../../../src/core/errors.ts";
import { ensureSample } from "../../../src/embedded/sample/mod.ts";
import { namingOf } from "../../../src/core/contract/naming.ts";
import { digestFolder, makeFolder, namesIn } from "./_archives.ts";

Deno.test("ensureSample() makes the sample once", async () => {
  await using cache = await makeFolder();
  const tasks: string[] = [];
  const options = {
    cacheFolder: cache.path,
    records: 20,
    onProgress: ({ task }: { task: string }) => void tasks.push(task),
  };
  const folder = await ensureSample(options);
  assert(tasks.length > 0);
  assertEquals((await namesIn(folder)).length, 18);
  const { mtime } = await Deno.stat(`${folder}/definitions.json`);
  tasks.length = 0;
  assertEquals(await ensureSample(options), folder);
  assertEquals(tasks, []);
  assertEquals((await Deno.stat(`${folder}/definitions.json`)).mtime, mtime);
});

Deno.test("ensureSample() keeps samples of other sizes, seeds and namings apart", async () => {
  await using cache = await makeFolder();
  const common = { cacheFolder: cache.path, records: 5 };
  const folders = [
    await ensureSample(common),
    await ensureSample({ ...common, records: 6 }),
    await ensureSample({ ...common, seed: 2 }),
    await ensureSample({ ...common, naming: namingOf({ registry: "genomebank" }) }),
    await ensureSample({ ...common, naming: namingOf({ registry: "seqbank" }) }),
  ];
  assertEquals(new Set(folders).size, 5);
  assertEquals(await namesIn(`${cache.path}/sample`), folders.map((folder) => basename(folder)).sort());
  assertEquals(await ensureSample({ ...common, naming: namingOf({}) }), folders[0]);
  assertNotEquals(await digestFolder(folders[0]), await digestFolder(folders[2]));
});

Deno.test("ensureSample() gives several that ask at once one whole sample, across processes too", async () => {
  await using cache = await makeFolder();
  const script = `import { ensureSample } from ${
    JSON.stringify(import.meta.resolve("../../../src/embedded/sample/mod.ts"))
  };
    console.log(await ensureSample({ cacheFolder: Deno.args[0], records: 60 }));`;
  const config = new URL("../../../deno.json", import.meta.url).pathname;
  const processes = [1, 2].map(() => {
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--no-check", "--config", config, "--allow-read", "--allow-write", "-", cache.path],
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    return writer.write(new TextEncoder().encode(script)).then(() => writer.close()).then(() => child.output());
  });
  const here = [1, 2, 3].map(() => ensureSample({ cacheFolder: cache.path, records: 60 }));
  const folders = new Set(await Promise.all(here));
  for (const { code, stdout } of await Promise.all(processes)) {
    assertEquals(code, 0);
    folders.add(new TextDecoder().decode(stdout).trim());
  }
  assertEquals(folders.size, 1);
  const [folder] = folders;
  assertEquals(await namesIn(`${cache.path}/sample`), [basename(folder)]);
  await using other = await makeFolder();
  assertEquals(
    await digestFolder(folder),
    await digestFolder(await ensureSample({ cacheFolder: other.path, records: 60 })),
  );
});

Deno.test("ensureSample() mends a sample that lost a file", async () => {
  await using cache = await makeFolder();
  const folder = await ensureSample({ cacheFolder: cache.path, records: 10 });
  const before = await digestFolder(folder);
  await Deno.remove(`${folder}/registryv1_full_dataset_sequence.csv.gz`);
  assertEquals(await ensureSample({ cacheFolder: cache.path, records: 10 }), folder);
  assertEquals(await digestFolder(folder), before);
});

Deno.test("ensureSample() leaves nothing when it is interrupted or cannot write", async () => {
  await using cache = await makeFolder();
  const stop = new AbortController();
  const asked = ensureSample({ cacheFolder: cache.path, signal: stop.signal, onProgress: () => stop.abort() });
  await assertRejects(() => asked, DOMException);
  assertEquals(await namesIn(cache.path), []);
  await Deno.writeTextFile(`${cache.path}/sample`, "a file");
  await assertRejects(() => ensureSample({ cacheFolder: cache.path, records: 5 }), RegistryError, "not a folder");
  await assertRejects(() => ensureSample({ cacheFolder: cache.path, records: 5 }), RegistryError, "SEQREG_CACHE");
  await assertRejects(() => ensureSample({ cacheFolder: cache.path, records: 0 }), RangeError);
});
