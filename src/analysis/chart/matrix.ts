/** Tables of counts as coloured cells with their numbers. */
import type { ChartSpec } from "./chart.ts";
import { type CountClasses, countClasses, marginFor } from "./axes.ts";
import { textWidth } from "./_text_width.ts";
import { count, counted, labels } from "./words.ts";

/** A count of a row and a column. */
export interface MatrixCell {
  /** Value of the rows' field. */
  readonly row: string;
  /** Value of the columns' field. */
  readonly column: string;
  readonly records: number;
}

export interface PlacedCell extends MatrixCell {
  readonly rowAt: number;
  readonly columnAt: number;
}

/** The largest rows and columns of a matrix, and all others together. */
export interface Matrix {
  /** Cells that are shown, by row and column in their order. */
  readonly cells: readonly PlacedCell[];
  /** Rows that are shown, the largest first, the last one all others if there are such. */
  readonly rows: readonly string[];
  /** Columns that are shown, likewise. */
  readonly columns: readonly string[];
}

export interface CutOptions {
  /** Most rows and most columns by name. */
  readonly top: number;
  /** What rows are, in the plural. */
  readonly rows: string;
  /** What columns are, in the plural. */
  readonly columns: string;
  /** Whether both are the same things: then they stand in the same order, and the diagonal means something. */
  readonly order?: "own" | "shared";
}

/** Takes the largest rows and columns by name, and the others together, so that the cells add up to all. */
export function cutMatrix(cells: readonly MatrixCell[], options: CutOptions): Matrix {
  const { top, order = "own" } = options;
  const ordered = (keys: readonly ("row" | "column")[]) => {
    const sums = new Map<string, number>();
    for (const cell of cells) for (const key of keys) sums.set(cell[key], (sums.get(cell[key]) ?? 0) + cell.records);
    return [...sums].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).map(([name]) => name);
  };
  const cut = (names: readonly string[], what: string) => ({
    at: placesOf(names.slice(0, top)),
    names: [...names.slice(0, top), ...names.length > top ? [`other (${counted(names.length - top, what)})`] : []],
  });
  const rows = cut(ordered(order === "own" ? ["row"] : ["row", "column"]), options.rows);
  const columns = cut(ordered(order === "own" ? ["column"] : ["row", "column"]), options.columns);
  const sums = new Map<number, PlacedCell>();
  for (const { row, column, records } of cells) {
    const [rowAt, columnAt] = [rows.at.get(row) ?? top, columns.at.get(column) ?? top];
    const key = rowAt * (top + 1) + columnAt;
    const known = sums.get(key)?.records ?? 0;
    sums.set(key, {
      rowAt,
      columnAt,
      row: rows.names[rowAt],
      column: columns.names[columnAt],
      records: known + records,
    });
  }
  return {
    cells: [...sums].sort(([a], [b]) => a - b).map(([, cell]) => cell),
    rows: rows.names,
    columns: columns.names,
  };
}

function placesOf(names: readonly string[]): Map<string, number> {
  return new Map(names.map((name, index) => [name, index]));
}

/** How cells look where they do not show their counts. */
export interface CellLook<Cell extends MatrixCell = PlacedCell> {
  text(cell: Cell): string;
  colourOf(cell: Cell): string;
  /** Last line of its tooltip; its characters by default. */
  title?(cell: Cell): string;
}

/** Draws the cells, each with its number. */
export function matrixSpec(
  matrix: Matrix,
  axes: { readonly rows: string; readonly columns: string; readonly look?: CellLook },
): { spec: ChartSpec; classes: CountClasses } {
  const classes = countClasses(Math.max(...matrix.cells.map(({ records }) => records)));
  const [rowNames, columnNames] = [labels(matrix.rows), labels(matrix.columns)];
  const cells = matrix.cells.map((cell) => ({
    ...cell,
    rowName: rowNames[cell.rowAt],
    columnName: columnNames[cell.columnAt],
  }));
  const look: CellLook = axes.look ??
    { text: ({ records }) => short(records), colourOf: ({ records }) => classes.colourOf(records) };
  // Names of columns lean to the left: the first ones need as much room there as below.
  const lean = (name: string) => Math.ceil(textWidth(name, 12) * Math.SQRT1_2);
  const below = Math.max(...columnNames.map(lean)) + 16;
  const left = Math.max(marginFor(rowNames), ...columnNames.map((name, index) => lean(name) - index * 40));
  return {
    classes,
    spec: (plot) => ({
      width: Math.max(480, left + columnNames.length * 40 + 24),
      height: rowNames.length * 24 + below + 46,
      marginLeft: left,
      marginTop: 22,
      marginRight: Math.max(24, 480 - left - columnNames.length * 40),
      marginBottom: below + 24,
      x: { domain: columnNames, label: axes.columns, tickRotate: -45, labelOffset: below + 20, padding: 0.04 },
      y: { domain: rowNames, label: axes.rows, padding: 0.04, labelAnchor: "top" },
      marks: [
        plot.cell(cells, {
          x: "columnName",
          y: "rowName",
          fill: (cell: PlacedCell) => look.colourOf(cell),
          title: (cell: PlacedCell) =>
            `${axes.rows}: ${cell.row}\n${axes.columns}: ${cell.column}\n${
              axes.look === undefined ? counted(cell.records, "records") : look.title?.(cell) ?? look.text(cell)
            }`,
          stroke: "currentColor",
          strokeOpacity: 0.3,
        }),
        plot.text(cells, {
          x: "columnName",
          y: "rowName",
          text: (cell: PlacedCell) => look.text(cell),
          fill: (cell: PlacedCell) => inkOn(look.colourOf(cell)),
          fontSize: 11,
        }),
      ],
    }),
  };
}

/** Writes a count in at most five characters; the frame has it whole. */
function short(records: number): string {
  if (records < 10_000) return count(records);
  return records < 1_000_000 ? `${Math.round(records / 1000)}k` : `${(records / 1_000_000).toFixed(1)}M`;
}

/** Black or white, depending on which is more legible on a colour. */
export function inkOn(colour: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return (light + 0.05) / 0.05 > 1.05 / (light + 0.05) ? "#000000" : "#ffffff";
}
