import { assertEquals } from "@std/assert";
import { describeUnread } from "../../../../src/core/io/csv/unread_rows.ts";

Deno.test("describeUnread() names the first three rows that were left out", () => {
  const fault = (line: number, kept = false) => ({ line, reason: "too short", kept });
  const cases: Readonly<Record<string, readonly [number, Parameters<typeof describeUnread>[1], string]>> = {
    "none is known": [2, [], "2 rows could not be read"],
    "kept": [1, [fault(2, true), fault(3)], "1 row could not be read: line 3 (too short)"],
    "by identifier": [1, [{ id: "a", reason: "too long", kept: false }], "1 row could not be read: a (too long)"],
    "many": [
      5000,
      [2, 4, 6, 8].map((line) => fault(line)),
      "5000 rows could not be read: line 2 (too short), line 4 (too short), line 6 (too short) and 4997 more",
    ],
  };
  for (const [name, [count, problems, says]] of Object.entries(cases)) {
    assertEquals(describeUnread(count, problems), says, name);
  }
  assertEquals(
    describeUnread(1, [fault(3)], "1 of 9 rows of a.csv"),
    "1 of 9 rows of a.csv could not be read: line 3 (too short)",
  );
});
