/**
 * Our reader of workbooks compared with openpyxl's read-only mode and with read-excel-file: `deno task bench workbook
 * [ROWS]`; 100,000 rows of 20 cells by default, 1,048,576 at most. Python is needed; openpyxl is installed for the time
 * of the run. read-excel-file fails beyond some 125,000 rows.
 */
import { report, type Row } from "./_report.ts";
import { COLUMNS, writeWorkbook } from "./_workbook_file.ts";

const rows = Number(Deno.args[0] ?? 100_000);
if (!Number.isInteger(rows) || rows < 2 || rows > 1_048_576) throw new RangeError("expected 2 to 1048576 rows");
const OPENPYXL = "3.1.5";
const RUNS = rows > 200_000 ? 1 : 3;
const MAX_ROWS_OF_READ_EXCEL_FILE = 120_000;
/** Most memory of a process that reads row by row: its runtime, and the texts that cells share. */
const MEMORY_MB = 250 + rows / 4000;

interface Reading {
  readonly ms: number;
  readonly mb: number;
  readonly printed: string;
}

async function run(command: string, args: readonly string[]): Promise<Reading> {
  const started = performance.now();
  const { success, stdout, stderr } = await new Deno.Command(command, { args: [...args] }).output();
  const ms = performance.now() - started;
  const [printed, errors] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes).trim());
  if (!success) throw new Error(`${command} ${args.join(" ")} failed: ${errors.slice(0, 500)}`);
  return { ms, mb: Number(errors.split("\n").at(-1)) * 1.024e-3, printed: JSON.stringify(JSON.parse(printed)) };
}

async function install(command: string, args: readonly string[]): Promise<void> {
  const { success } = await new Deno.Command(command, { args: [...args], stdout: "null", stderr: "inherit" }).output();
  if (!success) throw new Error("openpyxl cannot be installed here");
}

const beside = (file: string) => new URL(file, import.meta.url).pathname;
const folder = await Deno.makeTempDir();
try {
  const path = `${folder}/rows.xlsx`;
  await writeWorkbook(path, rows);
  const python = `${folder}/python/bin/python`;
  await install("python3", ["-m", "venv", `${folder}/python`]);
  await install(python, ["-m", "pip", "install", "--quiet", `openpyxl==${OPENPYXL}`]);
  const reader = (name: string) =>
    run(Deno.execPath(), ["run", "--allow-all", "--no-check", beside("_workbook_read.ts"), name, path]);
  const readers = {
    "seqreg": () => reader("seqreg"),
    "table": () => reader("table"),
    "openpyxl": () => run(python, [beside("_workbook_openpyxl.py"), path]),
    "read-excel-file": () => reader("read-excel-file"),
  };
  const isSmall = rows <= MAX_ROWS_OF_READ_EXCEL_FILE;
  const peers = Object.entries(readers).filter(([name]) => isSmall || name !== "read-excel-file");
  const readings = new Map<string, Reading[]>(peers.map(([name]) => [name, []]));
  for (let count = 0; count < RUNS; count++) {
    for (const [name, read] of peers) readings.get(name)!.push(await read());
  }
  const compare = (work: string, ours: string, peer: string): Row => ({
    work,
    ours: readings.get(ours)!.map(({ ms }) => ms),
    unit: "ms",
    peer: { name: peer, figures: readings.get(peer)!.map(({ ms }) => ms) },
    goal: { atMost: 1 },
    equal: readings.get(ours)![0].printed === readings.get(peer)![0].printed,
  });
  const memory = readings.get("seqreg")!.map(({ mb }) => mb);
  const result = [
    compare("row by row", "seqreg", "openpyxl"),
    compare("as a table in memory", "table", "openpyxl"),
    ...isSmall ? [compare("as a table in memory", "table", "read-excel-file")] : [],
    { work: "most memory, row by row", ours: memory, unit: "MB", goal: { atMost: MEMORY_MB } },
  ];
  if (!report(`A workbook of ${rows} rows of ${COLUMNS} cells`, result, { openpyxl: OPENPYXL })) Deno.exitCode = 1;
} finally {
  await Deno.remove(folder, { recursive: true });
}
