/** What an operand or an option's value may be, by how its help writes it. */

/** A value on the command line: one of several words, a path, or any text. */
export type ValueKind =
  | { readonly kind: "choice"; readonly choices: readonly string[] }
  | { readonly kind: "file" }
  | { readonly kind: "folder" }
  | { readonly kind: "text" };

/** Words for what is a file, or may be one. */
const FILE = /(?:^|\|)(?:FILE|ARCHIVE|ZIP|FASTA|TABLE|SOURCE|OLDER|OLD|NEW|NOTEBOOK|SCRIPT|LOCK|QUERY\.fasta)(?![\w=])/;

/**
 * Reads `csv|json` as choices, `FILE…` and `DIR|ARCHIVE` as paths, anything else as text. Of several operands the first
 * decides.
 *
 * @param written As `--help` shows it; may be in brackets.
 */
export function valueKindOf(written: string): ValueKind {
  const [first] = written.replace(/^\[|\]$/g, "").split(" ");
  if (/^[a-z0-9_-]+(\|[a-z0-9_-]+)+$/.test(first)) return { kind: "choice", choices: first.split("|") };
  if (FILE.test(first)) return { kind: "file" };
  if (/\b(DIR|LAKE)\b/.test(first)) return { kind: "folder" };
  return { kind: "text" };
}
