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
  let failedCell: number | undefined;
  await using client = await KernelClient.start({
    command: kernel,
    folder: dirname(path),
    env,
    signal,
  });
  for (const { number, source, mayFail, outputs: before } of notebook.cells) {
    const now = await client.run(source);
    outputs.set(number, now);
    if (!failed(now) || mayFail || failed(before)) continue;
    failedCell = number;
    break;
  }
  // A cell may update what an earlier one shows: outputs are compared as they are in the end.
  const cells = notebook.cells.map(({ number, wasRun, outputs: before }): CellComparison => {
    const now = outputs.get(number);
    if (now === undefined) return { number, outcome: "skipped", differences: [] };
    if (!wasRun) return { number, outcome: "unsaved", differences: number === failedCell ? errorsOf(now) : [] };
    const differences = compareOutputs(before, now);
    return { number, outcome: differences.length === 0 ? "same" : "differs", differences };
  });
  const isComplete = failedCell === undefined;
  return { cells, notebook: notebook.withOutputs(outputs), isComplete, exitCode: 0 };
}

function errorsOf(outputs: readonly CellOutput[]): OutputDifference[] {
  return outputs.filter(({ output_type }) => output_type === "error")
    .map(({ ename, evalue }) => ({ what: "error", old: null, new: `${ename}: ${evalue}` }));
}

function failed(outputs: readonly CellOutput[]): boolean {
  return outputs.some(({ output_type }) => output_type === "error");
}
