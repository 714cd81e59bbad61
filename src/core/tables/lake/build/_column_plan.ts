/** What the columns of an archive are called in a lake, and which definitions give them types. */
import { listSome } from "../../../contract/ledger.ts";
import { noteRepeated } from "../../../contract/answers/read_definitions.ts";
import type { FieldDefinition } from "../../../contract/metadata.ts";
import type { Naming } from "../../../contract/naming.ts";
import { publicNames } from "../../types/public_names.ts";
import { noteUnfulfilled, noteWideIntegers } from "../../types/table_entries.ts";
import type { InferredType } from "../../open/infer_types.ts";
import { type LedgerEntry, noteEntry } from "../../../contract/ledger_entries.ts";

/** What is known before an archive is read. */
export interface ColumnKnowledge {
  readonly definitions: readonly FieldDefinition[];
  readonly naming: Naming;
  /** Whether every column stays text. */
  readonly isText: boolean;
}

export interface ColumnPlan {
  /** Their names in the lake, in order. */
  readonly names: readonly string[];
  /** Definitions of those that have one, by name. */
  readonly definitions: ReadonlyMap<string, FieldDefinition>;
  /** Columns without a definition, whose types have to be inferred from their values. */
  readonly inferred: readonly string[];
  /** What a user has to know of it. */
  readonly entries: readonly LedgerEntry[];
}

/** Plans the columns by the names in the archive. */
export function planColumns(header: readonly string[], { definitions, naming, isText }: ColumnKnowledge): ColumnPlan {
  const names = publicNames(header, definitions, naming);
  const renamed = header.filter((column, index) => column !== names[index]);
  const byName = new Map<string, FieldDefinition>();
  const repeated = new Set<string>();
  for (const definition of isText ? [] : definitions) {
    if (!byName.has(definition.name)) byName.set(definition.name, definition);
    else if (names.includes(definition.name)) repeated.add(definition.name);
  }
  const inferred = isText ? [] : names.filter((name) => name !== naming.accessionField && !byName.has(name));
  return {
    names,
    definitions: byName,
    inferred,
    entries: [
      ...renamed.length === 0 ? [] : [
        noteEntry(
          "columns-renamed",
          `columns that are called by aliases have their fields' public names: ${listSome(renamed, 20)}`,
          { ids: renamed },
        ),
      ],
      ...repeated.size === 0 ? [] : [noteRepeated([...repeated])],
    ],
  };
}

/**
 * The plan with types that were inferred, one for each column; those of columns with a definition count for nothing.
 */
export function withInferredTypes(plan: ColumnPlan, types: readonly InferredType[]): ColumnPlan {
  const inferred = plan.names.flatMap((name, index) =>
    types[index].type === "string" || !plan.inferred.includes(name)
      ? []
      : [[name, defineInferred(name, types[index])] as const]
  );
  const named = inferred.map(([name, { type }]) => `${name} (${type})`);
  const found = named.length === 0 ? "all are text" : listSome(named, 20);
  const defined = plan.names.filter((name) => plan.definitions.has(name));
  const said = defined.length === 0
    ? `types were inferred from names and all values, because definitions are missing: ${found}`
    : `types of ${plan.inferred.length} of ${plan.names.length} columns were inferred from names and all values, since ` +
      `they have no definition: ${found}`;
  return {
    ...plan,
    definitions: new Map([...plan.definitions, ...inferred]),
    entries: [
      ...plan.entries,
      noteEntry("types-inferred", said, { ids: plan.inferred }),
      ...plan.names.flatMap((name, index) => {
        const { type, unfulfilled } = types[index];
        return unfulfilled && plan.inferred.includes(name) ? [noteUnfulfilled(name, type, unfulfilled)] : [];
      }),
    ],
  };
}

function defineInferred(name: string, { type, unit }: InferredType): FieldDefinition {
  return { name, alias: "", type, unit, description: "", example: "" };
}

/** The plan where columns of integers stay text, since they hold numbers beyond 64 bits. */
export function withWideIntegers(plan: ColumnPlan, fields: readonly string[]): ColumnPlan {
  const definitions = new Map(plan.definitions);
  for (const field of fields) definitions.set(field, { ...definitions.get(field)!, type: "string" });
  return { ...plan, definitions, entries: [...plan.entries, ...fields.map(noteWideIntegers)] };
}

/** A column whose name has the word. */
const DATE_NAME = /(?:^|[^a-z])dates?(?:[^a-z]|$)/i;

/** The warning about columns that seem to hold dates and are text, so that no columns of dates are added to them. */
export function noteTextDates({ names, definitions }: ColumnPlan): LedgerEntry[] {
  const isDate = (name: string) => definitions.get(name)?.type === "date";
  const texts = names.filter((name) => DATE_NAME.test(name) && !isDate(name));
  if (texts.length === 0 && names.some(isDate)) return [];
  const found = texts.length === 0
    ? "no column holds dates, so that columns of dates are added to none"
    : `columns that seem to hold dates are text, so that no columns of dates are added to them: ${listSome(texts, 20)}`;
  const text = `${found}; give a field the type date with --definitions to have the values that are no dates named`;
  return [noteEntry("dates-not-columns", text, { ids: texts })];
}

export function definitionsOf({ names, definitions }: ColumnPlan): readonly FieldDefinition[] {
  return names.map((name) => definitions.get(name)).filter((definition) => definition !== undefined);
}
