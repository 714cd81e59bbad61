/** Names of the columns that are computed from a sequence, next to those of its header. */

/** What is counted of each sequence, and the sequence. */
export type ComputedColumn = "length" | "gc" | "ambiguous" | "sequence";

/**
 * Names of the columns that are computed. A header field of that name keeps it; the computed one says so: `length
 * (computed)`, or `length (computed 2)` where there is a field of that name too.
 */
export function computedNames(fields: readonly string[]): Record<ComputedColumn, string> {
  const taken = new Set(fields);
  const free = (name: ComputedColumn) => {
    let found: string = name;
    for (let tries = 1; taken.has(found); tries++) found = `${name} (computed${tries === 1 ? "" : ` ${tries}`})`;
    return found;
  };
  return { length: free("length"), gc: free("gc"), ambiguous: free("ambiguous"), sequence: free("sequence") };
}
