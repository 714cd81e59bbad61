/**
 * A live table of 15 million rows in a real JupyterLab and Chromium: times from a gesture until every cell in sight is
 * filled, and memory.
 *
 * `deno task bench live [--rows 15000000] [--files 126] [--jumps 40] [--data DIR]`; needs `jupyter` on the path and
 * Chromium. `--data` names a folder whose Parquet files are read instead, or written if it has none. The peer is
 * quak, where the Python of `jupyter`, which `PYTHON` names, has it (`pip install quak==0.3.5 duckdb`).
 */
import { parseArgs } from "node:util";
import { type LabPage, LabServer, NEEDS_BROWSER, openBrowser, writeNotebook } from "../browser/_lab.ts";
import { hasProgram } from "../_needs.ts";
import { writeLiveData } from "./_live_data.ts";
import { HAS_QUAK, measureQuak } from "./_live_peer.ts";
import { report, type Row } from "./_report.ts";

const { values: flags } = parseArgs({
  args: Deno.args,
  options: {
    rows: { type: "string", default: "15000000" },
    files: { type: "string", default: "126" },
    jumps: { type: "string", default: "40" },
    data: { type: "string" },
  },
});
const jumps = Number(flags.jumps);
const WAIT_MS = 120_000;
/** Kernels in which a first table is shown. */
const KERNELS = 5;
/** The order of all rows, behind the scenes, is given this time. */
const ORDER_MS = 12_000;

/** Code of the page: waits until every cell in sight is there. */
const FILLED = `(() => {
  const grid = document.querySelector("[data-seqreg-live=open] [role=grid]");
  return grid?.getAttribute("aria-busy") === "false" && grid.querySelector("[data-row] [role=gridcell]")?.textContent;
})()`;

/** Code of the page: runs a cell. */
const run = (cell: number) =>
  `jupyterapp.shell.currentWidget.content.activeCellIndex = ${cell}; jupyterapp.commands.execute("notebook:run-cell")`;
const sort = (column: string) =>
  `document.querySelector('[role=columnheader][data-column="${column}"] button').click()`;
const write = (label: string, text: string) =>
  `{ const field = document.querySelector('[aria-label="${label}"]'); field.value = ${text};
     field.dispatchEvent(new Event("change")); }`;
const filter = (column: string, text: string) => write(`filter ${column}`, JSON.stringify(text));
const jump = (share: number) =>
  write("go to row", `String(1 + Math.floor(Math.random() * ${share} * ${Number(flags.rows)}))`);

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
    const paths = files.length > 0 ? files : await writeLiveData(data, Number(flags.rows), Number(flags.files));
    const cells = [
      `import { live } from "seqreg/notebook"; const files = ${JSON.stringify(paths)};`,
      "await live(files)",
      `for (const end = Date.now() + 20_000; Date.now() < end;);`,
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
  const time = async (work: string, gesture: string, goal: number, times = 1) => {
    const ours: number[] = [];
    for (let one = 0; one < times; one++) ours.push(await timed(lab, gesture));
    rows.push({ work, ours, unit: "ms", goal: { atMost: goal } });
    if (times < 20) return;
    const late = [...ours].sort((a, b) => a - b)[Math.floor(times * 0.95)];
    rows.push({ work: `${work}, 95 of 100`, ours: [late], unit: "ms", goal: { atMost: 2 * goal } });
  };
  const calm = () =>
    page.waitForFunction(`!document.querySelector("[data-counting], [data-asking]") && ${FILLED}`, null, {
      timeout: WAIT_MS,
    });
  const pause = (timeMs: number) => new Promise((resolve) => setTimeout(resolve, timeMs));
  cells.push(await firstCell(lab));
  rows.push({ work: "from the cell to rows", ours: cells, unit: "ms", goal: { atMost: 500 } });
  await calm();
  await time("jump, in the files' order", jump(0.9), 50, jumps);
  const firsts: Record<string, string[]> = {};
  const firstSort = async (work: string, column: string) => {
    await time(work, sort(column), 250);
    firsts[column] = await page.evaluate<string[]>(
      `[...document.querySelectorAll('[data-row] [data-column="${column}"]')].slice(0, 10)` +
        `.map(({ textContent }) => textContent.replaceAll(",", ""))`,
    );
  };
  await firstSort("first sort by a number", "Sequence Length");
  await pause(ORDER_MS);
  await time("sorted: jump", jump(0.9), 150, jumps);
  await time("filter on numbers, sorted", filter("Sequence Length", ">20000"), 300);
  await calm();
  await pause(ORDER_MS / 4);
  await time("filtered and sorted: jump", jump(0.3), 150, jumps);
  await page.evaluate(`${sort("Sequence Length")}; ${sort("Sequence Length")}; ${filter("Sequence Length", "")}`);
  await calm();
  await time("filter on numbers", filter("Sequence Length", "5000..9000"), 200);
  await calm();
  await time("filtered: jump", jump(0.1), 150, jumps);
  await page.evaluate(filter("Sequence Length", ""));
  await calm();
  await time("filter on text", filter("Country", "ken"), 250);
  await calm();
  await page.evaluate(filter("Country", ""));
  await calm();
  await firstSort("first sort by accession", "Registry Accession");
  // Deep in an order no row is found without the order of all rows.
  await time("order of all rows, by accession", jump(0.9), 4500);
  await page.evaluate(`${sort("Registry Accession")}; ${sort("Registry Accession")}`);
  await pause(ORDER_MS);
  await page.evaluate(`(async () => { ${run(2)}; })()`);
  await time("jump while a cell computes", jump(0.9), 200, jumps);
  rows.push(...await memory());
  if (!HAS_QUAK) {
    console.log("not run: the peer (absent: quak and duckdb for Python)");
    return rows;
  }
  await page.evaluate("jupyterapp.shell.currentWidget.sessionContext.shutdown()");
  const quak = await measureQuak({ server, browser }, { folder, paths, firsts });
  // The first values were compared when they came.
  const both = (work: string, figure: number) => {
    const { ours, unit } = rows.find((row) => row.work === work)!;
    rows.push({ work, ours, unit, peer: { name: "quak", figures: [figure] }, goal: { atMost: 1 }, equal: true });
  };
  both("from the cell to rows", quak.cell);
  both("first sort by a number", quak.sorts["Sequence Length"]);
  both("first sort by accession", quak.sorts["Registry Accession"]);
  return rows;
}

/** Time from a gesture until every cell in sight is there. */
async function timed({ page }: LabPage, gesture: string): Promise<number> {
  return await page.evaluate<number>(`(async () => {
    const began = performance.now();
    ${gesture};
    while (!${FILLED}) await new Promise((resolve) => setTimeout(resolve, 2));
    return performance.now() - began;
  })()`);
}

/** Time of the first live table of a kernel, behind the import. */
async function firstCell(lab: LabPage): Promise<number> {
  await lab.page.evaluate(`(async () => { ${run(0)}; })()`);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  return await timed(lab, run(1));
}

/** Memory of the processes below this one, now and at most. */
async function memory(): Promise<Row[]> {
  const rows: Row[] = [];
  for (
    const [name, word, now, most] of [
      ["the data process", "serve_tables.ts", 700, 1200],
      ["the proxy", "deno-seqreg/main.ts", 80, undefined],
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
      rows.push({ work: `memory of ${name}`, ours: [megabytes("VmRSS")], unit: "MB", goal: { atMost: now } });
      if (most === undefined) continue;
      rows.push({ work: `memory of ${name}, most`, ours: [megabytes("VmHWM")], unit: "MB", goal: { atMost: most } });
    }
  }
  return rows;
}
