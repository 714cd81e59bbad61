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
    row.map((text) => ({ type: String, value: text.replace(UNFIT, "") }))
  );
  return new Uint8Array(await writeExcelFile(cells, { sheet: "definitions" }).toBuffer());
}

/** Cells are XML: what XML cannot hold is left out. */
// deno-lint-ignore no-control-regex
const UNFIT = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
