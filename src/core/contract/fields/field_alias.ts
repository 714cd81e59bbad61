/** Search aliases of public field names. */

/**
 * Writes a public field name in lower-case snake case, as search aliases are written.
 *
 * @returns The alias; letters and digits of any script are kept, each run of other characters becomes one `_`.
 * @see Specification 2.4 shows `country` and `sequence_length`. That every alias follows the rule is not shown: only
 * the embedded registry relies on it.
 */
export function fieldAlias(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "_").replace(/^_+|_+$/g, "");
}
