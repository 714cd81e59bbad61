import { assertEquals } from "@std/assert";
import { compareSequences } from "../../../src/again/diff/_sequence_change.ts";

Deno.test("white space in a sequence is no change of case, and counts in no length", () => {
  const change = compareSequences("ACGT\nACGT", "ACGTACGT")!;
  assertEquals([change.how, change.old === change.new], ["space", true]);
  assertEquals(change.sequence, { oldLength: 8, newLength: 8, sameStart: 8, sameEnd: 0, identity: 1 });
  assertEquals(compareSequences("ACGT\nACGT", "acgtACGT")!.how, "case");
  assertEquals(compareSequences("ACGT ", "ACGA")!.sequence?.oldLength, 4);
});
