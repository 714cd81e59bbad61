/** Notebooks as files: cells, sources and outputs. */
import { isRecord } from "@seqreg/core/options/is_record";
import { messageOf, ParseError, RegistryError } from "@seqreg/core/errors";

export type CellOutput = Readonly<Record<string, unknown>>;

export interface CodeCell {
  /** Number of the cell, from 1; other cells count too. */
  readonly number: number;
  readonly source: string;
  /** What it put out when the notebook was saved. */
  readonly outputs: readonly CellOutput[];
  /** Whether the cell was run before the notebook was saved. */
  readonly wasRun: boolean;
  /** Whether it is meant to fail, by its tag `raises-exception`. */
  readonly mayFail: boolean;
}

export interface Notebook {
  readonly cells: readonly CodeCell[];
  /** The notebook as JSON text with other outputs, by the number of their cell. */
  withOutputs(outputs: ReadonlyMap<number, readonly CellOutput[]>): string;
}

/**
 * Reads a notebook.
 *
 * @throws {ParseError} If it is not a notebook of version 4.
 * @throws {RegistryError} With code `disk` if it cannot be read.
 */
export async function readNotebook(path: string): Promise<Notebook> {
  let text: string;
  try {
    text = await Deno.readTextFile(path);
  } catch (cause) {
    throw new RegistryError("disk", `Cannot read the notebook ${path}: ${messageOf(cause)}; check its name`, { cause });
  }
  let content: unknown;
  try {
    content = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    throw new ParseError(`Cannot read the notebook ${path}: invalid JSON; restore the file`, {}, { cause });
  }
  if (!isRecord(content) || content.nbformat !== 4 || !Array.isArray(content.cells)) {
    throw new ParseError(
      `Cannot read the notebook ${path}: expected a notebook of version 4; open and save it in JupyterLab`,
    );
  }
  const notebook = content;
  const cells = content.cells.map((cell) => isRecord(cell) ? cell : {});
  return {
    cells: cells.flatMap((cell, index): CodeCell[] => {
      if (cell.cell_type !== "code") return [];
      const metadata = isRecord(cell.metadata) ? cell.metadata : {};
      const outputs = Array.isArray(cell.outputs) ? cell.outputs.filter(isRecord) : [];
      return [{
        number: index + 1,
        source: textOfLines(cell.source),
        outputs,
        wasRun: typeof cell.execution_count === "number" || outputs.length > 0,
        mayFail: Array.isArray(metadata.tags) && metadata.tags.includes("raises-exception"),
      }];
    }),
    withOutputs: (outputs) => {
      let count = 0;
      const written = cells.map((cell, index) => {
        if (cell.cell_type !== "code") return cell;
        const own = outputs.get(index + 1);
        if (own === undefined) return { ...cell, outputs: [], execution_count: null };
        count++;
        return {
          ...cell,
          outputs: own.map((output) => "execution_count" in output ? { ...output, execution_count: count } : output),
          execution_count: count,
        };
      });
      return `${JSON.stringify({ ...notebook, cells: written }, null, 1)}\n`;
    },
  };
}

/** Joins a text that a notebook keeps as a list of lines. */
export function textOfLines(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join("");
  return value === undefined || value === null ? "" : String(value);
}
