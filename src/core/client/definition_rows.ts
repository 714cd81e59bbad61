/** Rows of a definitions answer, in any shape: the specification shows neither columns nor keys (2.5). */
import { isRecord } from "../options/is_record.ts";
import { ParseError } from "../errors.ts";

/** One definition as received: values by column or key. */
export type DefinitionRow = Readonly<Record<string, unknown>>;

/**
 * Finds the definitions in a JSON answer.
 *
 * | answer | rows |
 * |---|---|
 * | an array of objects | its objects |
 * | an object with one array | the objects of that array |
 * | an object of objects, by name | those objects, each with its key in the column `name` |
 * | an object of strings whose keys were requested | `name` and `type` of each |
 * | an object with a key that ends in `name` | itself, a single definition |
 * | an empty object | none |
 *
 * @param asked Requested public field names; may be empty.
 * @throws {ParseError} If the answer has none of these shapes.
 * @see Specification 2.5 and 4.5: the shape is not shown.
 */
export function definitionRows(
  value: unknown,
  asked: readonly string[],
  name = "the definitions",
): readonly DefinitionRow[] {
  if (Array.isArray(value)) {
    return value.map((entry, index) => {
      if (isRecord(entry)) return entry;
      throw new ParseError(`Cannot read ${name}: definition ${index + 1} is not a JSON object`);
    });
  }
  const found = isRecord(value) ? rowsOfObject(value, asked, name) : undefined;
  if (found !== undefined) return found;
  throw new ParseError(`Cannot read ${name}: expected a JSON array of definitions, or an object of them by name`);
}

function rowsOfObject(
  object: DefinitionRow,
  asked: readonly string[],
  name: string,
): readonly DefinitionRow[] | undefined {
  const entries = Object.entries(object);
  const hasAsked = entries.some(([key]) => asked.includes(key));
  if (!hasAsked) {
    const arrays = entries.filter(([, entry]) => Array.isArray(entry) && entry.every(isRecord));
    if (arrays.length === 1) return definitionRows(arrays[0][1], asked, name);
    // A wrapper, such as { "fields": { … } }.
    const objects = entries.filter(([, entry]) => isRecord(entry));
    if (objects.length === 1 && isRecord(objects[0][1]) && Object.values(objects[0][1]).every(isRecord)) {
      return rowsOfObject(objects[0][1], asked, name);
    }
    if (entries.some(([key, entry]) => /name$/i.test(key) && typeof entry === "string")) return [object];
  }
  if (entries.every(([, entry]) => isRecord(entry))) {
    return entries.map(([key, entry]) => {
      const row = isRecord(entry) ? entry : {};
      if (!Object.hasOwn(row, "name")) return { name: key, ...row };
      // A definition may have a member `key` of its own, such as its alias.
      return { ...row, [Object.hasOwn(row, "key") ? "public name" : "key"]: key };
    });
  }
  return hasAsked && entries.every(([, entry]) => typeof entry === "string")
    ? entries.map(([key, type]) => ({ name: key, type }))
    : undefined;
}
