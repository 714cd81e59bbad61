/** Options and reports of a scan of an export. */
import { ParseError } from "../../errors.ts";
import type { Ledger } from "../../contract/ledger.ts";
import type { Naming } from "../../contract/naming.ts";
import type { RequiredRule } from "../../options/option_rule.ts";
import * as rule from "../../options/rules.ts";
import type { InvalidRecord } from "../plan/invalid_log.ts";

export type { InvalidRecord };
import type { Separator } from "../../io/csv/separator.ts";
import type { LedgerEntry } from "../../contract/ledger_entries.ts";

/** What came is not the export that was asked for, or is cut off: none of it can be relied on. */
export class ExportMismatchError extends ParseError {}

/** File types of the five exports. */
export type ExportType = "csv" | "tsv" | "xml" | "fasta";

export const EXPORT_TYPE: RequiredRule<ExportType> = rule.required(rule.oneOf(["csv", "tsv", "xml", "fasta"]));

export interface ExportScanOptions {
  /** What the deployment calls things; the specification's spellings by default. */
  readonly naming?: Naming;
  /** Named in errors. */
  readonly name?: string;
  /** Public fields that were asked for, an empty list for all; where absent, any table and any document is taken. */
  readonly fields?: readonly string[];
  /** Whether the export is a list of accessions, and nothing else. */
  readonly isList?: boolean;
  /** Separators of a CSV that are taken; a comma alone by default. */
  readonly separators?: "comma" | "any";
  /** Whether records of a FASTA that are no nucleotide sequences are left out of the bytes; false by default. */
  readonly readableOnly?: boolean;
  /** Finds aliases by public name of the fields that were asked for; called where the header names none of them. */
  readonly findAliases?: () => Promise<ReadonlyMap<string, string>>;
  /** Called for each record in order: with its accession, or without one where the export names no accessions. */
  readonly onRecord: (accession: string | undefined) => void;
  /** Called for each record whose accession is absent or malformed, or that could not be read. */
  readonly onInvalid?: (record: InvalidRecord) => void;
  /** Called once with the header: the CSV's or TSV's first row, the FASTA's field names. */
  readonly onHeader?: (names: readonly string[]) => void;
  /** Called at the end of an XML export with what its elements and their labels are called, as aliases. */
  readonly onFields?: (aliases: readonly string[]) => void;
  /** Called once with the separator of a CSV. */
  readonly onSeparator?: (separator: Separator) => void;
  /** Called with what else is unusual, such as XML that lacks characters, or a header that readers of tables refuse. */
  readonly onEntry?: (entry: LedgerEntry) => void;
  /** Called at the end of a FASTA, with what its reader found. */
  readonly onLedger?: (ledger: Ledger) => void;
}
