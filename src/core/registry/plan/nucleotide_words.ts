/** Words for sequences of a registry that are not plain nucleotides. */
import { countOf } from "../../contract/count_of.ts";

/** `2 sequences with letters that are no nucleotide codes`. */
export function describeResidues(count: number): string {
  return `${countOf(count, "sequence")} with letters that are no nucleotide codes`;
}
