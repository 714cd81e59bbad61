/** A schema, and its drift, for people and as rows of a table. */
import { listSome } from "@seqreg/core/contract/ledger";
import { terminalText } from "@seqreg/core/io/bytes/terminal_text";
import type { SchemaDrift } from "../drift.ts";
import type { Schema, SchemaField } from "../fields.ts";

export const SCHEMA_COLUMNS: readonly string[] = [
  "table",
  "field",
  "type",
  "unit",
  "filled",
  "missing",
  "misfits",
  "distinct",
  "from",
  "to",
  "precision",
  "example",
];

/** The fields of a schema as rows of texts, in the order of {@linkcode SCHEMA_COLUMNS}. */
export function schemaRows({ tables }: Schema): string[][] {
  return tables.flatMap(({ table, fields }) => fields.map((field) => [table, ...cellsOf(field)]));
}

function cellsOf({ name, type, isDeclared, unit, values }: SchemaField): string[] {
  const declared = isDeclared || type === "string" ? type : `${type} (inferred)`;
  if (values === undefined) return [name, declared, unit, "", "", "", "", "", "", "", ""];
  const { filled, missing, misfits, distinct, isExact, range, precision = {}, example = "" } = values;
  const known = Object.entries(precision).map(([name, count]) => `${name} ${count}`).join(", ");
  const [from, to] = range?.map(String) ?? ["", ""];
  return [
    name,
    declared,
    unit,
    String(filled),
    String(missing),
    String(misfits),
    `${isExact ? "" : "about "}${distinct}`,
    from,
    to,
    known,
    example,
  ];
}

/** Lines on what changed between two versions of the fields. */
export function driftLines(drift: readonly SchemaDrift[]): string[] {
  return drift.flatMap(({ table, added, removed, renamed, changed }) =>
    [
      `${table}: ${added.length} fields added, ${removed.length} removed, ${renamed.length} probably renamed`,
      ...added.length === 0 ? [] : [`  added: ${listSome(added, 200)}`],
      ...removed.length === 0 ? [] : [`  removed: ${listSome(removed, 200)}`],
      ...renamed.map(([from, to]) => `  renamed: ${from} → ${to}`),
      ...changed.map(({ field, what, old, new: now }) => `  ${field}: ${what} ${old || "none"} → ${now || "none"}`),
    ].map(terminalText)
  );
}
