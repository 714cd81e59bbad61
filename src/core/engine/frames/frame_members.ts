/**
 * Members of a frame, and columns by their exact names, whatever a table's columns are called.
 *
 * A frame of polars for Node is a proxy that gives a column instead of the member of its name: `frame.height` of a
 * table with a column `height` is that column. And `pl.col("*")`, `pl.col("^a$")` are patterns, not names.
 */
import type { DataFrame, Expr } from "nodejs-polars";
import type { Polars } from "./frame_columns.ts";

/**
 * The frame without its proxy: each member is the member. What its methods return are frames with a proxy again.
 *
 * @param frame A frame; any other object is returned as it is.
 */
export function membersOf<Frame extends object = DataFrame>(frame: Frame): Frame {
  // No symbol is the name of a column.
  if (Reflect.get(frame, Symbol.toStringTag) !== "DataFrame") return frame;
  const key = Symbol("members");
  let members = frame;
  // The proxy hands what is set to the object behind it, as its receiver.
  const isDefined = Reflect.defineProperty(frame, key, {
    configurable: true,
    set(this: Frame) {
      members = this;
    },
  });
  if (!isDefined) return frame;
  Reflect.set(frame, key, undefined);
  Reflect.deleteProperty(frame, key);
  return members;
}

/** Whether polars takes the name of a column for a pattern: `*`, `^…$`. */
export function isPattern(name: string): boolean {
  return /^(?:\*|\^[^]*\$)$/.test(name);
}

/** A column by exactly its name. */
export function exactColumn(pl: Pick<Polars, "col">, name: string): Expr {
  // Such a name is found by a pattern that it alone matches.
  return pl.col(isPattern(name) ? `^${name.replace(/[^\p{L}\p{N}\s]/gu, "\\$&")}$` : name);
}
