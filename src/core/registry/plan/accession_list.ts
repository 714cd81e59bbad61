/** Lists of accessions that a caller asks for: checked, each once, in batches that a registry takes. */
import { isAccession } from "../../contract/accession.ts";
import { listSome } from "../../contract/ledger.ts";
import { MAX_SELECTION } from "../../contract/limits.ts";
import { sha256Of } from "../../io/digest/sha256.ts";
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";

/** A checked list of accessions. */
export interface AccessionList {
  /** The accessions, each once, in the order of their first mention. */
  readonly accessions: readonly string[];
  /** Accessions that were given more than once, each once. */
  readonly repeated: readonly string[];
  /** Total number given. */
  readonly given: number;
}

/**
 * Checks accessions that a caller gives, before anything is asked of a registry.
 *
 * @param ids Accessions; the same one may come again.
 * @returns Each once, and which came again.
 * @throws {TypeError} If one is not `vj` and twelve digits, or the list is empty.
 * @see Specification 2.1.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { checkAccessions } from "./accession_list.ts";
 *
 * const list = checkAccessions(["vj000000000002", "vj000000000001", "vj000000000002"]);
 *
 * assertEquals(list.accessions, ["vj000000000002", "vj000000000001"]);
 * assertEquals(list.repeated, ["vj000000000002"]);
 * ```
 */
export function checkAccessions(ids: readonly string[]): AccessionList {
  if (!Array.isArray(ids) || ids.length === 0) {
    throw new TypeError("Cannot ask for records by accession: expected a list of at least one accession");
  }
  const accessions = new Set<string>();
  const repeated = new Set<string>();
  for (const [index, id] of ids.entries()) {
    if (typeof id !== "string" || !isAccession(id)) {
      const shown = typeof id === "string" ? JSON.stringify(id.slice(0, 60)) : String(id);
      throw new TypeError(
        `Cannot ask for ${shown} (number ${index + 1} of ${ids.length}): expected an accession, ` +
          `vj followed by 12 digits`,
      );
    }
    (accessions.has(id) ? repeated : accessions).add(id);
  }
  return { accessions: [...accessions], repeated: [...repeated], given: ids.length };
}

/**
 * What provenance states of a list that took several requests: how many accessions, and the SHA-256 of their lines,
 * which differs from that of any other list of as many.
 */
export function summarizeList(accessions: readonly string[]): { accessions: number; accessionsSha256: string } {
  return { accessions: accessions.length, accessionsSha256: sha256Of(accessions.map((id) => `${id}\n`).join("")) };
}

/** The warning about accessions that were requested more than once; nothing when none was. */
export function noteRepeated({ repeated }: AccessionList): LedgerEntry[] {
  if (repeated.length === 0) return [];
  const times = repeated.length === 1 ? "1 accession was" : `${repeated.length} accessions were`;
  const text = `${times} requested more than once and fetched once: ${listSome(repeated, 20)}`;
  return [noteEntry("requested-twice", text, { ids: repeated })];
}

/**
 * Splits a list into batches, in order.
 *
 * @param most Values in a batch at most; 10,000, the limit of a selection, by default.
 * @throws {RangeError} If `most` is not a whole number of at least 1.
 * @see Specification 8, selection size.
 */
export function splitBatches<T>(values: readonly T[], most: number = MAX_SELECTION): T[][] {
  if (!Number.isInteger(most) || most < 1) {
    throw new RangeError(`Cannot split into batches of ${most}: expected 1 or more`);
  }
  return Array.from(
    { length: Math.ceil(values.length / most) },
    (_, index) => values.slice(index * most, (index + 1) * most),
  );
}
