/** Texts of a lazy column replaced by their group keys, wherever the rows are. */
import type { LazyDataFrame } from "nodejs-polars";
import { exactColumn } from "@seqreg/core/engine/frames";
import type { Polars } from "./source.ts";
import type { OtherKeys } from "./texts.ts";

const [TEXT, KEY, IS_OTHER] = ["seqreg_text", "seqreg_key", "seqreg_is_other"];

/** Replaces those texts of a column that have another key, `by` it; the rows keep the columns `names` alone. */
export function replaceTexts(
  pl: Polars,
  rows: LazyDataFrame,
  { names, of, by }: { readonly names: readonly string[]; readonly of: string; readonly by: OtherKeys },
): LazyDataFrame {
  if (by.size === 0) return rows;
  const others = [...by];
  const keys = pl.DataFrame([
    pl.Series(TEXT, others.map(([text]) => text), pl.String),
    pl.Series(KEY, others.map(([, key]) => key), pl.String),
    pl.Series(IS_OTHER, others.map(() => true), pl.Bool),
  ]);
  return rows.join(keys.lazy(), { leftOn: of, rightOn: TEXT, how: "left" }).select(
    ...names.map((name) =>
      name === of
        ? pl.when(pl.col(IS_OTHER).isNotNull()).then(pl.col(KEY)).otherwise(exactColumn(pl, name)).alias(name)
        : exactColumn(pl, name)
    ),
  );
}
