/** What a context set is. */
import type { Ledger } from "@seqreg/core/contract";
import type { ContextSource } from "./candidate_records.ts";

/** A sequence of a context set. */
export interface ContextRecord {
  /** Name in the FASTA and the table: `A-Z`, `a-z`, digits and `_ . | / -`, unique. */
  readonly name: string;
  /** Id of the query, or accession of the record. */
  readonly accession: string;
  /** Whether it is a query. */
  readonly isQuery: boolean;
  /** Values of the source's fields, as TSV writes them; empty for a query. */
  readonly values: readonly string[];
  /** Why it is in the set: rank, query, identity, group. */
  readonly why: string;
  /** Its bases, as the source has them. */
  readonly sequence: string;
}

/** A record that is near and not in the set. */
export interface LeftOutRecord {
  /** Its accession. */
  readonly accession: string;
  /** `not-in-source`, `no-sequence`, `not-drawn`, or why it is in no group, such as `no-month`. */
  readonly reason: string;
}

/** The set. */
export interface ContextSet {
  /** Queries in their order, then records, the nearest first. */
  readonly records: readonly ContextRecord[];
  /** Names of the source's fields. */
  readonly fields: readonly string[];
  /** Near records that are not in the set, the nearest first. */
  readonly leftOut: readonly LeftOutRecord[];
  /** Queries without a near record, with the reason. */
  readonly withoutHit: readonly { readonly query: string; readonly note: string }[];
  /**
   * What was requested of the source and received: near records that it does not have, or has no sequence of, are
   * missing, and a query without a near record is a reason.
   */
  readonly ledger: Ledger;
  /** Every answer that the records come from, with its own ledger. */
  readonly sources: readonly ContextSource[];
  /**
   * Writes a folder, atomically: `sequences.fasta`, `metadata.tsv` of the same records (`name`, `accession`, `date`
   * with `XX` for unknown parts, the source's fields, `why`) and `context.json` with ledger, sources and lock.
   * The same set produces the same bytes.
   *
   * @throws {RegistryError} With code `disk` if the folder holds something already, or cannot be written.
   */
  save(folder: string): Promise<void>;
}
