/** Definitions of public fields as CSV, JSON and XLSX. */
import { csvRow } from "@seqreg/core/io/csv/csv_text";
import type { DefinitionFormat, FieldDefinition } from "@seqreg/core/contract";

/** Columns or keys of an exported definition. Not shown in the specification (2.5): our choice. */
export const DEFINITION_KEYS: readonly (keyof FieldDefinition)[] = [
  "name",
  "alias",
  "type",
  "description",
  "unit",
  "example",
];

/**
 * Writes definitions in one of the three formats.
 *
 * @param definitions What to write, in this order; none is legal and gives a header, or an empty array, alone.
 * @see Specification 4.5.
 */
export async function writeDefinitions(
  definitions: readonly FieldDefinition[],
  format: DefinitionFormat,
): Promise<Uint8Array<ArrayBuffer>> {
  const rows = definitions.map((definition) => DEFINITION_KEYS.map((key) => definition[key]));
  if (format === "xlsx") return await writeXlsx(rows);
  const text = format === "csv" ? [DEFINITION_KEYS, ...rows].map((row) => `${csvRow(row)}\n`).join("") : JSON.stringify(
    definitions.map((definition) => Object.fromEntries(DEFINITION_KEYS.map((key) => [key, definition[key]]))),
  );
  return new TextEncoder().encode(text);
}

async function writeXlsx(rows: readonly (readonly string[])[]): Promise<Uint8Array<ArrayBuffer>> {
  const { default: writeExcelFile } = await import("write-excel-file");
  const cells = [DEFINITION_KEYS, ...rows].map((row) =>
    row.map((text) => ({ type: String, value: workbookText(text) }))
  );
  return new Uint8Array(await writeExcelFile(cells, { sheet: "definitions" }).toBuffer());
}

/**
 * What a workbook has as `_xHHHH_`: what XML cannot hold or its writer leaves out, carriage returns, which readers of
 * XML turn into line feeds, and an underscore with which such an escape would begin.
 */
const UNFIT = /[\p{Cs}\p{Noncharacter_Code_Point}\ufffd]|(?![\t\n])\p{Cc}|_(?=x[0-9A-Fa-f]{4}_)/gu;

/** Writes a text as ECMA-376 (ST_Xstring) has it. The writer cannot keep names that every object of JavaScript has. */
function workbookText(text: string): string {
  const written = text.replace(UNFIT, escapeUnits);
  return written in {} ? escapeUnits(written.slice(0, 1)) + written.slice(1) : written;
}

function escapeUnits(text: string): string {
  return text.split("").map((unit) => `_x${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`).join("");
}
