/** What the texts of a column mean in its company: words for missing that are values, and countries of locations. */
import type { DataFrame, LazyDataFrame } from "nodejs-polars";
import { exactColumn } from "@seqreg/core/engine/frames";
import { label } from "../chart/words.ts";
import { countryOfLocation } from "../places/location.ts";
import { findRole, type Role, ROLE_NAMES, type RoleFields, type RolePreferences } from "./roles.ts";
import type { OpenSource, Polars } from "./source.ts";
import {
  describeValueWord,
  findValueWords,
  mayBeValue,
  VALUE_KINDS,
  type WordField,
} from "@seqreg/core/contract/values/value_words";

/** What knows the columns and takes notes. */
export interface KnownColumns {
  readonly source: Pick<OpenSource, "columns" | "roles" | "scan">;
  readonly options: { readonly fields?: RoleFields; readonly roles?: RolePreferences };
  note(text: string): void;
}

/** What runs queries too. */
export interface AskedColumns extends KnownColumns {
  readonly pl: Polars;
  collect(query: LazyDataFrame): Promise<DataFrame>;
}

const TEXT = "seqreg_text";

/**
 * Finds the words for missing that are values in a column.
 *
 * @param some Some of its texts, all that may be such words among them.
 */
export async function valueWords(
  run: AskedColumns,
  name: string,
  some: readonly unknown[],
): Promise<ReadonlySet<string>> {
  if (kindOf(run, name) === undefined || !some.some(mayBeValue)) return new Set();
  const texts = run.source.scan().select(exactColumn(run.pl, name).alias(TEXT));
  const distinct = await run.collect(texts.groupBy(TEXT).agg(run.pl.len()));
  return valueWordsAmong(run, name, distinct.getColumn(TEXT).toArray());
}

/** The same, of all its texts. */
export function valueWordsAmong(run: KnownColumns, name: string, texts: Iterable<unknown>): ReadonlySet<string> {
  const kind = kindOf(run, name);
  if (kind === undefined) return new Set();
  const words = findValueWords(kind, texts);
  for (const word of words) run.note(describeValueWord(kind, word, name));
  return words;
}

export interface ReadTexts {
  /** Words for missing that are values. */
  readonly words: ReadonlySet<string>;
  /** The text that is counted: of a location the country. */
  textOf(text: string): string;
}

/** Finds how the texts of a column are read, of all of them. */
export function readTexts(
  run: KnownColumns,
  { role, name, texts }: {
    /** The role for which they are read: a location is read as its country for one of countries. */
    readonly role?: Role | undefined;
    readonly name: string;
    readonly texts: readonly unknown[];
  },
): ReadTexts {
  const words = valueWordsAmong(run, name, texts);
  const found = role !== undefined && VALUE_KINDS[role] === "country"
    ? texts.find((text) => typeof text === "string" && countryOfLocation(text) !== undefined)
    : undefined;
  if (found === undefined) return { words, textOf: (text) => text };
  run.note(`The country is the second part of ${name} in texts such as ${JSON.stringify(label(String(found)))}`);
  return { words, textOf: (text) => countryOfLocation(text) ?? text };
}

/** What a column holds, if words for missing may be values in it. */
export function kindOf({ source, options: { fields, roles } }: KnownColumns, name: string): WordField | undefined {
  const role = ROLE_NAMES.find((role) => {
    if (VALUE_KINDS[role] === undefined) return false;
    const preferred = roles?.[role] ?? source.roles?.[role] ?? [];
    return (fields?.[role] ?? findRole(source.columns, role, { preferred })?.name) === name;
  });
  return role && VALUE_KINDS[role];
}
