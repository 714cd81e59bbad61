import { assertEquals, assertThrows } from "@std/assert";
import {
  checkAccessions,
  noteRepeated,
  splitBatches,
  summarizeList,
} from "../../../../src/core/registry/plan/accession_list.ts";
import { noteEntry } from "../../../../src/core/contract/ledger_entries.ts";

Deno.test("checkAccessions() refuses what is not an accession, and says which", async (t) => {
  const good = "vj000000000001";
  const cases: Record<string, [ids: unknown, says: string]> = {
    "none": [[], "at least one"],
    "no list": [good, "expected a list"],
    "11 digits": [[good, "vj00000000001"], '"vj00000000001" (number 2 of 2)'],
    "13 digits": [["vj0000000000011"], "12 digits"],
    "Unicode digits": [["vj00000000000\u0661"], "12 digits"],
    "another prefix": [["vk000000000001"], "12 digits"],
    "a line end after it": [[`${good}\n`], "12 digits"],
    "a number": [[1], "number 1 of 1"],
    "a long text": [["x".repeat(1000)], `"${"x".repeat(60)}"`],
  };
  for (const [name, [ids, says]] of Object.entries(cases)) {
    await t.step(name, () => void assertThrows(() => checkAccessions(ids as string[]), TypeError, says));
  }
});

Deno.test("noteRepeated() names what was asked for twice, once", () => {
  const list = checkAccessions(["vj000000000001", "vj000000000002", "vj000000000001", "vj000000000001"]);
  assertEquals(list.given, 4);
  assertEquals(noteRepeated(list), [
    noteEntry("requested-twice", "1 accession was requested more than once and fetched once: vj000000000001", {
      ids: ["vj000000000001"],
    }),
  ]);
  assertEquals(noteRepeated(checkAccessions(["vj000000000001"])), []);
  const [warning] = noteRepeated({ ...list, repeated: ["vj000000000001", "vj000000000002"] });
  assertEquals(warning.text.startsWith("2 accessions were requested more than once and fetched once: "), true);
});

Deno.test("splitBatches() loses nothing and fills every batch but the last", () => {
  const values = Array.from({ length: 20_001 }, (_, index) => index);
  const batches = splitBatches(values);
  assertEquals(batches.map(({ length }) => length), [10_000, 10_000, 1]);
  assertEquals(batches.flat(), values);
  assertEquals(splitBatches([]), []);
  assertThrows(() => splitBatches([1], 0), RangeError);
});

Deno.test("summarizeList() tells a list from another of as many accessions", () => {
  const [one, other] = [["vj000000000001", "vj000000000002"], ["vj000000000001", "vj000000000003"]].map(summarizeList);
  assertEquals([one.accessions, other.accessions], [2, 2]);
  assertEquals(one.accessionsSha256 === other.accessionsSha256, false);
});
