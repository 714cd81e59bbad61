/** What all functions of this room take: which records of a source they read, and how. */
import { type Naming, NAMING_RULE } from "@seqreg/core/contract/naming";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import type { OnProgress } from "@seqreg/core/io/tasks";

/** Options about the source, and about the work as such. */
export interface SourceOptions {
  /** Sheet of a workbook, by name or number from 1; the first visible one that holds data by default. */
  readonly sheet?: string | number;
  /** Encoding of a table of text, as the Encoding standard names it; UTF-8 by default. */
  readonly encoding?: string;
  /** Table of a lake; the main one by default. */
  readonly table?: string;
  /** Fields by role, or by a name that rules know, where the caller knows better: `{ host: "Host name" }`. */
  readonly fields?: Readonly<Record<string, string>>;
  /** What the deployment calls things; the specification's spellings by default. */
  readonly naming?: Naming;
  /** Takes progress in bytes of archives that have to be read. */
  readonly onProgress?: OnProgress;
  /** Ends the work with the signal's reason. */
  readonly signal?: AbortSignal;
}

export const SOURCE_RULES = {
  sheet: rule.either(rule.text, rule.wholeNumber({ from: 1 })),
  encoding: rule.text,
  table: rule.text,
  fields: rule.recordOf(rule.text, "names of fields by role"),
  naming: NAMING_RULE,
  onProgress: rule.callback(),
  signal: rule.signal,
} satisfies OptionRules<SourceOptions>;
