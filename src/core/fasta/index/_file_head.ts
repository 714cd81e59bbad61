/** What the beginning of a file tells of its headers, and the id that a header holds. */
import type { FastaHead } from "../text/fasta_batch.ts";
import type { SyncReads } from "../bgzf/random_bytes.ts";

/** Bytes in which the first line is looked for. */
const MAX_HEAD_BYTES = 1 << 20;

/** The `;fields=` line of a registry FASTA, without its end. */
export function firstFieldsLine(bytes: SyncReads): string | undefined {
  for (let size = 1 << 12;; size *= 8) {
    const head = bytes.read(0, size);
    const text = new TextDecoder().decode(head);
    const isWhole = head.length < size;
    // Comments may stand before the line of fields; records may not.
    const line = /^(?:\s|;(?!fields=)[^\n]*\n)*(;fields=[^\n]*)(\n|$)/.exec(text);
    if (line !== null && (line[2] === "\n" || isWhole)) return line[1].replace(/\r$/, "");
    if (isWhole || /^>/m.test(text) || size > MAX_HEAD_BYTES) return undefined;
  }
}

/**
 * The id in a header, which stands without its `>`: the accession in a registry FASTA, else all up to the first blank.
 */
export function idOf(header: string, kind: FastaHead["kind"]): string {
  return kind === "registry"
    ? header.replace(/\r$/, "").split("|", 1)[0]
    : header.replace(/^[ \t\r\v\f]+/, "").split(/[ \t\r\v\f]/, 1)[0];
}
