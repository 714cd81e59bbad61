/** Lists of fields as options give them: one row of CSV, such as `Country,"Isolate, source"`. */
import { messageOf } from "@seqreg/core/errors";
import { UsageError } from "../arguments/option_specs.ts";

/**
 * Parses the field list of an option; surrounding blanks are removed.
 *
 * @throws {UsageError} If a list is not one row of CSV, or a field name is empty.
 */
export async function readFieldList(option: string, lists: readonly string[]): Promise<string[]> {
  if (lists.length === 0) return [];
  const { parse } = await import("@std/csv");
  return lists.flatMap((list) => {
    let rows: readonly string[][];
    try {
      rows = parse(list, { trimLeadingSpace: true });
    } catch (cause) {
      const why = messageOf(cause);
      throw new UsageError(
        `Cannot use ${option}: ${why}; expected FIELD,FIELD, with quotes around a name that contains a comma`,
      );
    }
    const fields = rows.flat().map((field) => field.trim());
    if (rows.length === 1 && !fields.includes("")) return fields;
    throw new UsageError(`Cannot use ${option}: a field name is empty; expected FIELD,FIELD`);
  });
}
