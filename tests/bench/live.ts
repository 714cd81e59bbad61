/**
 * A live table of 15 million rows in a real JupyterLab and Chromium: times from a gesture until every cell in sight is
 * filled, and memory.
 *
 * `deno task bench live [--rows 15000000] [--files 126] [--columns 20] [--jumps 40] [--data DIR]`; needs `jupyter` on
 * the path and Chromium. `--data` names a folder whose Parquet files are read instead, or written if it has none. Where
 * the Python of `jupyter`, which `PYTHON` names, has them, the peer is quak (`pip install quak==0.3.5 duckdb`), and a
 * lake in an object store is measured too (`pip install moto[server]`).
 */
import { parseArgs } from "node:util";
import { LabServer, NEEDS_BROWSER, openBrowser, writeNotebook } from "../browser/_lab.ts";
import { hasProgram } from "../_needs.ts";
import { writeLiveData } from "./_live_data.ts";
import {
  brush,
  calm,
  countFiltered,
  DRAG,
  filterBy,
  firstCell,
  jumpWithin,
  runCell,
  SCROLLED,
  scrollThrough,
  sortBy,
  timed,
  WATCH_HISTOGRAMS,
  WHEEL,
} from "./_live_gestures.ts";
import { FILTERED, HAS_QUAK, measureQuak } from "./_live_peer.ts";
import { HAS_STORE, measureStore } from "./_live_store.ts";
import { median, report, type Row } from "./_report.ts";

const { values: flags } = parseArgs({
  args: Deno.args,
  options: {
    rows: { type: "string", default: "15000000" },
    files: { type: "string", default: "126" },
    columns: { type: "string", default: "20" },
    jumps: { type: "string", default: "40" },
    data: { type: "string" },
  },
});
const jumps = Number(flags.jumps);
/** Kernels in which a first table is shown. */
const KERNELS = 5;
/** The order of all rows, behind the scenes, is given this time. */
const ORDER_MS = 12_000;

const rowCount = Number(flags.rows);

if (!hasProgram("jupyter") || !Object.values(NEEDS_BROWSER).every(Boolean)) {
  console.log("not run: live (absent: jupyter or Chromium)");
} else if (!report("live", await measure())) Deno.exitCode = 1;

async function measure(): Promise<Row[]> {
  const folder = await Deno.makeTempDir();
  const data = flags.data ?? `${folder}/data`;
  try {
    await Deno.mkdir(data, { recursive: true });
    const files = (await Array.fromAsync(Deno.readDir(data))).map(({ name }) => `${data}/${name}`)
      .filter((path) => path.endsWith(".parquet")).sort();
    const paths = files.length > 0 ? files : await writeLiveData(data, {
      rows: rowCount,
      files: Number(flags.files),
      columns: Number(flags.columns),
    });
    const cells = [
      `import { live } from "seqreg/notebook"; const files = ${JSON.stringify(paths)};`,
      "await live(files)",
      `for (const end = Date.now() + 20_000; Date.now() < end;);`,
      "1 + 1",
    ];
    for (let kernel = 0; kernel < KERNELS; kernel++) await writeNotebook(`${folder}/live${kernel}.ipynb`, cells);
    return await measureIn(folder, paths);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function measureIn(folder: string, paths: readonly string[]): Promise<Row[]> {
  await using server = await LabServer.start(folder);
  await using browser = await openBrowser();
  const cells: number[] = [];
  for (let kernel = 1; kernel < KERNELS; kernel++) {
    await using lab = await server.open(browser, `live${kernel}.ipynb`, { height: 1000 });
    cells.push(await firstCell(lab));
    await lab.page.evaluate("jupyterapp.shell.currentWidget.sessionContext.shutdown()");
  }
  await using lab = await server.open(browser, "live0.ipynb", { height: 1000 });
  const { page } = lab;
  const rows: Row[] = [];
  const time = async (work: string, gesture: string | readonly string[], goal: number, times = 1) => {
    const gestures = typeof gesture === "string" ? Array<string>(times).fill(gesture) : gesture;
    const ours: number[] = [];
    for (const [at, one] of gestures.entries()) {
      if (at > 0 && times === 1) await calm(lab);
      ours.push(await timed(lab, one));
    }
    rows.push({ work, ours, unit: "ms", goal: { atMost: goal } });
    if (times < 20) return;
    const late = [...ours].sort((a, b) => a - b)[Math.floor(times * 0.95)];
    rows.push({ work: `${work}, 95 of 100`, ours: [late], unit: "ms", goal: { atMost: 2 * goal } });
  };
  const jump = (share: number) => jumpWithin(share * rowCount);
  const pause = (timeMs: number) => new Promise((resolve) => setTimeout(resolve, timeMs));
  await page.evaluate(WATCH_HISTOGRAMS);
  cells.push(await firstCell(lab));
  rows.push({ work: "from the cell to rows", ours: cells, unit: "ms", goal: { atMost: 500 } });
  await calm(lab);
  // Those of the columns in sight are drawn one after the other.
  await pause(ORDER_MS / 4);
  rows.push({
    work: "histogram of a column",
    ours: await page.evaluate<number[]>("histograms"),
    unit: "ms",
    goal: { atMost: 150 },
  });
  await time("jump, in the files' order", jump(0.9), 50, jumps);
  await time("drag, in the files' order", DRAG, 50, jumps);
  await time("wheel, in the files' order", WHEEL, 50, jumps);
  await timed(lab, jumpWithin(1));
  const scrolled = await scrollThrough(lab);
  const counted = await countFiltered(lab, filterBy("Country", `=${FILTERED}`));
  rows.push({ work: `scroll through ${SCROLLED} rows`, ours: [scrolled.time], unit: "ms" });
  rows.push({ work: "filter on a value, and its count", ours: [counted.time], unit: "ms" });
  await page.evaluate(filterBy("Country", ""));
  await calm(lab);
  const firsts: Record<string, string[]> = {};
  const firstSort = async (work: string, column: string) => {
    await time(work, sortBy(column), 250);
    firsts[column] = await page.evaluate<string[]>(
      `[...document.querySelectorAll('[data-row] [data-column="${column}"]')].slice(0, 10)` +
        `.map(({ textContent }) => textContent.replaceAll(",", ""))`,
    );
  };
  await firstSort("first sort by a number", "Sequence Length");
  await pause(ORDER_MS);
  await time("sorted: jump", jump(0.9), 150, jumps);
  const longer = (letters: number) => filterBy("Sequence Length", `>${letters}`);
  await time("filter on numbers, sorted", [24_000, 23_000, 22_000, 21_000, 20_000].map(longer), 300);
  await calm(lab);
  await pause(ORDER_MS / 4);
  await time("filtered and sorted: jump", jump(0.3), 150, jumps);
  await page.evaluate(filterBy("Sequence Length", ""));
  await calm(lab);
  await time("brush, sorted", brush("Sequence Length", 0.3, 0.6), 300);
  await calm(lab);
  await page.evaluate(`${sortBy("Sequence Length")}; ${sortBy("Sequence Length")}; ${filterBy("Sequence Length", "")}`);
  await calm(lab);
  const upTo = (letters: number) => filterBy("Sequence Length", `5000..${letters}`);
  await time("filter on numbers", [7_000, 8_000, 9_000].map(upTo), 200);
  await calm(lab);
  await time("filtered: jump", jump(0.1), 150, jumps);
  await page.evaluate(filterBy("Sequence Length", ""));
  await calm(lab);
  await time("filter on text", ["per", "jap", "ken"].map((text) => filterBy("Country", text)), 250);
  await calm(lab);
  await page.evaluate(filterBy("Country", ""));
  await calm(lab);
  await firstSort("first sort by accession", "Registry Accession");
  // Deep in an order no row is found without the order of all rows.
  await time("order of all rows, by accession", jump(0.9), 4500);
  await page.evaluate(`${sortBy("Registry Accession")}; ${sortBy("Registry Accession")}`);
  await pause(ORDER_MS);
  for (const cell of [2, 3]) await page.evaluate(`(async () => { ${runCell(cell)}; })()`);
  await time("jump while a cell computes and one waits", jump(0.9), 200, jumps);
  const waiting = await page.evaluate("jupyterapp.shell.currentWidget.content.widgets[3].prompt");
  if (waiting !== "*") throw new Error("the cells ended before the jumps did");
  rows.push(...await memory());
  await page.evaluate("jupyterapp.shell.currentWidget.sessionContext.shutdown()");
  if (HAS_STORE) rows.push(...await measureStore(browser, paths[0], rowCount / paths.length));
  else console.log("not run: a lake in an object store (absent: moto for Python, or DuckDB's extension httpfs)");
  if (!HAS_QUAK) {
    console.log("not run: the peer (absent: quak and duckdb for Python)");
    return rows;
  }
  const quak = await measureQuak({ server, browser }, { folder, paths, firsts, last: scrolled.last });
  // The first values were compared when they came.
  const both = (work: string, figure: number, equal = true) => {
    const { ours, unit } = rows.find((row) => row.work === work)!;
    const peer = { name: "quak", figures: [figure] };
    rows.push({ work, ours: [median(ours)], unit, peer, goal: { atMost: 1 }, equal });
  };
  both("from the cell to rows", quak.cell);
  both(`scroll through ${SCROLLED} rows`, quak.scroll);
  both("filter on a value, and its count", quak.filter.time, quak.filter.count === counted.count);
  both("first sort by a number", quak.sorts["Sequence Length"]);
  both("first sort by accession", quak.sorts["Registry Accession"]);
  return rows;
}

/** Memory of the processes below this one, now and at most. */
async function memory(): Promise<Row[]> {
  const rows: Row[] = [];
  for (
    const [name, word, now, most] of [
      ["the data process", "serve_tables.ts", 700, 1200],
      ["the proxy", "deno-seqreg/main.ts", 80, undefined],
      ["the kernel", "--conn", undefined, undefined],
    ] as const
  ) {
    for await (const { name: pid } of Deno.readDir("/proc")) {
      const text = (file: string) => Deno.readTextFile(`/proc/${pid}/${file}`).catch(() => "");
      const command = await text("cmdline");
      // Not the `npx` that starts it.
      const isDeno = /^\d+$/.test(pid) && /^[^\0]*deno\0/.test(command);
      if (!isDeno || !command.includes(word)) continue;
      const status = await text("status");
      const megabytes = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1000;
      rows.push({
        work: `memory of ${name}`,
        ours: [megabytes("VmRSS")],
        unit: "MB",
        ...now && { goal: { atMost: now } },
      });
      if (most === undefined) continue;
      rows.push({ work: `memory of ${name}, most`, ours: [megabytes("VmHWM")], unit: "MB", goal: { atMost: most } });
    }
  }
  return rows;
}
