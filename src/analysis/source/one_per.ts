/**
 * One record for each species, cluster or isolate, so that those that were sequenced often do not outweigh the others.
 */
import type { LazyDataFrame } from "nodejs-polars";
import { findField } from "./find_field.ts";
import { findRole, type RoleFields, type RolePreferences } from "./roles.ts";
import type { OpenSource, Polars } from "./source.ts";
import { valueWords } from "./text_keys.ts";
import { VALUE_WORDS } from "@seqreg/core/contract/values/value_words";
import { exactColumn } from "@seqreg/core/engine/frames";

const [VALUE, LEAST] = ["seqreg_one_per_value", "seqreg_one_per_accession"];

/** How records are chosen by their values. */
export interface ByValues {
  readonly fields?: RoleFields | undefined;
  readonly roles?: RolePreferences | undefined;
  /** Pattern of texts that are no value. */
  readonly missing: string;
  /** Takes what there is to say of the values. */
  readonly note: (text: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Keeps of each value of a field the record with the least accession; `field` is its name. */
export async function oneRecordPer(
  pl: Polars,
  source: OpenSource,
  onePer: string,
  { fields, roles, missing, note, signal }: ByValues,
): Promise<{ readonly source: OpenSource; readonly field: string }> {
  const { name, field } = findField(source, onePer, { fields, roles, doing: "take one record for each" });
  const accession = fields?.accession ?? source.idField ??
    findRole(source.columns, "accession", { preferred: roles?.accession ?? source.roles?.accession ?? [] })?.name;
  if (accession === undefined) {
    throw new RangeError(
      `Cannot take one record for each ${field}: the data has no accessions to choose by; name their field by ` +
        '{ fields: { accession: "…" } }, or by --field accession=… on the command line',
    );
  }
  const known = { pl, source, note, options: { ...fields && { fields }, ...roles && { roles } } };
  const collect = (query: LazyDataFrame) => source.collect(query, { signal });
  const words = [...await valueWords({ ...known, collect }, name, VALUE_WORDS)];
  const { files: _files, distinctIds: _distinctIds, misfits: _misfits, ...rest } = source;
  let rows: LazyDataFrame | undefined;
  return {
    field,
    source: {
      ...rest,
      scan: () => {
        if (rows !== undefined) return rows;
        const all = source.scan();
        const value = exactColumn(pl, name).cast(pl.String);
        const isValue = [
          pl.col(VALUE).str.contains(missing).not(),
          ...words.map((word) => pl.col(VALUE).str.contains(`^\\s*${word}\\s*$`)),
        ].reduce((a, b) => a.or(b));
        const chosen = all.select(value.alias(VALUE), exactColumn(pl, accession).cast(pl.String).alias(LEAST))
          .filter(pl.col(VALUE).isNotNull().and(isValue))
          .groupBy(VALUE).agg(pl.col(LEAST).min().alias(LEAST)).select(pl.col(LEAST));
        return rows = all.join(chosen, { leftOn: accession, rightOn: LEAST, how: "inner" });
      },
    },
  };
}
