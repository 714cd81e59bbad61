/** What a draw did to country and time, as a picture. */
import { type Chart, chart } from "@seqreg/analysis/chart/chart";
import { type CellLook, matrixSpec, type PlacedCell } from "@seqreg/analysis/chart/matrix";
import { SEQUENCE_COLOURS } from "@seqreg/analysis/chart/palette";
import { count, counted } from "@seqreg/analysis/chart/words";
import { createDateTable } from "./_date_table.ts";
import { type RecordTable, textOf, valueOf } from "./_record_table.ts";

/** Most countries by name, and most columns. */
const [MOST_ROWS, MOST_COLUMNS] = [15, 24];
/** The row of records without a country. */
const NO_COUNTRY = "none stated";
/** Shares up to which a class goes. */
const CLASSES = [
  { name: "none", most: 0, colour: SEQUENCE_COLOURS[0] },
  { name: "up to 10 %", most: 0.1, colour: SEQUENCE_COLOURS[1] },
  { name: "up to 50 %", most: 0.5, colour: SEQUENCE_COLOURS[2] },
  { name: "above 50 %", most: 1 - Number.EPSILON, colour: SEQUENCE_COLOURS[3] },
  { name: "all", most: 1, colour: SEQUENCE_COLOURS[4] },
] as const;

/** Records of a country and a time, and how many of them are drawn. */
interface Cell {
  /** Null where none is stated. */
  readonly country: string | null;
  readonly year: string | null;
  readonly month: string | null;
  readonly size: number;
  readonly drawn: number;
}

/**
 * Draws the table `drawn` among all records, by country and month, or by year where there are more than 24 months.
 *
 * @param dates Name of a table for the dates, which does not exist.
 * @returns Nothing without records, or without a field of the country or of the date of collection.
 */
export async function drawPicture(records: RecordTable, dates: string): Promise<Chart | undefined> {
  const [country, date] = [records.find("country"), records.find("collectionDate")];
  if (country === undefined || date === undefined) return undefined;
  await createDateTable(records.sql, { name: dates, column: date });
  const rows = await records.sql.all(
    "SELECT country, year, month, count(*), count(d.row) FROM (SELECT seqreg_row AS no, seqreg_year AS year, " +
      `seqreg_month AS month, nfc_normalize(${valueOf(country)}) AS country FROM records LEFT JOIN ${dates} ` +
      `ON seqreg_text = ${textOf(date)}) a LEFT JOIN drawn d ON d.row = a.no GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
  );
  await records.sql.run(`DROP TABLE ${dates}`);
  const cells = rows.map(([country, year, month, size, drawn]): Cell => ({
    country: country === null ? null : String(country),
    year: year === null ? null : String(year),
    month: month === null ? null : String(month),
    size: Number(size),
    drawn: Number(drawn),
  }));
  return cells.length === 0 ? undefined : await pictureOf(cells, {
    name: records.table.name,
    fields: [country.name, date.name],
  });
}

async function pictureOf(
  cells: readonly Cell[],
  { name, fields }: { readonly name: string; readonly fields: readonly string[] },
): Promise<Chart> {
  const months = new Set(cells.flatMap(({ month }) => month ?? []));
  const unit = months.size > 0 && months.size <= MOST_COLUMNS ? "month" : "year";
  const times = [...new Set(cells.flatMap((cell) => cell[unit] ?? []))].sort();
  const shown = times.slice(-MOST_COLUMNS);
  const [before, without] = [`before ${shown[0]}`, `no ${unit}`];
  const columnOf = (cell: Cell) => {
    const time = cell[unit];
    return time === null ? without : shown.includes(time) ? time : before;
  };
  const has = (column: string) => cells.some((cell) => columnOf(cell) === column) ? [column] : [];
  const columns = [...has(before), ...shown, ...has(without)];
  const sizes = new Map<string, number>();
  for (const { country, size } of cells) if (country !== null) sizes.set(country, (sizes.get(country) ?? 0) + size);
  const countries = [...sizes].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).map(([country]) => country);
  const named = countries.slice(0, MOST_ROWS);
  const others = `other (${counted(countries.length - named.length, "countries")})`;
  const rowOf = ({ country }: Cell) => country === null ? NO_COUNTRY : named.includes(country) ? country : others;
  const hasNone = cells.some(({ country }) => country === null);
  const names = [...named, ...countries.length > named.length ? [others] : [], ...hasNone ? [NO_COUNTRY] : []];
  const sums = new Map<string, { readonly placed: PlacedCell; size: number; drawn: number }>();
  for (const cell of cells) {
    const row = rowOf(cell);
    const column = columnOf(cell);
    const [rowAt, columnAt] = [names.indexOf(row), columns.indexOf(column)];
    const key = `${rowAt} ${columnAt}`;
    const sum = sums.get(key) ?? { placed: { row, column, rowAt, columnAt, records: 0 }, size: 0, drawn: 0 };
    sum.size += cell.size;
    sum.drawn += cell.drawn;
    sums.set(key, sum);
  }
  const of = (cell: PlacedCell) => sums.get(`${cell.rowAt} ${cell.columnAt}`)!;
  const look: CellLook<PlacedCell> = {
    text: (cell) => count(of(cell).drawn),
    title: (cell) => `${count(of(cell).drawn)} of ${counted(of(cell).size, "records")}`,
    colourOf: (cell) => CLASSES.find(({ most }) => of(cell).drawn / of(cell).size <= most)!.colour,
  };
  const [all, drawn] = [cells, cells].map((some, at) =>
    some.reduce((sum, { size, drawn }) => sum + (at === 0 ? size : drawn), 0)
  );
  const matrix = { cells: [...sums.values()].map(({ placed }) => placed), rows: names, columns };
  const { spec } = matrixSpec(matrix, { rows: "country", columns: unit, look });
  return await chart(spec, {
    title: `Records drawn by country and ${unit}`,
    subtitle: `Cells: records drawn; colour: their share of the records there. ${count(drawn)} of ${
      counted(all, "records")
    } drawn`,
    legendTitle: "drawn",
    legend: CLASSES.map(({ name, colour }) => ({ label: name, colour })),
    description: `Cells of the number of records drawn by country and ${unit}: ${count(drawn)} of ${
      counted(all, "records")
    } in ${counted(countries.length, "countries")}.`,
    source: { n: drawn, excluded: all - drawn, name, fields },
  });
}
