/** Definitions of the fields: read from `definitions.json`, or derived from the data. */
import { messageOf, RegistryError } from "@seqreg/core/errors";
import { parseJson } from "@seqreg/core/contract/json/lossless_json";
import { fieldAlias } from "@seqreg/core/contract/field_alias";
import type { FieldDefinition, FieldType, Naming } from "@seqreg/core/contract";
import { DEFINITIONS_FILE } from "./archive_set.ts";
import { isMissing, readDecimal, readPartialDate, splitList } from "@seqreg/core/contract/values";

const TYPES: readonly FieldType[] = ["string", "integer", "float", "boolean", "date", "list"];

/**
 * Reads `definitions.json`: an array of objects with `name`, `alias`, `type`, `description`, `unit` and `example`.
 *
 * @throws {RegistryError} With code `not-an-archive-set` if it is something else, or two fields share a name or alias.
 */
export function parseDefinitions(text: string): FieldDefinition[] {
  const fail = (what: string): never => {
    throw new RegistryError(
      "not-an-archive-set",
      `Cannot read ${DEFINITIONS_FILE}: ${what}; remove or correct the file`,
    );
  };
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (cause) {
    fail(`it is not valid JSON (${messageOf(cause)})`);
  }
  if (!Array.isArray(value)) return fail("expected an array of definitions");
  const seen = { name: new Set<string>(), alias: new Set<string>() };
  return value.map((entry: unknown, index): FieldDefinition => {
    const at = `entry ${index + 1}`;
    if (typeof entry !== "object" || entry === null) return fail(`${at} is no object`);
    const fields = new Map<string, unknown>(Object.entries(entry));
    const textOf = (key: string): string => {
      const cell = fields.get(key);
      return typeof cell === "string" ? cell : fail(`${at}: expected a text under "${key}"`);
    };
    const written = textOf("type");
    const type = TYPES.find((type) => type === written) ?? fail(`${at}: expected a type of ${TYPES.join(", ")}`);
    const name = textOf("name");
    const alias = textOf("alias");
    if (name === "" || alias === "") return fail(`${at}: a name or alias is empty`);
    for (const [what, word] of [["name", name], ["alias", alias]] as const) {
      if (seen[what].has(word)) return fail(`${at}: the ${what} ${JSON.stringify(word)} is there twice`);
      seen[what].add(word);
    }
    return { name, alias, type, description: textOf("description"), unit: textOf("unit"), example: textOf("example") };
  });
}

/** What is seen of one column while definitions are derived. */
interface Observed {
  values: number;
  integers: number;
  numbers: number;
  booleans: number;
  dates: number;
  lists: number;
  /** Whether a date says more than a year: years alone are integers. */
  finerThanYear: boolean;
  /** Whether a value would lose characters as a number, such as `007`. */
  losesZeros: boolean;
  example: string;
}

/** Derives definitions from the values of a table. */
export interface DefinitionDeriver {
  add(cells: readonly string[]): void;
  /** Ends: one definition for each column. */
  derive(): FieldDefinition[];
}

/** Share of a column's values that must fit a type; the rest is the oddness of real data. */
const MIN_SHARE = 0.95;

/**
 * Starts to derive definitions: name, alias, observed type, and the first value as the example.
 *
 * A type is observed when 95 of 100 values fit it; a list when one of five has elements joined by `;`. A column with a
 * number that begins with a needless zero is of texts.
 */
export function startDefinitions(header: readonly string[], naming: Naming): DefinitionDeriver {
  const columns = header.map((): Observed => ({
    values: 0,
    integers: 0,
    numbers: 0,
    booleans: 0,
    dates: 0,
    lists: 0,
    finerThanYear: false,
    losesZeros: false,
    example: "",
  }));
  return {
    add: (cells) => cells.forEach((cell, index) => observe(columns[index], cell)),
    derive: () => {
      const taken = new Set([naming.accessionAlias]);
      return header.map((name, index) => ({
        name,
        alias: name === naming.accessionField ? naming.accessionAlias : freeAlias(name, index, taken),
        type: name === naming.accessionField ? "string" : typeOf(columns[index]),
        description: "",
        unit: "",
        example: columns[index].example,
      }));
    },
  };
}

function observe(column: Observed, cell: string): void {
  if (isMissing(cell)) return;
  if (column.values++ === 0) column.example = cell;
  const first = cell.charCodeAt(0);
  const mayBeNumber = first <= 57;
  if (mayBeNumber && readDecimal(cell) !== undefined) {
    column.numbers++;
    if (/^[+-]?[0-9]+$/.test(cell)) column.integers++;
    if (/^[+-]?0[0-9]/.test(cell)) column.losesZeros = true;
  }
  if (mayBeNumber && readPartialDate(cell) !== undefined) {
    column.dates++;
    if (cell.length > 4) column.finerThanYear = true;
  }
  if (cell === "true" || cell === "false") column.booleans++;
  if (cell.includes(";") && splitList(cell).length > 1) column.lists++;
}

function typeOf(column: Observed): FieldType {
  const enough = (count: number, share = MIN_SHARE) => column.values > 0 && count >= column.values * share;
  if (enough(column.booleans)) return "boolean";
  if (enough(column.dates) && column.finerThanYear) return "date";
  if (!column.losesZeros && enough(column.integers)) return "integer";
  if (!column.losesZeros && enough(column.numbers)) return "float";
  return enough(column.lists, 0.2) ? "list" : "string";
}

function freeAlias(name: string, index: number, taken: Set<string>): string {
  const wanted = fieldAlias(name) || `field_${index + 1}`;
  let alias = wanted;
  for (let number = 2; taken.has(alias); number++) alias = `${wanted}_${number}`;
  taken.add(alias);
  return alias;
}
