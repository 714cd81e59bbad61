/** Describes text that does not begin as FASTA, and what to do. */
import { describeBytes, nextFor } from "../../io/bytes/describe_bytes.ts";

/** `#`, with which comments begin elsewhere. */
const HASH = 35;

/**
 * What stands where the first record of a FASTA is expected: what it looks like, what was expected and what to do next.
 *
 * @param head Its first bytes; 512 are enough.
 */
export function describeNotFasta(head: Uint8Array): string {
  const kind = describeBytes(head);
  const [looks, next] = head[0] === HASH
    ? [
      "text with comments of #",
      "leave such lines out, as by grep -v '^#' old.fasta > new.fasta, and name the new file",
    ]
    : [kind === "a FASTA file" ? "text before its first record" : kind, nextFor(kind)];
  return `it looks like ${looks}; expected a line that begins with > or ;fields=; ${next}`;
}
