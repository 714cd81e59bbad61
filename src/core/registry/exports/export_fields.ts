/** Which columns of an export are the accession's, and which are those that were asked for. */
import { fieldAlias } from "../../contract/fields/field_alias.ts";
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
