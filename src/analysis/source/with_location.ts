/** The column of locations that plays the role of the country where no field is one of countries. */
import { fieldAlias } from "@seqreg/core/contract/field_alias";
import { exactColumn } from "@seqreg/core/engine/frames";
import { countryOfLocation } from "../places/location.ts";
import { findRole, type RoleFields, type RolePreferences } from "./roles.ts";
import type { OpenSource, Polars } from "./source.ts";
import { TEXT_TYPE } from "./source_column.ts";

/** Rows that are looked at. */
const FIRST_ROWS = 1000;
const TEXT = "seqreg_text";

/**
 * Has a column `Location` play the role of the country if its first texts are mostly such as
 * `Europe / Germany / Berlin`, and no other column plays it.
 */
export async function withLocation(
  pl: Polars,
  source: OpenSource,
  { fields, roles, signal }: {
    readonly fields?: RoleFields;
    readonly roles?: RolePreferences;
    readonly signal?: AbortSignal;
  },
): Promise<OpenSource> {
  const preferred = roles?.country ?? source.roles?.country ?? [];
  const column = source.columns.find(({ field, name, dtype }) =>
    name === field && fieldAlias(field) === "location" && TEXT_TYPE.test(dtype)
  );
  if (column === undefined || fields?.country !== undefined) return source;
  if (findRole(source.columns, "country", { preferred }) !== undefined) return source;
  const filled = source.scan().select(exactColumn(pl, column.name).alias(TEXT)).filter(pl.col(TEXT).isNotNull());
  const texts = (await source.collect(filled.limit(FIRST_ROWS), { signal })).getColumn(TEXT).toArray();
  const locations = texts.filter((text) => countryOfLocation(String(text)) !== undefined);
  if (locations.length <= texts.length / 2) return source;
  return { ...source, roles: { ...source.roles, country: [column.name] } };
}
