/** `seqreg replay`, and what else asks the calls of a lock again. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { Buffer } from "node:buffer";
import { gunzipSync } from "node:zlib";
import { Registry } from "../../../../src/core/registry/mod.ts";
import { runInProcess } from "../../../_program.ts";
import { facetedFolder, type TestFolder } from "../../../core/registry/_archives.ts";
import { inFolder } from "../../../_files.ts";

const SCRIPT = `import { Registry } from "seqreg";
await using registry = await Registry.open(Deno.args[0], { lock: "not.this" });
const page = await registry.searchPage(Deno.args[1] ?? "country:Kenya").catch(() => undefined);
console.log(page?.response.total);`;

function facets(count: number): Promise<TestFolder> {
  return facetedFolder(count, (number) => [number % 2 === 0 ? "Kenya" : "Peru", "bat"]);
}

Deno.test("replay answers a script from its lock, or reports what the registry answers otherwise", async () => {
  await using before = await facets(8);
  await using after = await facets(10);
  const [cache, script, out] = [before.cacheFolder, `${before.folder}/../a.ts`, `${before.folder}/../out.txt`];
  const lock = `${before.folder}/../seqreg.lock`;
  {
    await using registry = await Registry.open(before.folder, { cacheFolder: cache, lock });
    await registry.searchPage("country:Kenya");
  }
  const text = await Deno.readTextFile(lock);
  await Deno.writeTextFile(script, SCRIPT);
  const replay = (...args: string[]) => runInProcess(["replay", script, ...args], { env: { SEQREG_CACHE: cache } });

  // The replay's lock is used instead of the one that the script names; the folder has other records by now.
  const offline = await replay("-o", out, "--", after.folder);
  assertEquals([offline.code, offline.stdout], [0, ""], offline.stderr);
  assertEquals(await Deno.readTextFile(out), "4\n");
  assertStringIncludes(offline.stderr, "calls: 1 answered from the lock");

  const live = await replay("--live", "--", after.folder);
  assertEquals([live.code, live.stdout], [5, "5\n"], live.stderr);
  assertStringIncludes(live.stderr, 'total: "4" → "5"');
  assertStringIncludes(live.stderr, "+ vj000000000010");

  const other = await replay("-o", out, "--", after.folder, "country:Peru");
  assertEquals([other.code, other.stdout], [1, ""]);
  assertMatch(other.stderr, /not answered: .*country:Peru.*the call is not in /);
  assertEquals(await Deno.readTextFile(out), "4\n", "what a failed script printed has not replaced it");
  assertEquals(await Deno.readTextFile(lock), text);

  for await (const { name } of Deno.readDir(`${cache}/lock`)) await Deno.remove(`${cache}/lock/${name}`);
  const gone = await replay("--", after.folder);
  assertEquals(gone.code, 1);
  assertMatch(gone.stderr, /not answered: .*country:Kenya.* is not in the cache; unpack it/);
});

Deno.test("replay names the cell that ended it, and its error, of a notebook that was saved without outputs", async () => {
  await inFolder(async (folder) => {
    const cells = ["1 + 1", 'throw new Error("boom")', "3"].map((source, index) => (
      { cell_type: "code", id: `c${index}`, metadata: {}, execution_count: null, outputs: [], source }
    ));
    const notebook = { cells, metadata: {}, nbformat: 4, nbformat_minor: 5 };
    await Deno.writeTextFile(`${folder}/a.ipynb`, JSON.stringify(notebook));
    await Deno.writeTextFile(`${folder}/seqreg.lock`, '{ "seqreg-lock": 1, "calls": {} }');
    const { code, stdout, stderr } = await runInProcess(["replay", `${folder}/a.ipynb`], {
      env: { ...Deno.env.toObject(), SEQREG_CACHE: `${folder}/cache` },
    });
    for (
      const [args, what] of [[["run", "a.ipynb"], "seqreg replay"], [["replay", "seqreg.lock"], "--lock"]] as const
    ) {
      const wrong = await runInProcess([args[0], `${folder}/${args[1]}`]);
      assertEquals(wrong.code, 2);
      assertStringIncludes(wrong.stderr, what);
    }
    assertEquals([code, stdout], [
      1,
      "cell 2: failed\n  Error: boom\ncell 3: not run\ncalls: none\ncells: 2 saved without outputs, 1 not run\n",
    ], stderr);
  });
});

Deno.test("replay writes a notebook as every command writes its result: to standard output, or compressed", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const cell = { cell_type: "code", id: "c", metadata: {}, execution_count: null, outputs: [], source: "6 * 7" };
    const notebook = { cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 };
    await Deno.writeTextFile(`${folder}/a.ipynb`, JSON.stringify(notebook));
    await Deno.writeTextFile(`${folder}/seqreg.lock`, '{ "seqreg-lock": 1, "calls": {} }');
    const replay = (output: string) =>
      runInProcess(["replay", `${folder}/a.ipynb`, "-o", output], {
        env: { ...Deno.env.toObject(), SEQREG_CACHE: `${folder}/cache` },
      });
    const printed = await replay("-");
    assertStringIncludes(printed.stderr, "calls: none");
    assertStringIncludes(JSON.stringify(JSON.parse(printed.stdout).cells[0].outputs), "42");
    const written = await replay(`${folder}/again.ipynb.gz`);
    assertStringIncludes(written.stdout, "calls: none");
    const text = new TextDecoder().decode(gunzipSync(await Deno.readFile(`${folder}/again.ipynb.gz`)));
    assertEquals(JSON.parse(text).cells[0].outputs, JSON.parse(printed.stdout).cells[0].outputs);
    assertEquals([printed.code, written.code], [0, 0]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** Asks the registry that a file names, prints a number, and draws it. */
const CELLS = [
  [
    'import { Registry } from "seqreg";',
    'import { chart } from "seqreg/analysis";',
    'const registry = await Registry.open(await Deno.readTextFile("where.txt"));',
    'const { response } = await registry.searchPage("country:Kenya");',
    "await registry.close();",
    'console.log(String(response.total) + " records");',
  ],
  [
    'const bars = [{ country: "Kenya", records: Number(response.total) }];',
    'await chart((plot) => ({ marks: [plot.barX(bars, { x: "records", y: "country" })] }), {',
    '  title: "Records",',
    '  description: "Records by country.",',
    "  source: { n: Number(response.total) },",
    "})",
  ],
  [
    'await Deno.jupyter.broadcast("stream", { name: "stdout", text: "1 of 2\\n" });',
    'await Deno.jupyter.broadcast("clear_output", { wait: true });',
    'console.log("2 of 2");',
  ],
].map((lines) => lines.join("\n"));

Deno.test("replay compares a text and a picture of a notebook with its saved ones, offline and live", async () => {
  await using before = await facets(8);
  await using after = await facets(10);
  await inFolder(async (folder) => {
    const [first, saved, cache] = [`${folder}/first.ipynb`, `${folder}/saved.ipynb`, before.cacheFolder];
    const cells = CELLS.map((source, index) => (
      { cell_type: "code", id: `c${index}`, metadata: {}, execution_count: null, outputs: [], source }
    ));
    await Deno.writeTextFile(first, JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }));
    await Deno.writeTextFile(`${folder}/where.txt`, before.folder);
    {
      const lock = `${folder}/seqreg.lock`;
      await using registry = await Registry.open(before.folder, { cacheFolder: cache, lock });
      await registry.searchPage("country:Kenya");
    }
    const replay = (file: string, ...args: string[]) =>
      runInProcess(["replay", file, ...args], { env: { ...Deno.env.toObject(), SEQREG_CACHE: cache } });
    assertEquals((await replay(first, "-o", saved)).code, 0);
    const same = await replay(saved);
    assertEquals([same.code, same.stdout], [0, "calls: 1 answered from the lock\ncells: 3 same\n"], same.stderr);

    // The saved outputs are those of another registry; the picture has its number in the title of its mark.
    const whole = await Deno.readTextFile(saved);
    const notebook = JSON.parse(whole);
    const [[text], [picture], [cleared, ...more]] = notebook.cells.map(({ outputs }: { readonly outputs: unknown }) =>
      outputs
    );
    assertEquals([text.text, cleared.text, more], ["4 records\n", "2 of 2\n", []]);
    text.text = "7 records\n";
    const [, base64] = /src="data:image\/svg\+xml;base64,([^"]*)"/.exec(picture.data["text/html"])!;
    const drawn = Buffer.from(base64, "base64").toString();
    const redrawn = drawn.replace(/<title>(?:[^<]*\D)?4<\/title>/, (title) => title.replace("4<", "7<"));
    assertEquals(redrawn === drawn, false, drawn);
    picture.data["text/html"] = picture.data["text/html"].replace(base64, Buffer.from(redrawn).toString("base64"));
    const other = `${JSON.stringify(notebook, null, 1)}\n`;
    await Deno.writeTextFile(saved, other);
    const differs = await replay(saved, "-o", `${folder}/again.ipynb`);
    assertEquals(differs.code, 5, differs.stderr);
    assertStringIncludes(differs.stdout, 'cell 1: differs\n  text: "7 records\\n" → "4 records\\n"\n');
    assertMatch(differs.stdout, /cell 2: differs\n {2}picture, mark \d+: ".*7.*" → ".*4.*"\n/);
    assertStringIncludes(differs.stdout, "cells: 1 same, 2 differ\n");
    assertEquals(await Deno.readTextFile(saved), other, "the notebook itself is not changed");
    assertEquals(JSON.parse(await Deno.readTextFile(`${folder}/again.ipynb`)), JSON.parse(whole));

    await Deno.writeTextFile(saved, whole);
    await Deno.writeTextFile(`${folder}/where.txt`, after.folder);
    const live = await replay(saved, "--live", "-o", `${folder}/today.ipynb`);
    assertEquals(live.code, 5, live.stderr);
    assertStringIncludes(live.stdout, 'total: "4" → "5"');
    assertStringIncludes(
      live.stdout,
      'cell 1: differs\n  text: "4 records\\n" → "5 records\\n"\ncell 2: differs\n  picture',
    );
    assertStringIncludes(live.stdout, "calls: 1 differ\ncells: 1 same, 2 differ\n");
    assertEquals(await Deno.readTextFile(saved), whole);
    assertStringIncludes(await Deno.readTextFile(`${folder}/today.ipynb`), "5 records");
  });
});

Deno.test("replay compares a display as later cells have updated it", async () => {
  await inFolder(async (folder) => {
    const broadcast = (type: string, text: string) =>
      `await Deno.jupyter.broadcast("${type}", { data: { "text/plain": "${text}" }, metadata: {}, ` +
      'transient: { display_id: "count" } });';
    const cells = [
      broadcast("display_data", "1 of 3"),
      `${broadcast("display_data", "2 of 3")}\nconsole.log("second");`,
      broadcast("update_display_data", "3 of 3"),
    ].map((source, index) => (
      { cell_type: "code", id: `c${index}`, metadata: {}, execution_count: null, outputs: [], source }
    ));
    const [first, saved] = [`${folder}/first.ipynb`, `${folder}/saved.ipynb`];
    await Deno.writeTextFile(first, JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }));
    await Deno.writeTextFile(`${folder}/seqreg.lock`, '{ "seqreg-lock": 1, "calls": {} }');
    const replay = (file: string, ...args: string[]) =>
      runInProcess(["replay", file, ...args], {
        env: { ...Deno.env.toObject(), SEQREG_CACHE: `${folder}/cache` },
      });
    assertEquals((await replay(first, "-o", saved)).code, 0);
    const notebook = JSON.parse(await Deno.readTextFile(saved));
    const shown = notebook.cells.map(({ outputs }: { outputs: { data?: Record<string, string>; text?: string }[] }) =>
      outputs.map(({ data, text }) => data?.["text/plain"] ?? text)
    );
    assertEquals(shown, [["3 of 3"], ["3 of 3", "second\n"], []]);
    assertEquals((await replay(saved)).stdout, "calls: none\ncells: 3 same\n");
    notebook.cells[0].outputs[0].data["text/plain"] = "1 of 3";
    await Deno.writeTextFile(saved, JSON.stringify(notebook));
    const differs = await replay(saved);
    assertEquals([differs.code, differs.stdout.split("\n")[1]], [5, '  text: "1 of 3" → "3 of 3"'], differs.stdout);
  });
});

Deno.test("replay needs a whole lock of this version, and its answers", async () => {
  await inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/a.ts`, "");
    const replay = (...args: string[]) =>
      runInProcess(["replay", `${folder}/a.ts`, ...args], { env: { SEQREG_CACHE: `${folder}/cache` } });
    assertEquals((await replay("--live", "--offline")).code, 2);
    for (
      const [text, says] of [
        [undefined, "does not exist; run it once with SEQREG_LOCK=seqreg.lock"],
        ["{", "invalid JSON"],
        ['{"seqreg-lock":2,"calls":{}}', "its version is 2"],
      ]
    ) {
      if (text !== undefined) await Deno.writeTextFile(`${folder}/seqreg.lock`, text);
      const { code, stderr } = await replay();
      assertEquals(code, 1);
      assertStringIncludes(stderr, says!);
    }
    const absent = await runInProcess(["replay", `${folder}/b.ts`], { env: { SEQREG_CACHE: `${folder}/cache` } });
    assertStringIncludes(absent.stderr, "it does not exist");
  });
});

Deno.test("lock verify --live and lock update ask a registry again", async () => {
  await using before = await facets(60);
  await using after = await facets(62);
  const lock = `${before.cacheFolder}.lock`;
  const run = (...args: string[]) =>
    runInProcess([...args, "--lock", lock], { env: { SEQREG_CACHE: before.cacheFolder } });
  const ids = Array.from({ length: 30 }, (_, index) => `vj0000000000${index + 10}`).join(",");
  for (
    const line of [
      ["search", "country:Kenya", "--format", "json"],
      ["search", "country:Togo"],
      ["download", "country:Kenya", "--information", "registry_accessions", "--type", "tsv"],
      ["sequence", ...ids.split(",")],
      ["definitions", "Country"],
      ["dataset", "full_dataset_metadata"],
    ]
  ) {
    const { code, stderr } = await run(...line, "--registry", before.folder);
    assertEquals(code === 0 || code === 3, true, stderr);
  }
  const text = await Deno.readTextFile(lock);
  assertStringIncludes(text, '"items": 30');
  const same = await run("lock", "verify", "--live", "--registry", before.folder);
  assertEquals([same.code, /differs/.test(same.stdout)], [0, false], same.stderr + same.stdout);
  const differs = await run("lock", "verify", "--live", "--registry", after.folder);
  assertEquals(differs.code, 5, differs.stderr);
  assertStringIncludes(differs.stdout, "+ vj000000000062");
  assertMatch(differs.stdout, /archive: "[0-9a-f]/);
  assertEquals(await Deno.readTextFile(lock), text);
  assertEquals((await run("lock", "verify", "--live")).code, 1);

  const key = /^([0-9a-f]{12}) search .*Kenya.*: differs$/m.exec(differs.stdout)![1];
  const one = await run("lock", "update", key, "--registry", after.folder);
  assertEquals([one.code, one.stdout.trim().split("\n").length], [0, 1], one.stderr);
  assertMatch(one.stdout, /: updated\n$/);
  const all = await run("lock", "update", "--registry", after.folder);
  assertEquals(
    all.stdout.includes(`${key} search`) && !all.stdout.includes(`${key} search {"query":"country:Kenya"}: updated`),
    true,
  );
  assertEquals((await run("lock", "verify", "--live", "--registry", after.folder)).code, 0);
  assertEquals((await run("lock", "update", "fffffffffffff")).code, 2);

  const updated = await Deno.readTextFile(lock);
  const reach = ["--registry", after.folder];
  await Deno.writeTextFile(lock, updated.replace('"records": 31', '"records": 30'));
  assertEquals((await run("lock", "verify")).code, 1);
  assertEquals((await run("lock", "update", ...reach)).stdout.match(/: updated$/gm)?.length, 1);
  assertEquals(await Deno.readTextFile(lock), updated);
  await Deno.writeTextFile(lock, updated.replace("country:Togo", "country:Mali"));
  const edited = await run("lock", "verify", "--live", ...reach);
  assertEquals(edited.code, 1);
  assertStringIncludes(edited.stderr, "the call was edited");
});
