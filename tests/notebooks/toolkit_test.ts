/** The toolkit in a real kernel: displays, errors, progress and Stop, in our own and in the stock one. */
import { gzipSync } from "node:zlib";
import { createHash } from "node:crypto";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { Kernel, OWN_KERNEL } from "./_kernel.ts";
import type { CellOutput } from "./_kernel_messages.ts";

const NOTEBOOKS = new URL("../../notebooks/", import.meta.url);
const TIMEOUT_MS = 90_000;

// One sample serves all.
const cache = await Deno.makeTempDir();
globalThis.addEventListener("unload", () => Deno.removeSync(cache, { recursive: true }));

async function inKernel(args: readonly string[] | undefined, work: (kernel: Kernel) => Promise<void>): Promise<void> {
  const env = { SEQREG_CACHE: cache, SEQREG_URL: "" };
  await using kernel = await Kernel.start({ folder: NOTEBOOKS, env, ...args && { args } });
  await work(kernel);
}

function plainOf(outputs: readonly CellOutput[]): string {
  return outputs.map(({ text, data }) => text ?? String(data?.["text/plain"])).join("\n");
}

const OPEN = `import { Registry } from "seqreg"; const registry = await Registry.open();`;

/** Builds a lake of one record and opens it, with what a lake needs and nothing of a registry. */
const OPEN_LAKE = `import { buildLake, openLake } from "seqreg/tables"; import { gzipSync } from "node:zlib";
  const folder = await Deno.makeTempDir();
  await Deno.writeFile(folder + "/a.csv.gz", gzipSync("Registry Accession,Geographic Country\\nvj000000000001,Atlantis\\n"));
  await buildLake(folder + "/a.csv.gz", folder + "/lake");
  const lake = await openLake(folder + "/lake");`;

/** Completes until a value is there: a busy machine may not answer within the time that Tab waits. */
async function completeSoon(kernel: Kernel, code: string, value: string): Promise<unknown> {
  let values: unknown;
  for (let tries = 0; tries < 100 && String(values) !== value; tries++) {
    values = (await kernel.ask("complete_request", code)).matches;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return values;
}

for (const [name, args] of [["our kernel", OWN_KERNEL], ["the stock kernel", undefined]] as const) {
  Deno.test(`in ${name} frames and what the toolkit gives show themselves as a cell's last value`, () =>
    inKernel(args, async (kernel) => {
      await kernel.run(`${OPEN} import pl from "nodejs-polars";`, TIMEOUT_MS);
      const cells: Record<string, string> = {
        'import { installGuard } from "../src/jupyter/notebook/guard.ts"; installGuard()': "true",
        "pl.DataFrame({ big: [2n ** 60n], part: [{ a: 1, b: ['<b>'] }] })": "frame: 1 row × 2 columns",
        "pl.DataFrame({ a: [1] }).lazy()": "lazy frame: 1 row × 1 column",
        'await registry.search("country:Kenya", { pageSize: 2 })': "Complete page: records 1 to 2 of 75: page 1",
        '(await registry.search("country:Kenya", { pageSize: 2 })).hits': "hits: 2 rows",
        'await registry.sequences({ ids: ["vj000000000001"] })': "sequences",
        '(await registry.definitions(["Country"])).definitions': "definitions: 1 row × 6 columns",
        "[1, 2]": "[ 1, 2 ]",
        'registry.search("country:Kenya")': "This is a promise, not its result: write await before it",
        'await registry.lake({ archives: ["full_dataset_metadata"] })': "full_dataset_metadata (main)",
      };
      for (const [code, expected] of Object.entries(cells)) {
        assertStringIncludes(plainOf(await kernel.run(code, TIMEOUT_MS)), expected);
      }
    }));

  for (const entry of ["seqreg", "seqreg/notebook", "seqreg/analysis"]) {
    Deno.test(`in ${name} frames show themselves once ${entry} is imported, before anything is opened`, () =>
      inKernel(args, async (kernel) => {
        await kernel.run(`import * as toolkit from "${entry}"; import pl from "nodejs-polars";`, TIMEOUT_MS);
        const frame = 'pl.DataFrame({ id: [9007199254740993n, 1n], x: ["a", "b"] })';
        const text = plainOf(await kernel.run(frame, TIMEOUT_MS));
        assertStringIncludes(text, "frame: 2 rows × 2 columns");
        assertStringIncludes(text, "9007199254740993");
      }));
  }

  Deno.test(`in ${name} an error says what failed, what to do next, and why`, () =>
    inKernel(args, async (kernel) => {
      await kernel.run(OPEN, TIMEOUT_MS);
      const outputs = await kernel.run('await registry.search("a", { sort: { column: "countri" } })', TIMEOUT_MS);
      const error = outputs.at(-1);
      assertEquals(error?.type, "error");
      const lines = error?.traceback ?? [];
      assertEquals(lines[0], 'InvalidRequestError: Unknown field "countri" (sortColumn). Did you mean "country"?');
      assertEquals(lines[1].trim(), "Cannot search: the registry refused the request (422)");
      assert(lines.every((line) => !line.includes("/src/")), "the toolkit's own lines are left out");
      if (args !== undefined) assertStringIncludes(plainOf(outputs.slice(0, -1)), "body › sortColumn");

      const file = await kernel.run('await Registry.open("no-such-folder")', TIMEOUT_MS);
      assertStringIncludes(file.at(-1)?.traceback?.join("\n") ?? "", "RegistryError: Cannot");
    }));

  Deno.test(`in ${name} a bar that nothing moves shows no time left, and one that ended does not move`, () =>
    inKernel(args, async (kernel) => {
      const tell = 'import { createProgress } from "seqreg"; const onProgress = createProgress();';
      // Ten seconds in a moment.
      await kernel.run(
        `${tell} const wait = globalThis.setTimeout;
        globalThis.setTimeout = (call, ms, ...args) => wait(call, ms === 10_000 ? 100 : ms, ...args);`,
        TIMEOUT_MS,
      );
      const cells: Record<string, readonly string[]> = {
        'onProgress({ task: "left", done: 5, total: 10, unit: "records" }); await new Promise((end) => setTimeout(end, 500))':
          ['<progress aria-label="left" value="5" max="10"></progress> left: 5 of 10 records; nothing new for 10 s'],
        'onProgress({ task: "left", done: 6, total: 10, unit: "records", finished: true })': [],
        'for (const stopped of [false, true]) onProgress({ task: "open", done: 3, unit: "records", stopped })': [
          "> open: stopped at 3 records",
        ],
        'for (const finished of [false, true]) onProgress({ task: "all", done: 4, unit: "records", finished })': [
          '<progress aria-label="all" value="4" max="4"></progress> all: 4 records',
        ],
      };
      for (const [code, expected] of Object.entries(cells)) {
        const html = (await kernel.run(code, TIMEOUT_MS)).map(({ data }) => String(data?.["text/html"])).join("\n");
        for (const text of expected) assertStringIncludes(html, text);
      }
    }));
}

Deno.test("an error of the toolkit names the line of the user's own code, in the cell and in a function of another", () =>
  inKernel(OWN_KERNEL, async (kernel) => {
    await kernel.run(
      `${OPEN}\nasync function find(query: string) {\n  return await registry.search(query);\n}`,
      TIMEOUT_MS,
    );
    const inCell = await kernel.run('const query = "contry:Kenya";\nawait registry.search(query);', TIMEOUT_MS);
    assertMatch(inCell.at(-1)?.traceback?.join("\n") ?? "", /\n {4}at [^\n]*<anonymous>:2:\d+/);
    const inFunction = await kernel.run('const other = "contry:Peru";\nawait find(other);', TIMEOUT_MS);
    assertMatch(
      inFunction.at(-1)?.traceback?.join("\n") ?? "",
      /\n {4}at async find \(<anonymous>:\d+:\d+\)\n {4}at [^\n]*<anonymous>:2:\d+/,
    );
  }));

Deno.test("what the toolkit refuses names the user's own lines alone, and a member that is not there what there is", () =>
  inKernel(OWN_KERNEL, async (kernel) => {
    await kernel.run(OPEN, TIMEOUT_MS);
    await kernel.run('const found = await registry.search("country:Kenya", { pageSize: 2 });', TIMEOUT_MS);
    const failed = async (code: string) => {
      const error = (await kernel.run(code, TIMEOUT_MS)).at(-1);
      return { text: String(error?.text), frames: (error?.traceback ?? []).filter((line) => /^\s+at /.test(line)) };
    };

    const refused = await failed('1;\nawait registry.search({ query: "x", pageSize: 3 });');
    assertStringIncludes(refused.text, 'unknown option "pageSize" of the search; allowed: query, filter; an option');
    assertEquals(refused.frames.map((line) => line.replace(/:\d+$/, "")), ["    at async <anonymous>:2"]);
    const without = await failed("found.frame.select('Country')");
    assertStringIncludes(without.text, "found.frame is a function: write (await found.frame()).select");
    const unlike = await failed("found.asPandas()");
    assertMatch(unlike.text, /found.asPandas is not a function: found has frame, .*toCSV, .*total/);
    assertStringIncludes(unlike.text, "rows");
  }));

Deno.test("names of fields complete inside quotation marks, with what they mean", () =>
  inKernel(OWN_KERNEL, async (kernel) => {
    // A lake that is opened alone knows values, until a registry is opened.
    const opened = await kernel.run(OPEN_LAKE, TIMEOUT_MS);
    assertEquals(opened.map(({ traceback }) => traceback).filter(Boolean), []);
    assertEquals(await completeSoon(kernel, 'const query = "geographic_country:At', "Atlantis"), ["Atlantis"]);
    await kernel.run(
      `${OPEN} const found = await registry.search("country:Kenya", { pageSize: 2 }); const row = found.rows[0];`,
      TIMEOUT_MS,
    );
    const named = await kernel.ask(
      "complete_request",
      'await registry.metadata({ query: "*" }, { fields: ["Sequence Le',
    );
    assertEquals(named.matches, ["Sequence Length"]);
    assertStringIncludes(JSON.stringify(named.metadata), "integer, bp: Bases of the sequence");
    const inQuery = await kernel.ask("complete_request", 'registry.search("host_age:3 AND sequence_le');
    assertEquals([inQuery.matches, inQuery.cursor_start], [["sequence_length"], 32]);
    const other = await kernel.ask("complete_request", "found.led");
    assertEquals(other.matches, ["ledger"]);
    const property = await kernel.ask("complete_request", "row.Coun");
    assertStringIncludes(JSON.stringify(property.metadata), "Country of the sample");

    const meaning = await kernel.ask("inspect_request", '["Sequence Length');
    assertStringIncludes(JSON.stringify(meaning.data), "(in queries: sequence_length)");
    const value = await kernel.ask("inspect_request", "found");
    assertStringIncludes(JSON.stringify(value.data), "found: SearchResult");
    assertEquals((await kernel.ask("inspect_request", "no_such_name")).found, false);

    assertEquals(await completeSoon(kernel, 'registry.search("country:Ke', "Kenya"), ["Kenya"]);
    const ofLake = await kernel.ask("complete_request", 'registry.search("geographic_country:At');
    assertEquals(String(ofLake.matches).includes("Atlantis"), false);
    const table = await kernel.ask(
      "complete_request",
      'const { x } = row; registry["search"]; registry.dataset("votu_clusters_m',
    );
    assertEquals(table.matches, ["votu_clusters_metadata"]);
    const forgotten = await kernel.runAll(['const waiting = registry.search("a");', "waiting.rows.length"], TIMEOUT_MS);
    assertStringIncludes(plainOf(forgotten[1].outputs), 'waiting is a promise and has no "rows": write await');
    const wrong = await kernel.run('await registry.search("contry:Kenya")', TIMEOUT_MS);
    assertEquals(
      wrong.at(-1)?.traceback?.[0],
      'InvalidRequestError: Unknown field "contry" (column 1 of the query). Did you mean "country"? Quote the text to look ' +
        "for it in all fields",
    );
    assertStringIncludes(String(wrong[0].data?.["text/html"]), "<details><summary>what the registry answered");
  }));

/** A registry with one archive, which stops in the middle of it the first time. */
function stallingRegistry() {
  const archive = gzipSync(
    `Registry Accession,Notes\nvj000000000001,${
      Array.from({ length: 300_000 }, (_, at) => Math.floor(((at * 7919) % 1009) * 1e6).toString(36)).join("")
    }\n`,
  );
  const name = "registryv1_unique_seqs_metadata";
  const sha256 = createHash("sha256").update(archive).digest("hex");
  const ranges: (string | null)[] = [];
  const headers = { etag: '"1"', "accept-ranges": "bytes", "content-type": "application/gzip" };
  const half = archive.length >> 1;
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    const file = new URL(request.url).searchParams.get("filename") ?? "";
    if (file.endsWith(".sha256")) return new Response(`${sha256}  ${name}.csv.gz\n`);
    ranges.push(request.headers.get("range"));
    if (ranges.length > 1) {
      const from = Number(/bytes=(\d+)-/.exec(ranges.at(-1) ?? "")?.[1] ?? 0);
      const range = { "content-range": `bytes ${from}-${archive.length - 1}/${archive.length}` };
      return new Response(Uint8Array.from(archive.subarray(from)), {
        status: from === 0 ? 200 : 206,
        headers: { ...headers, ...from > 0 && range },
      });
    }
    // Drips, so that progress is shown, up to the middle; then nothing more comes.
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (sent >= half) return await new Promise(() => {});
        await new Promise((resolve) => setTimeout(resolve, 50));
        controller.enqueue(archive.subarray(sent, sent + Math.ceil(half / 20)));
        sent += Math.ceil(half / 20);
      },
    });
    return new Response(body, { headers: { ...headers, "content-length": String(archive.length) } });
  });
  return { url: `http://127.0.0.1:${server.addr.port}`, ranges, server };
}

Deno.test("Stop in an awaited download keeps the state, says how far it came, and the download resumes there", () =>
  inKernel(OWN_KERNEL, async (kernel) => {
    const { url, ranges, server } = stallingRegistry();
    try {
      await kernel.run(
        `import { Registry } from "seqreg"; const live = await Registry.open("${url}"); globalThis.kept = 42;`,
        TIMEOUT_MS,
      );
      const running = kernel.runAll(['await live.dataset("unique_seqs_metadata")'], TIMEOUT_MS);
      // The display with the progress has come: the download is under way.
      await kernel.untilShown("<progress", TIMEOUT_MS);
      const pressedAt = performance.now();
      await kernel.interrupt();
      const [{ outputs, status }] = await running;

      assert(performance.now() - pressedAt < 5000, "Stop ends the cell soon");
      assertEquals(status, "error");
      assertStringIncludes(plainOf(outputs), "stopped at");
      assertStringIncludes(plainOf(outputs), "AbortError");
      assertEquals(plainOf(await kernel.run("console.log(kept)", TIMEOUT_MS)), "42\n");

      const again = await kernel.run('(await live.dataset("unique_seqs_metadata")).reused', TIMEOUT_MS);
      assertEquals(plainOf(again), "false");
      assertEquals([ranges.length, ranges[0], /^bytes=[1-9]/.test(ranges[1] ?? "")], [2, null, true]);
    } finally {
      await server.shutdown();
    }
  }));
