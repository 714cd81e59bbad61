import { assertEquals } from "@std/assert";
import { recordTooLong } from "../../../../src/core/fasta/scan/line_scanner.ts";
import { MOST_RECORD_BYTES } from "../../../../src/core/fasta/text/read_options.ts";

Deno.test("the error of a long sequence says to raise what can be raised", () => {
  const scan = {
    name: "x.fasta",
    keepsSequences: true,
    batchRows: 1,
    batchBytes: 1,
    maxHeaderBytes: 1,
  };
  const says = (maxRecordBytes: number) =>
    recordTooLong({ ...scan, maxRecordBytes }, new TextEncoder().encode("a b"), 1, 0).message;
  assertEquals(
    says(MOST_RECORD_BYTES - 1),
    "Cannot read x.fasta: a sequence is longer than 1999999999 bytes; if that is meant, raise maxRecordBytes " +
      '(--max-record-bytes), or read without sequences (line 1, byte 0, record "a")',
  );
  assertEquals(
    says(MOST_RECORD_BYTES),
    "Cannot read x.fasta: a sequence is longer than 2000000000 bytes, and no more can be kept; read without sequences " +
      '(line 1, byte 0, record "a")',
  );
});
