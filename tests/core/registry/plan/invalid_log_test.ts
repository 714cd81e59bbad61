import { assertEquals } from "@std/assert";
import { invalidAccession, InvalidLog } from "../../../../src/core/registry/plan/invalid_log.ts";

Deno.test("InvalidLog counts what cannot be read and what has no valid accession, and names the first ones", () => {
  const log = new InvalidLog();
  assertEquals([log.count, log.readable, log.describe()], [0, 0, ""]);
  log.add(invalidAccession("vj1", 3));
  log.add(invalidAccession(""));
  assertEquals([log.count, log.readable], [2, 2]);
  assertEquals(
    log.describe(),
    '2 records without a valid accession: "vj1" is not an accession: expected vj followed by 12 digits (line 3), the ' +
      "record has no accession",
  );
  log.add({ line: 9, reason: "it has 2 cells for 3 columns", isReadable: false });
  log.add({ value: "x".repeat(100), reason: "is cut", isReadable: false });
  assertEquals([log.count, log.readable], [4, 2]);
  assertEquals(
    log.describe().split("; ")[0],
    `2 rows could not be read: it has 2 cells for 3 columns (line 9), "${"x".repeat(60)}" is cut`,
  );
});

Deno.test("InvalidLog names twenty records of each kind and counts the others", () => {
  const log = new InvalidLog();
  for (let line = 1; line <= 20; line++) log.add({ line, reason: "is cut", isReadable: false });
  assertEquals(log.describe().endsWith(", line 20"), true, log.describe());
  log.add({ line: 21, reason: "is cut", isReadable: false });
  assertEquals(log.describe().endsWith(", line 20, 1 more"), true, log.describe());
  assertEquals(log.describe().startsWith("21 rows could not be read: is cut (line 1), likewise line 2, "), true);
});
