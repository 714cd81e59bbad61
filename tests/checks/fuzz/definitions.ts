/**
 * Definitions: whatever the columns are called and wherever they are, the same fields come back, and nothing throws.
 */
import { parseJson } from "./_json.ts";
import type { FieldType } from "../../../src/core/contract/metadata.ts";
import { fieldAlias } from "../../../src/core/contract/fields/field_alias.ts";
import { readDefinitions } from "../../../src/core/contract/answers/read_definitions.ts";
import { difference, type FuzzRoom, mutate, type Outcome, outcomeOf, pick, several } from "./_room.ts";

const FIELD_TYPES: readonly FieldType[] = ["string", "integer", "float", "boolean", "date", "list"];
const encoder = new TextEncoder();
const NAMES = [
  "Country",
  "Host Species",
  "Sequence Length",
  "Collection Date",
  "Isolate",
  "GC Content",
  "Is Segmented",
];
const HEADERS = { name: ["name", "Field", "field_name", "Label"], alias: ["alias", "Key", "id", "field_id"] } as const;
const WORDS = ["{", "}", "null", "1e999", '"', ",", '"__proto__":', "[]", "N/A"];

type Read = ReturnType<typeof readDefinitions>;

export default function open(): Promise<FuzzRoom> {
  return Promise.resolve({
    make(draw) {
      const [name, alias] = [pick(draw, HEADERS.name), pick(draw, HEADERS.alias)];
      const fields = [...new Set([NAMES[0], NAMES[1], ...several(draw, 6, () => pick(draw, NAMES))])];
      const rows = fields.map((field) => {
        const entries = [[name, field], [alias, fieldAlias(field)], ["type", pick(draw, FIELD_TYPES)], ["note", ""]];
        return Object.fromEntries(entries.sort(() => draw(3) - 1));
      });
      const bytes = encoder.encode(JSON.stringify(rows));
      return draw(2) === 0 ? bytes : mutate(draw, bytes, WORDS);
    },
    run: (input) => {
      const rows = parseJson(input);
      return outcomeOf(() => rows === undefined ? undefined : readDefinitions(rows, NAMES));
    },
    judge(input, result) {
      const ours = result as Outcome<Read | undefined>;
      if ("error" in ours) return Promise.resolve(`threw ${ours.error.stack}`);
      if (ours.value === undefined) return Promise.resolve(undefined);
      const { definitions, missing } = ours.value;
      const odd = definitions.find(({ type }) => !FIELD_TYPES.includes(type));
      if (odd !== undefined) return Promise.resolve(`a type that there is not: ${JSON.stringify(odd)}`);
      return Promise.resolve(compare(parseJson(input) ?? [], definitions, missing));
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
}

/** Compares definitions with rows that are whole: each has a name, its alias and a type under the room's headers. */
function compare(
  rows: readonly Readonly<Record<string, unknown>>[],
  definitions: Read["definitions"],
  missing: readonly string[],
): string | undefined {
  const keys = Object.keys(rows[0] ?? {}).sort();
  const [name, alias] = [HEADERS.name, HEADERS.alias].map((headers) => headers.find((header) => keys.includes(header)));
  if (name === undefined || alias === undefined || keys.length !== 4) return undefined;
  const isWhole = rows.every((row) =>
    Object.keys(row).sort().join() === keys.join() && NAMES.includes(String(row[name])) && row.note === "" &&
    row[alias] === fieldAlias(String(row[name])) && FIELD_TYPES.some((type) => type === row.type)
  );
  if (!isWhole || new Set(rows.map((row) => row[name])).size !== rows.length) return undefined;
  const seen = definitions.map(({ name, type }) => `${name}: ${type}`).sort();
  const absent = NAMES.filter((one) => !rows.some((row) => row[name] === one)).sort();
  return difference(seen, rows.map((row) => `${row[name]}: ${row.type}`).sort()) ??
    difference([...missing].sort(), absent);
}
