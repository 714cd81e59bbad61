/** Tables of counts as coloured cells with their numbers. */
import type { ChartSpec } from "./chart.ts";
import { type CountClasses, countClasses, marginFor } from "./_axes.ts";
import { count, labels } from "./_words.ts";

/** A count of a row and a column. */
export interface MatrixCell {
  /** Value of the rows' field. */
  readonly row: string;
  /** Value of the columns' field. */
  readonly column: string;
  /** Number of records. */
  readonly records: number;
}

/** The largest rows and columns of a matrix. */
export interface Matrix {
  /** Cells that are shown, by row and column in their order. */
  readonly cells: readonly MatrixCell[];
  /** Rows that are shown, the largest first. */
  readonly rows: readonly string[];
  /** Columns that are shown, the largest first. */
  readonly columns: readonly string[];
  /** Number of rows that there are. */
  readonly allRows: number;
  /** Number of columns that there are. */
  readonly allColumns: number;
  /** Records that are not shown. */
  readonly excluded: number;
}

/** Takes the largest rows and columns. */
export function cutMatrix(cells: readonly MatrixCell[], mostRows: number, mostColumns: number): Matrix {
  const order = (key: "row" | "column") => {
    const sums = new Map<string, number>();
    for (const cell of cells) sums.set(cell[key], (sums.get(cell[key]) ?? 0) + cell.records);
    return [...sums].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).map(([name]) => name);
  };
  const [allRows, allColumns] = [order("row"), order("column")];
  const [rows, columns] = [allRows.slice(0, mostRows), allColumns.slice(0, mostColumns)];
  const [rowAt, columnAt] = [placesOf(rows), placesOf(columns)];
  const shown = cells.filter(({ row, column }) => rowAt.has(row) && columnAt.has(column)).sort((a, b) =>
    rowAt.get(a.row)! - rowAt.get(b.row)! || columnAt.get(a.column)! - columnAt.get(b.column)!
  );
  const sum = (some: readonly MatrixCell[]) => some.reduce((sum, { records }) => sum + records, 0);
  return {
    cells: shown,
    rows,
    columns,
    allRows: allRows.length,
    allColumns: allColumns.length,
    excluded: sum(cells) - sum(shown),
  };
}

function placesOf(names: readonly string[]): Map<string, number> {
  return new Map(names.map((name, index) => [name, index]));
}

/** Draws the cells, each with its number. */
export function matrixSpec(
  matrix: Matrix,
  axes: { readonly rows: string; readonly columns: string },
): { spec: ChartSpec; classes: CountClasses } {
  const classes = countClasses(Math.max(...matrix.cells.map(({ records }) => records)));
  const [rowNames, columnNames] = [labels(matrix.rows), labels(matrix.columns)];
  const [rowAt, columnAt] = [placesOf(matrix.rows), placesOf(matrix.columns)];
  const cells = matrix.cells.map((cell) => ({
    ...cell,
    rowName: rowNames[rowAt.get(cell.row)!],
    columnName: columnNames[columnAt.get(cell.column)!],
  }));
  const left = marginFor(rowNames);
  const below = Math.ceil(marginFor(columnNames) * 0.72);
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
          fill: ({ records }: MatrixCell) => classes.colourOf(records),
          stroke: "currentColor",
          strokeOpacity: 0.3,
        }),
        plot.text(cells, {
          x: "columnName",
          y: "rowName",
          text: ({ records }: MatrixCell) => short(records),
          fill: ({ records }: MatrixCell) => inkOn(classes.colourOf(records)),
          fontSize: 11,
        }),
      ],
    }),
  };
}

/** Writes a count in at most five letters; the frame has it whole. */
function short(records: number): string {
  if (records < 10_000) return count(records);
  return records < 1_000_000 ? `${Math.round(records / 1000)}k` : `${(records / 1_000_000).toFixed(1)}M`;
}

/** Black or white, whichever is read better on a colour. */
export function inkOn(colour: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return (light + 0.05) / 0.05 > 1.05 / (light + 0.05) ? "#000000" : "#ffffff";
}
