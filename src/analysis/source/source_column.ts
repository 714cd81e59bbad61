/** Columns of what analyses read. */
import type { FieldType } from "@seqreg/core/contract";

/** One column of a source. */
export interface SourceColumn {
  /** Name in the frame. */
  readonly name: string;
  /** Public field that it comes from. */
  readonly field: string;
  /** Type that the definitions declare, or that the frame's own type amounts to. */
  readonly type: FieldType;
  /** Type in polars, such as `Int64`. */
  readonly dtype: string;
}

/** Types of polars that hold texts. */
export const TEXT_TYPE = /^(String|Utf8|Categorical)/;
