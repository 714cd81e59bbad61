/** Runs the cells of a notebook and compares their outputs with those that it was saved with. */
import { dirname } from "node:path";
import { KernelClient } from "./kernel_client.ts";
import { compareOutputs, type OutputDifference } from "./compare_outputs.ts";
import { type CellOutput, readNotebook } from "./notebook_file.ts";

/** A cell of code, then and now. */
export interface CellComparison {
  /** Number of the cell, from 1; other cells count too. */
  readonly number: number;
  /**
   * `same`; `differs`; `unsaved` if the notebook was saved without its outputs; `skipped` if it was not run, since a
   * cell before it failed.
   */
  readonly outcome: "same" | "differs" | "unsaved" | "skipped";
  /** What differs; of a cell that was saved without outputs, the error that ended the replay. */
  readonly differences: readonly OutputDifference[];
}

export interface NotebookRun {
  readonly cells: readonly CellComparison[];
  /** The notebook with its new outputs. */
  readonly notebook: string;
  /** Whether no cell failed that did not fail before. */
  readonly isComplete: boolean;
  readonly exitCode: 0;
}

export interface RunNotebookOptions {
  /** Environment variables of the kernel. */
  readonly env: Readonly<Record<string, string>>;
  /** Command that starts the kernel. */
  readonly kernel: readonly string[];
  readonly signal?: AbortSignal;
}

/** Runs a notebook; the file stays as it is. */
export async function runNotebook(
  path: string,
  { env, kernel, signal }: RunNotebookOptions,
): Promise<NotebookRun> {
  const notebook = await readNotebook(path);
  const outputs = new Map<number, readonly CellOutput[]>();
  const cells: CellComparison[] = [];
  let isComplete = true;
  await using client = await KernelClient.start({
    command: kernel,
    folder: dirname(path),
    env,
    signal,
  });
  for (const cell of notebook.cells) {
    const { number, source, wasRun, mayFail } = cell;
    if (!isComplete) {
      cells.push({ number, outcome: "skipped", differences: [] });
      continue;
    }
    const now = await client.run(source);
    outputs.set(number, now);
    const hasFailed = failed(now) && !mayFail && !failed(cell.outputs);
    const differences = wasRun ? compareOutputs(cell.outputs, now) : hasFailed ? errorsOf(now) : [];
    cells.push({
      number,
      outcome: !wasRun ? "unsaved" : differences.length === 0 ? "same" : "differs",
      differences,
    });
    if (hasFailed) isComplete = false;
  }
  return { cells, notebook: notebook.withOutputs(outputs), isComplete, exitCode: 0 };
}

function errorsOf(outputs: readonly CellOutput[]): OutputDifference[] {
  return outputs.filter(({ output_type }) => output_type === "error")
    .map(({ ename, evalue }) => ({ what: "error", old: null, new: `${ename}: ${evalue}` }));
}

function failed(outputs: readonly CellOutput[]): boolean {
  return outputs.some(({ output_type }) => output_type === "error");
}
