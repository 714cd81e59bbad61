/** The `;fields=` line: the names of the values in every header of a registry FASTA. */
import { FastaError } from "./fasta_error.ts";

export const FIELDS_PREFIX = ";fields=";

/**
 * Reads the names.
 *
 * @throws {FastaError} If a name is empty or comes twice.
 * @see Specification 4.2, rule 3.
 */
export function parseFieldsLine(line: string, place: { name: string; line: number; byte: number }): string[] {
  const fields = line.slice(FIELDS_PREFIX.length).split("|");
  const seen = new Set<string>();
  for (const field of fields) {
    const fault = field === "" ? "an empty name" : seen.has(field) ? `the name ${JSON.stringify(field)} twice` : "";
    if (fault !== "") {
      throw new FastaError(`Cannot read ${place.name}: its ;fields= line has ${fault}; names must differ`, {
        line: place.line,
        byte: place.byte,
      });
    }
    seen.add(field);
  }
  return fields;
}
