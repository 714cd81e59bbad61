/** What the commands on FASTA files share: input, names in messages, and reports. */
import type { ByteSource } from "@seqreg/core/io/bytes";
import type { Ledger } from "@seqreg/core/contract";
import type { CommandContext } from "./command.ts";

/** Where a FILE operand's bytes are: `-` is standard input. */
export function sourceOf(context: CommandContext, file: string): ByteSource {
  return file === "-" ? context.stdin() : file;
}

/** The name of a FILE operand in messages. */
export function nameOf(file: string): string {
  return file === "-" ? "standard input" : file;
}

/** The option of the commands that keep sequences. */
export const RECORD_OPTION = {
  "max-record-bytes": {
    type: "string",
    value: "N",
    describe: "maximum bases per sequence; a longer one is an error (default: 1073741824)",
  },
} as const;

/** Options of every read: the SHA-256 costs time, so it is computed only for `--ledger`. */
export function readingOptions(context: CommandContext, file: string) {
  return {
    name: nameOf(file),
    signal: context.signal,
    sha256: context.flags.text("ledger") !== undefined,
    maxRecordBytes: context.flags.integer("max-record-bytes", { least: 1, most: 2_000_000_000 }),
  };
}

/** Notes that a file is empty: not an error, but rarely intended. */
export function noteEmpty(context: CommandContext, file: string, ledger: Ledger): void {
  if (ledger.received === 0 && ledger.unparsed === 0) context.note(`${nameOf(file)} has no records`);
}
