/**
 * What the notebook costs and keeps: lines under their own cell, our kernel beside the stock one, displays, Stop.
 *
 * `deno task bench notebook [--runs 20] [--rows 15000000] [--only lines|kernel|printing|displays|stop]`. The
 * lines need `jupyter` on the path; those in JupyterLab also Chromium. Printing needs a Python, which `PYTHON` names,
 * with ipykernel and jupyter_client.
 */
import { parseArgs } from "node:util";
import { LabServer, NEEDS_BROWSER, openBrowser, writeNotebook } from "../browser/_lab.ts";
import { runCli } from "../_cli.ts";
import { hasProgram } from "../_needs.ts";
import { needsModules, PYTHON } from "../_python.ts";
import { Kernel, OWN_KERNEL } from "../notebooks/_kernel.ts";
import { tableView } from "../../src/jupyter/notebook/mod.ts";
import { viewOf } from "../../src/jupyter/notebook/show.ts";
import { readings } from "./_cell_readings.ts";
import { report, type Row } from "./_report.ts";

const NOTEBOOKS = new URL("../../notebooks/", import.meta.url);
const STOCK_KERNEL = ["jupyter", "--kernel", "--conn"];
const TIMEOUT_MS = 240_000;

const { values: flags } = parseArgs({
  args: Deno.args,
  options: {
    runs: { type: "string", default: "20" },
    rows: { type: "string", default: "15000000" },
    only: { type: "string" },
  },
});
const runs = Number(flags.runs);
const folder = await Deno.makeTempDir();
const env = { SEQREG_CACHE: `${folder}/cache`, SEQREG_URL: "" };
const parts: Readonly<Record<string, () => Promise<Row[]>>> = { lines, kernel, printing, displays, stop };
try {
  const rows: Row[] = [];
  for (const [name, measure] of Object.entries(parts)) {
    if (flags.only === undefined || flags.only === name) rows.push(...await measure());
  }
  if (!report("notebook", rows)) Deno.exitCode = 1;
} finally {
  await Deno.remove(folder, { recursive: true });
}

async function lines(): Promise<Row[]> {
  if (!hasProgram("jupyter")) {
    console.log("not run: lines (absent: jupyter)");
    return [];
  }
  const cells = [1, 2, 3, 4, 5].map((cell) => `for (let i = 0; i < 500; i++) console.log("${cell}:" + i)`);
  const expected = cells.map((_, cell) => Array.from({ length: 500 }, (_, line) => `${cell + 1}:${line}\n`).join(""));
  const place = `${folder}/lines`;
  await Deno.mkdir(place);
  await writeNotebook(`${place}/prints.ipynb`, cells);
  await runCli(["kernel", "install", "--data-dir", `${folder}/data`]);
  const isWhole = (texts: readonly string[]) => texts.every((text, cell) => text === expected[cell]);
  const asBatch = async (command: readonly string[]) => {
    await new Deno.Command(command[0], {
      args: command.slice(1),
      cwd: place,
      env: { JUPYTER_PATH: `${folder}/data` },
      stdout: "null",
      stderr: "null",
    }).output();
    const ran: { cells: { outputs: { text?: string | string[] }[] }[] } = JSON.parse(
      await Deno.readTextFile(`${place}/ran.ipynb`),
    );
    return isWhole(ran.cells.map(({ outputs }) => outputs.map(({ text }) => [text ?? ""].flat().join("")).join("")));
  };
  const nbclient = ["jupyter", "execute", "--output=ran", "prints.ipynb"];
  const nbconvert = ["jupyter", "nbconvert", "--to", "notebook", "--execute", "--output", "ran", "prints.ipynb"];
  const rows: Row[] = [];
  const count = async (where: string, once: () => Promise<boolean>) => {
    let whole = 0;
    for (let run = 0; run < runs; run++) if (await once()) whole++;
    rows.push({
      work: `runs in which every line is under its own cell, ${where}`,
      ours: [whole],
      unit: `of ${runs}`,
      goal: { atLeast: runs },
    });
  };
  await count("nbclient", () => asBatch(nbclient));
  await count("nbclient on one core", () => asBatch(["taskset", "-c", "0", ...nbclient]));
  await count("nbconvert", () => asBatch(nbconvert));
  await count("nbconvert on one core", () => asBatch(["taskset", "-c", "0", ...nbconvert]));
  if (!Object.values(NEEDS_BROWSER).every(Boolean)) {
    console.log("not run: lines in JupyterLab (absent: Chromium)");
    return rows;
  }
  await using browser = await openBrowser();
  for (const core of [undefined, 0]) {
    await using lab = await LabServer.start(place, { core });
    await count(core === undefined ? "JupyterLab" : "JupyterLab on one core", async () => {
      await using page = await lab.open(browser, "prints.ipynb");
      await page.runAll(TIMEOUT_MS);
      return isWhole((await page.cells()).map(({ text }) => text));
    });
  }
  return rows;
}

async function kernel(): Promise<Row[]> {
  const starts: number[] = [];
  for (let run = 0; run < 7; run++) {
    const started = performance.now();
    await using own = await Kernel.start({ folder: NOTEBOOKS, env, args: OWN_KERNEL });
    await own.run("1", TIMEOUT_MS);
    starts.push(performance.now() - started);
  }
  await using own = await Kernel.start({ folder: NOTEBOOKS, env, args: OWN_KERNEL });
  await using stock = await Kernel.start({ folder: NOTEBOOKS, env, args: STOCK_KERNEL });
  const timed = async (which: Kernel) => {
    const started = performance.now();
    await which.run("1 + 1", TIMEOUT_MS);
    return performance.now() - started;
  };
  const costs: number[] = [];
  for (let cell = 0; cell < 60; cell++) {
    const theirs = await timed(stock);
    const ours = await timed(own);
    if (cell >= 10) costs.push(ours - theirs);
  }
  const waits = await awaits(own);
  const reads = await readings(own, NOTEBOOKS);
  const helps: number[] = [];
  const tabs: number[] = [];
  await own.run(`import { Registry } from "seqreg"; const registry = await Registry.open();`, TIMEOUT_MS);
  for (let run = 0; run < 21; run++) {
    const asked = performance.now();
    const { found } = await own.ask("inspect_request", "registry.search");
    const told = performance.now();
    const { matches } = await own.ask("complete_request", 'registry.search("x", { pa');
    if (found !== true || String(matches) !== "pageSize,pageNumber") throw new Error(`no help: ${found}, ${matches}`);
    helps.push(told - asked);
    tabs.push(performance.now() - told);
  }
  const firsts: number[] = [];
  for (let run = 0; run < 6; run++) {
    await using fresh = await Kernel.start({ folder: NOTEBOOKS, env, args: OWN_KERNEL });
    await fresh.run("1", TIMEOUT_MS);
    const started = performance.now();
    await fresh.run(
      `import { Registry } from "seqreg"; const registry = await Registry.open(); await registry.search("country:Kenya")`,
      TIMEOUT_MS,
    );
    // The first run makes the sample.
    if (run > 0) firsts.push(performance.now() - started);
  }
  return [
    { work: "our kernel, from its start to its first answer", ours: starts, unit: "ms", goal: { atMost: 2500 } },
    { work: "a cell, our kernel's time less the stock kernel's", ours: costs, unit: "ms", goal: { atMost: 25 } },
    ...waits,
    ...reads,
    { work: "Shift+Tab to its answer", ours: helps, unit: "ms", goal: { atMost: 150 } },
    { work: "Tab to its answer", ours: tabs, unit: "ms", goal: { atMost: 150 } },
    { work: "Registry.open() to the first search result, warm", ours: firsts, unit: "ms", goal: { atMost: 1500 } },
  ];
}

/**
 * Loops that do nothing but await. Stop can end what is pending only if the cell awaits a promise of ours in its place,
 * which follows it by a reaction; `least` is what such a promise alone costs, more than twice the stock kernel's step
 * where what is awaited is settled already.
 */
async function awaits(own: Kernel): Promise<Row[]> {
  // It waits for what the stock kernel prints late.
  await using stock = await Kernel.start({ folder: NOTEBOOKS, env });
  const loops = [["values", "1", 2], ["functions", "later()", 2], [
    "settled promises",
    "Promise.resolve(1)",
    4,
  ]] as const;
  const rows: Row[] = [];
  for (const kernel of [own, stock]) await kernel.run("async function later() { return await 1; }", TIMEOUT_MS);
  for (const [awaited, expression, atMost] of loops) {
    const cell = `{
      const began = process.cpuUsage();
      let sum = 0;
      for (let step = 0; step < 300_000; step++) sum += await ${expression};
      const { user, system } = process.cpuUsage(began);
      console.log(sum, (user + system) / 1000);
    }`;
    const measured = async (kernel: Kernel, code = cell) =>
      (await kernel.run(code, TIMEOUT_MS))[0].text!.split(" ").map(Number);
    const pairs: (readonly [ours: number[], theirs: number[]])[] = [];
    for (let run = 0; run < 15; run++) pairs.push([await measured(own), await measured(stock)]);
    const peer = { name: "stock kernel", figures: pairs.map(([, [, ms]]) => ms) };
    rows.push({
      work: `300,000 awaits of ${awaited}, processor time`,
      ours: pairs.map(([[, ms]]) => ms),
      unit: "ms",
      peer,
      goal: { atMost },
      equal: pairs.every(([[ours], [theirs]]) => ours === theirs),
    });
    if (awaited === "values") continue;
    const least = cell.replace(expression, `new Promise((resolve, reject) => ${expression}.then(resolve, reject))`);
    const leasts: number[][] = [];
    for (let run = 0; run < 15; run++) leasts.push(await measured(stock, least));
    rows.push({
      work: "  the least that any promise in place of these costs, in the stock kernel",
      ours: leasts.map(([, ms]) => ms),
      unit: "ms",
      peer,
      equal: leasts.every(([sum], run) => sum === pairs[run][1][0]),
    });
  }
  return rows;
}

/** 100,000 lines in one cell, as each kernel's own language prints them, in turn. */
async function printing(): Promise<Row[]> {
  if (!Object.values(needsModules("ipykernel", "jupyter_client")).every(Boolean)) {
    console.log("not run: printing (absent: ipykernel and jupyter_client for Python)");
    return [];
  }
  const lines = Array.from({ length: 100_000 }, (_, line) => `line ${line}\n`).join("");
  const program = new URL("./_printing_ipython.py", import.meta.url).pathname;
  const ours: number[] = [];
  const theirs: number[] = [];
  const grown: number[] = [];
  const grownTheirs: number[] = [];
  let equal = true;
  for (let run = 0; run < 5; run++) {
    await using own = await Kernel.start({ folder: NOTEBOOKS, env, args: OWN_KERNEL });
    const megabytes = async () =>
      Number((await own.run("console.log(Deno.memoryUsage().rss / 1e6)", TIMEOUT_MS))[0].text);
    const before = await megabytes();
    const started = performance.now();
    const printed = await own.run('for (let i = 0; i < 100_000; i++) console.log("line " + i)', TIMEOUT_MS);
    ours.push(performance.now() - started);
    grown.push(await megabytes() - before);
    const { stdout } = await new Deno.Command(PYTHON, { args: [program], stderr: "null" }).output();
    const peer: { ms: number; megabytes: number; text: string } = JSON.parse(new TextDecoder().decode(stdout));
    theirs.push(peer.ms);
    grownTheirs.push(peer.megabytes);
    equal &&= printed.map(({ text }) => text).join("") === lines && peer.text === lines;
  }
  const name = "IPython";
  return [
    {
      work: "print 100,000 lines in a cell",
      ours,
      unit: "ms",
      peer: { name, figures: theirs },
      goal: { atMost: 1.5 },
      equal,
    },
    { work: "  memory of the kernel afterwards, more than before", ours: grown, unit: "MB", goal: { atMost: 60 } },
    { work: "  the same of IPython", ours: grownTheirs, unit: "MB" },
  ];
}

async function displays(): Promise<Row[]> {
  const { default: pl } = await import("nodejs-polars");
  const path = `${folder}/big.parquet`;
  const records = Number(flags.rows);
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  const columns = Array.from(
    { length: 16 },
    (_, column) => `'value ' || (i * ${column + 7} % 9973) AS "Field ${column}"`,
  );
  await connection.run(
    `COPY (SELECT 'vj' || lpad(CAST(i AS VARCHAR), 12, '0') AS "Registry Accession", i AS n, i / 3.0 AS share, ${
      columns.join(", ")
    } FROM range(${records}) AS t(i)) TO '${path}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 50000)`,
  );
  connection.closeSync();
  instance.closeSync();
  const times: number[] = [];
  const bytes: number[] = [];
  for (let run = 0; run < 7; run++) {
    const started = performance.now();
    const view = await viewOf(pl.scanParquet(path));
    times.push(performance.now() - started);
    bytes.push(new TextEncoder().encode(view["text/html"]).length / 1000);
  }
  const letters = "ACGT".repeat(5000);
  const sequences = Array.from({ length: 600 }, (_, row) => letters.slice(row % 4) + "G".repeat(row % 4));
  const rows = sequences.map((
    sequence,
    row,
  ) => [`vj${String(row).padStart(12, "0")}`, sequence.length, 0.5, 0, sequence]);
  const stripTimes: number[] = [];
  const stripBytes: number[] = [];
  for (let run = 0; run < 7; run++) {
    const started = performance.now();
    const view = tableView({
      caption: "sequences",
      columns: ["Registry Accession", "length", "gc", "ambiguous", "sequence"],
      rows,
    });
    stripTimes.push(performance.now() - started);
    stripBytes.push(new TextEncoder().encode(view["text/html"]).length / 1000);
  }
  return [
    {
      work: `show a lazy frame of ${records / 1e6} M rows × 19 columns`,
      ours: times,
      unit: "ms",
      goal: { atMost: 300 },
    },
    { work: "  its HTML", ours: bytes, unit: "kB", goal: { atMost: 200 } },
    { work: "show 600 sequences of 20,000 letters", ours: stripTimes, unit: "ms" },
    { work: "  their HTML", ours: stripBytes, unit: "kB", goal: { atMost: 150 } },
  ];
}

async function stop(): Promise<Row[]> {
  const archives = `${folder}/archives`;
  await runCli(["sample", "-o", archives, "--records", "50000"], { env });
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    const file = new URL(request.url).searchParams.get("filename") ?? "";
    if (file.endsWith(".sha256")) return new Response(`${"0".repeat(64)}  ${file.replace(".sha256", ".csv.gz")}\n`);
    const drip = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 10));
        controller.enqueue(crypto.getRandomValues(new Uint8Array(10_000)));
      },
    });
    return new Response(drip, { headers: { "content-length": "100000000" } });
  });
  const setUp =
    `import { createProgress, Registry, stopSignal } from "seqreg"; import { buildLake } from "seqreg/tables";
    globalThis.kept = 42; const live = await Registry.open("http://127.0.0.1:${server.addr.port}");`;
  const works: readonly (readonly [work: string, code: string, goalMs: number])[] = [
    ["an awaited download", 'await live.dataset("unique_seqs_metadata")', 500],
    ["while (true) {}", "while (true) {}", 500],
    ["a loop that awaits", "for (;;) await new Promise((resolve) => setTimeout(resolve, 50))", 2000],
    [
      "a lake conversion",
      `await buildLake("${archives}", "${folder}/lake", { signal: stopSignal(), onProgress: createProgress() })`,
      2000,
    ],
  ];
  const rows: Row[] = [];
  for (const [work, code, goalMs] of works) {
    const times: number[] = [];
    for (let run = 0; run < 7; run++) {
      await using own = await Kernel.start({ folder: NOTEBOOKS, env, args: OWN_KERNEL });
      await own.run(setUp, TIMEOUT_MS);
      const running = own.runAll([code], TIMEOUT_MS);
      await new Promise((resolve) => setTimeout(resolve, 600 + 150 * run));
      const pressedAt = performance.now();
      await own.interrupt();
      const [{ status }] = await running;
      const kept = await own.run("console.log(kept)", TIMEOUT_MS);
      if (status !== "error" || kept[0]?.text !== "42\n") {
        throw new Error(`Stop in ${work} lost the state: ${status}, ${JSON.stringify(kept)}`);
      }
      times.push(performance.now() - pressedAt);
    }
    rows.push({ work: `Stop to a cell that answers, in ${work}`, ours: times, unit: "ms", goal: { atMost: goalMs } });
  }
  await server.shutdown();
  return rows;
}
