/** What the kernel's proxy takes to read cells before the real kernel has them. */
import { findExpressionOperators } from "../../src/jupyter/kernel/code/expression_operators.ts";
import { findForgottenAwaits } from "../../src/jupyter/kernel/code/forgotten_awaits.ts";
import { findHiddenGlobals } from "../../src/jupyter/kernel/code/hidden_globals.ts";
import { readCell } from "../../src/jupyter/kernel/code/program.ts";
import { rewriteCommands } from "../../src/jupyter/kernel/code/cell_commands.ts";
import { makeStoppable } from "../../src/jupyter/kernel/code/stoppable_awaits.ts";
import { Kernel } from "../notebooks/_kernel.ts";
import type { Row } from "./_report.ts";

const TIMEOUT_MS = 240_000;

/** What reading cells takes: those of the lessons, and one as long as any that is read, beside another client. */
export async function readings(own: Kernel, notebooks: URL): Promise<Row[]> {
  const cells: string[] = [];
  for await (const { name } of Deno.readDir(notebooks)) {
    if (!name.endsWith(".ipynb")) continue;
    const notebook: { cells: { cell_type: string; source: string | string[] }[] } = JSON.parse(
      await Deno.readTextFile(new URL(name, notebooks)),
    );
    cells.push(
      ...notebook.cells.filter(({ cell_type }) => cell_type === "code").map(({ source }) => [source].flat().join("")),
    );
  }
  // Only what the proxy does before the kernel has the cell.
  const read = async (cell: string) => {
    const began = process.cpuUsage();
    readCell(cell);
    const parsed = process.cpuUsage(began);
    const source = rewriteCommands(cell, { declared: [] });
    makeStoppable(source);
    const said = [...findHiddenGlobals(source), ...findExpressionOperators(source)];
    await findForgottenAwaits(source, { said, unawaited: () => undefined, givesPromise: () => Promise.resolve(false) });
    const { user, system } = process.cpuUsage(began);
    return { parseMs: (parsed.user + parsed.system) / 1000, ms: (user + system) / 1000 };
  };
  const everyday: number[] = [];
  const blocks = cells.filter((cell) => !/^(?:import|export|%|\?)|\?$/m.test(cell)).map((cell) => `{\n${cell}\n}\n`);
  const step = blocks.join("");
  const long = `if (false) {\n${step.repeat(Math.floor(250_000 / step.length))}}\n`;
  const parsings: number[] = [];
  const megabytes: number[] = [];
  // The last cell read is remembered: each is another.
  for (let run = 0; run < 15; run++) {
    for (const cell of cells) everyday.push((await read(`${cell}\n// ${run}`)).ms);
    const { parseMs, ms } = await read(`${long}// ${run}`);
    // Milliseconds of a thousand characters are seconds of a million.
    parsings.push(parseMs / long.length * 1000);
    megabytes.push(ms / long.length * 1000);
  }
  await using other = await Kernel.join(own);
  const gaps: number[] = [];
  for (let run = 0; run < 15; run++) {
    let isOver = false;
    const running = own.runAll([`${long}// beside ${run}`], TIMEOUT_MS).finally(() => isOver = true);
    let longest = 0;
    while (!isOver) {
      const asked = performance.now();
      await other.ask("complete_request", 'registry.search("x", { pa');
      longest = Math.max(longest, performance.now() - asked);
    }
    if ((await running)[0].status !== "ok") throw new Error("the long cell failed");
    gaps.push(longest);
  }
  return [
    { work: "an everyday cell, read in", ours: everyday, unit: "ms", goal: { atMost: 5 } },
    { work: `a cell of ${long.length} characters, parsed in`, ours: parsings, unit: "s a MB", goal: { atMost: 0.3 } },
    { work: "  with its commands, awaits and hints", ours: megabytes, unit: "s a MB" },
    {
      work: "  the longest that another client waits for Tab meanwhile",
      ours: gaps,
      unit: "ms",
      goal: { atMost: 300 },
    },
  ];
}
