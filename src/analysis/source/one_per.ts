/**
 * One record for each species, cluster or isolate, so that those that were sequenced often do not outweigh the others.
 */
import type { LazyDataFrame } from "nodejs-polars";
import { checkSingle, findField } from "./find_field.ts";
import { findRole, type RoleFields, type RolePreferences } from "./roles.ts";
import type { OpenSource, Polars } from "./source.ts";
import { valueWords } from "./text_keys.ts";
import { ODD_PATTERN, otherKeys } from "./texts.ts";
import { replaceTexts } from "./replace_texts.ts";
import { exactColumn } from "@seqreg/core/engine/frames";

const [VALUE, LEAST] = ["seqreg_one_per_value", "seqreg_one_per_accession"];

/** How records are chosen by their values. */
export interface ByValues {
  readonly fields?: RoleFields | undefined;
  readonly roles?: RolePreferences | undefined;
  /** Takes what there is to say of the values. */
  readonly note: (text: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Keeps of each value of a field, as groups are made, the record with the least accession; `field` is its name. */
export async function oneRecordPer(
  pl: Polars,
  source: OpenSource,
  onePer: string,
  { fields, roles, note, signal }: ByValues,
): Promise<{ readonly source: OpenSource; readonly field: string }> {
  const column = findField(source, onePer, { fields, roles, doing: "take one record for each" });
  const { name, field } = column;
  const accession = fields?.accession ?? source.idField ??
    findRole(source.columns, "accession", { preferred: roles?.accession ?? source.roles?.accession ?? [] })?.name;
  if (accession === undefined) {
    throw new RangeError(
      `Cannot take one record for each ${field}: the data has no accessions to choose by; name their field by ` +
        '{ fields: { accession: "…" } }, or by --field accession=… on the command line',
    );
  }
  checkSingle(column, `take one record for each ${field}`);
  const known = { pl, source, note, options: { ...fields && { fields }, ...roles && { roles } } };
  const collect = (query: LazyDataFrame) => source.collect(query, { signal });
  const value = exactColumn(pl, name).cast(pl.String).alias(VALUE);
  const odd = source.scan().select(value).filter(pl.col(VALUE).str.contains(ODD_PATTERN));
  const found = (await collect(odd.groupBy(VALUE).agg(pl.len()))).getColumn(VALUE).toArray();
  const others = otherKeys(found, await valueWords({ ...known, collect }, name, found));
  const { files: _files, distinctIds: _distinctIds, misfits: _misfits, ...rest } = source;
  let rows: LazyDataFrame | undefined;
  return {
    field,
    source: {
      ...rest,
      scan: () => {
        if (rows !== undefined) return rows;
        const all = source.scan();
        const least = exactColumn(pl, accession).alias(LEAST);
        const chosen = replaceTexts(pl, all.select(value, least), { names: [VALUE, LEAST], of: VALUE, by: others })
          .filter(pl.col(VALUE).isNotNull())
          .groupBy(VALUE).agg(pl.col(LEAST).min().alias(LEAST))
          // A record of several values is there once.
          .groupBy(LEAST).agg(pl.len()).select(pl.col(LEAST));
        return rows = all.join(chosen, { leftOn: accession, rightOn: LEAST, how: "inner" });
      },
    },
  };
}
