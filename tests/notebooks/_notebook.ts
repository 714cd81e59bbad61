/** Reads notebooks as files and says what they hold. */

export interface Cell {
  readonly type: "code" | "markdown" | "raw";
  readonly source: string;
  readonly outputs: readonly unknown[];
  readonly executionCount: number | null;
  /** Texts that the cell's output must contain, from its metadata `seqreg.expect`. */
  readonly expect: readonly string[];
}

export async function readCells(notebook: URL): Promise<Cell[]> {
  const content: unknown = JSON.parse(await Deno.readTextFile(notebook));
  const cells = objectOf(content).cells;
  if (!Array.isArray(cells)) throw new Error(`${notebook.pathname} has no cells`);
  return cells.map(objectOf).map((cell) => ({
    type: cell.cell_type === "code" ? "code" : cell.cell_type === "raw" ? "raw" : "markdown",
    source: Array.isArray(cell.source) ? cell.source.join("") : String(cell.source),
    outputs: Array.isArray(cell.outputs) ? cell.outputs : [],
    executionCount: typeof cell.execution_count === "number" ? cell.execution_count : null,
    expect: textsOf(objectOf(objectOf(cell.metadata).seqreg).expect),
  }));
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
