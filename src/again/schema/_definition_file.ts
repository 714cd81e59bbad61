/** Definitions as a source of their own: a JSON file of a registry's definitions. */
import { ParseError } from "@seqreg/core/errors";
import { tableFromDefinitions } from "@seqreg/core/tables/from/from_definitions";
import type { SchemaField } from "./fields.ts";

/** Reads a file of definitions; `undefined` if the path is something else. */
export async function readDefinitionFile(path: string, signal?: AbortSignal): Promise<SchemaField[] | undefined> {
  if (!/\.json$/i.test(path)) return undefined;
  const { definitions, recognised, rows } = await tableFromDefinitions(path, {
    format: "json",
    signal,
  });
  if (recognised.name === undefined && rows > 0) {
    throw new ParseError(
      `Cannot read ${path}: expected a JSON array of definitions with names and types; a table of JSON has a name that ` +
        "ends with .jsonl",
    );
  }
  return definitions.map(({ name, alias, type, unit, description }) => ({
    name,
    alias,
    type,
    isDeclared: true,
    unit,
    description,
  }));
}
