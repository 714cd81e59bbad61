/** Which columns of an export are the accession's, and which are those that were asked for. */
import { fieldAlias } from "../../contract/fields/field_alias.ts";
import type { FieldDefinition } from "../../contract/metadata.ts";
import { type Naming, SPECIFICATION_NAMING } from "../../contract/naming.ts";

/** Returns whether a column or field of an export is the accession's, by its public name, alias or key. */
export function isAccessionColumn(name: string, naming: Naming = SPECIFICATION_NAMING): boolean {
  return accessionAliases(naming).has(fieldAlias(name));
}

/** Spellings of the accession's field, as aliases. */
export function accessionAliases(naming: Naming = SPECIFICATION_NAMING): ReadonlySet<string> {
  return new Set([naming.accessionField, naming.accessionAlias, naming.accessionsKey].map(fieldAlias));
}

/**
 * Finds fields that were asked for and that an export does not have, neither under their public name nor their alias.
 *
 * @param aliases Aliases by public name, where they do not follow from it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { absentFields } from "./export_fields.ts";
 *
 * assertEquals(absentFields(["Country", "Host Age"], ["registry_accession", "country"]), ["Host Age"]);
 * ```
 */
export function absentFields(
  asked: readonly string[],
  came: readonly string[],
  { naming = SPECIFICATION_NAMING, aliases = new Map<string, string>() }: {
    readonly naming?: Naming;
    readonly aliases?: ReadonlyMap<string, string>;
  } = {},
): string[] {
  const names = new Set(came.flatMap((name) => [name, fieldAlias(name)]));
  const hasAccession = came.some((name) => isAccessionColumn(name, naming));
  return [...new Set(asked)].filter((field) => {
    if (isAccessionColumn(field, naming)) return !hasAccession;
    return !names.has(field) && !names.has(fieldAlias(field)) && !names.has(aliases.get(field) ?? field);
  });
}

/**
 * Finds the public names of columns or fields that came under an alias.
 *
 * @param names Public names that may be meant.
 * @param known Definitions, for aliases that do not follow from the name.
 * @returns Public names by what came; what has no other name, or whose name came too, is not in it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { SPECIFICATION_NAMING } from "../../contract/naming.ts";
 * import { renamesOf } from "./export_fields.ts";
 *
 * const renames = renamesOf(["country", "Host"], ["Country", "Host"], { naming: SPECIFICATION_NAMING });
 *
 * assertEquals([...renames], [["country", "Country"]]);
 * ```
 */
export function renamesOf(
  came: readonly string[],
  names: readonly string[],
  { naming, known = [] }: { readonly naming: Naming; readonly known?: readonly FieldDefinition[] },
): ReadonlyMap<string, string> {
  const byAlias = new Map(names.map((name) => [fieldAlias(name), name]));
  for (const { name, alias } of known) if (names.includes(name) && alias !== "") byAlias.set(alias, name);
  const taken = new Set(came);
  const renames = new Map<string, string>();
  for (const column of came) {
    const name = isAccessionColumn(column, naming) ? naming.accessionField : byAlias.get(fieldAlias(column));
    if (name === undefined || taken.has(name)) continue;
    taken.add(name);
    renames.set(column, name);
  }
  return renames;
}
