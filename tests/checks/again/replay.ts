/**
 * The same again: changes of a registry are all explained by the calls that were recorded, and lessons and examples
 * are replayed in a network namespace without routes, with no packet that wanted one and the same outputs. Run by
 * `deno task checks replay`. Every lesson is replayed that can be: those that open a registry at a port of their own
 * (8), make one faulty by a `fetch` of their own (4), read what another program left (9) or a lock of their own (12)
 * cannot, and neither can the example that packs a registry in a folder of its own.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { compareCalls } from "../../../src/again/replay/compare_calls.ts";
import { compareOutputs } from "../../../src/again/replay/compare_outputs.ts";
import type { CellOutput } from "../../../src/again/replay/notebook_file.ts";
import { runNotebook } from "../../../src/again/replay/run_notebook.ts";
import { writeKernelspec } from "../../../src/cli/support/kernelspec.ts";
import { SPECIFICATION_NAMING } from "../../../src/core/contract/naming.ts";
import { LockBodies } from "../../../src/core/registry/lock/lock_bodies.ts";
import { readLock } from "../../../src/core/registry/lock/lock_file.ts";
import { Registry } from "../../../src/core/registry/mod.ts";
import { fromFileUrl, walk } from "../../_files.ts";
import { facetedFolder, type TestFolder } from "../../core/registry/_archives.ts";

const ROOT = new URL("../../../", import.meta.url);
const RECORDS = 12_000;
const PLANTED = 1000;
/** For the reasons above. */
const NOT_REPLAYED = ["04", "08", "09", "12", "pack.ts"];
/** Lessons that ask no registry. */
const WITHOUT_CALLS = ["13"];

/** Asks for every record, as metadata, as pages and as sequences. */
async function record({ folder }: TestFolder, cacheFolder: string, lock: string) {
  await using registry = await Registry.open(folder, { cacheFolder, lock });
  await registry.metadata({ query: "country:*" });
  await registry.search("country:*", { pageSize: 5000, sort: { column: "registry_accession" } });
  await registry.close();
  return (await readLock(lock))!;
}

Deno.test(`${PLANTED} of ${PLANTED} planted changes of a registry are explained`, async () => {
  const values = (number: number) => [`Country ${number % 7}`, `host ${number % 5}`] as const;
  // Every twelfth record has another country, another host, or both by its number.
  const isPlanted = (number: number) => number % (RECORDS / PLANTED) === 0;
  await using before = await facetedFolder(RECORDS, values);
  await using after = await facetedFolder(RECORDS, (number) => {
    const [country, host] = values(number);
    if (!isPlanted(number)) return [country, host];
    return [number % 24 === 0 ? `${country}!` : country, number % 24 !== 0 || number % 36 === 0 ? `${host}!` : host];
  });
  const cache = before.cacheFolder;
  const locked = await record(before, cache, `${cache}.old.lock`);
  const asked = await record(after, cache, `${cache}.new.lock`);
  const calls = await compareCalls(locked, asked, { bodies: new LockBodies(cache), naming: SPECIFICATION_NAMING });
  const metadata = calls.find(({ operation }) => operation === "download");
  assertEquals(metadata?.counts, {
    old: RECORDS,
    new: RECORDS,
    added: 0,
    removed: 0,
    changed: PLANTED,
    unchanged: RECORDS - PLANTED,
  });
  for (const { key, fields } of metadata?.changes ?? []) {
    const number = parseInt(key.slice(2), 10);
    assert(isPlanted(number), key);
    const expected = [
      ...number % 24 === 0 ? ["Country"] : [],
      ...number % 24 !== 0 || number % 36 === 0 ? ["Host Species"] : [],
    ];
    assertEquals(Object.keys(fields).sort(), expected, key);
    for (const { old, new: now } of Object.values(fields)) assertEquals(now, `${old}!`);
  }
  const page = calls.find(({ operation, request }) =>
    operation === "search" && JSON.stringify(request).includes('"pageSize":5000')
  );
  assertEquals(page?.counts?.changed, 5000 * PLANTED / RECORDS | 0);
});

/** Runs a command in a namespace without routes; returns what it printed and how many packets wanted a route. */
async function withoutRoutes(args: readonly string[], env: Readonly<Record<string, string>>) {
  const script = 'ip link set lo up && "$@"; code=$?; grep "^Ip:" /proc/net/snmp >&2; exit $code';
  const { code, stdout, stderr } = await new Deno.Command("unshare", {
    args: ["--map-root-user", "--net", "sh", "-c", script, "sh", ...args],
    // Deno itself looks for a newer Deno now and then.
    env: { ...env, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
  }).output();
  const decoder = new TextDecoder();
  const said = decoder.decode(stderr);
  const [names, counts] = [...said.matchAll(/^Ip: (.*)$/gm)].map(([, text]) => text.split(" "));
  return { code, stdout: decoder.decode(stdout), stderr: said, wanted: Number(counts[names.indexOf("OutNoRoutes")]) };
}

function nameOf(file: URL): string {
  return file.pathname.split("/").at(-1)!;
}

/** What a program printed, as the output of a cell: times and temporary names are compared with nothing. */
function textOutput(text: string): CellOutput {
  return { output_type: "stream", name: "stdout", text };
}

/** Copies a lesson, with a last cell that waits until its lock is written: its kernel is killed after it. */
async function copyLesson(from: URL, to: string): Promise<void> {
  const notebook = JSON.parse(await Deno.readTextFile(from));
  const source = "await new Promise((resolve) => setTimeout(resolve, 1000));";
  const cell = { cell_type: "code", id: "wait", metadata: {}, source, execution_count: null, outputs: [] };
  await Deno.writeTextFile(to, JSON.stringify({ ...notebook, cells: [...notebook.cells, cell] }));
}

Deno.test("lessons and examples are replayed without routes: no packet, equal outputs", async (t) => {
  const folder = await Deno.makeTempDir();
  const cache = `${folder}/cache`;
  const env = { SEQREG_CACHE: cache, SEQREG_URL: "", SEQREG_NAMING: "", SEQREG_OFFLINE: "" };
  const program = [Deno.execPath(), "run", "--allow-all", "--no-check", fromFileUrl(new URL("src/cli/main.ts", ROOT))];
  try {
    const spec = await writeKernelspec(`${folder}/jupyter`);
    const { argv }: { readonly argv: string[] } = JSON.parse(await Deno.readTextFile(`${spec}/kernel.json`));
    const kernel = [Deno.execPath(), ...argv.slice(argv.indexOf("run"))];
    for (const lesson of await walk(new URL("notebooks/", ROOT), ".ipynb")) {
      const number = nameOf(lesson).slice(0, 2);
      if (NOT_REPLAYED.includes(number)) continue;
      await t.step(`lesson ${number}`, async () => {
        const file = `${folder}/${number}/lesson.ipynb`;
        const lock = `${folder}/${number}/seqreg.lock`;
        await Deno.mkdir(`${folder}/${number}`);
        await Deno.writeTextFile(lock, '{ "seqreg-lock": 1, "calls": {} }');
        // Where a lesson prints what is in the cache already, the second run is what a replay repeats.
        for (const _ of [1, 2]) {
          await copyLesson(lesson, file);
          const recorded = await runNotebook(file, { env: { ...env, SEQREG_LOCK: lock }, kernel });
          assert(recorded.isComplete);
          await Deno.writeTextFile(file, recorded.notebook);
        }
        const saved = await Deno.readTextFile(file);
        const replayed = await withoutRoutes([...program, "replay", file], env);
        assertEquals([replayed.code, replayed.wanted], [0, 0], replayed.stdout + replayed.stderr);
        assert(!/differ|saved without outputs/.test(replayed.stdout), replayed.stdout);
        assertEquals(replayed.stdout.includes("calls: none"), WITHOUT_CALLS.includes(number), replayed.stdout);
        assertEquals(await Deno.readTextFile(file), saved);
      });
    }
    for (const example of await walk(new URL("examples/", ROOT), ".ts")) {
      const name = nameOf(example);
      if (NOT_REPLAYED.includes(name)) continue;
      await t.step(name, async () => {
        const place = `${folder}/${name}.folder`;
        const [file, lock] = [`${place}/${name}`, `${place}/seqreg.lock`];
        await Deno.mkdir(place);
        await Deno.copyFile(example, file);
        let printed = "";
        for (const _ of [1, 2]) {
          const { stdout, code } = await new Deno.Command(program[0], {
            args: [...program.slice(1), "run", "--quiet", file],
            env: { ...env, SEQREG_LOCK: lock, NO_COLOR: "1" },
            stderr: "inherit",
          }).output();
          assertEquals(code, 0);
          printed = new TextDecoder().decode(stdout);
        }
        const replayed = await withoutRoutes([...program, "replay", file], env);
        assertEquals([replayed.code, replayed.wanted], [0, 0], replayed.stderr);
        assertEquals(compareOutputs([textOutput(printed)], [textOutput(replayed.stdout)]), []);
        assertMatch(replayed.stderr, /calls: [1-9]\d* answered from the lock/);
      });
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
