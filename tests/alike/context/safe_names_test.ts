import { assertEquals } from "@std/assert";
import { augurDate } from "../../../src/alike/context/augur_date.ts";
import { safeNames } from "../../../src/alike/context/safe_names.ts";

Deno.test("safeNames() keeps the characters that Newick and IQ-TREE read, and makes equal names unique", () => {
  assertEquals(
    safeNames(["a|b/c.d-e_f", "Curaçao", "x (1);y", "x [1]'y", "", "\t", "a b", "a_b"]),
    ["a|b/c.d-e_f", "Curacao", "x_1_y", "x_1_y_2", "_", "__2", "a_b", "a_b_2"],
  );
});

Deno.test("augurDate() writes XX for what a date lacks", () => {
  const dates = ["2016-01-05", "2016-01", "2016", "2013-05-XX", "2013-XX-XX", "", "?", "May 2016"];
  assertEquals(dates.map(augurDate), [
    "2016-01-05",
    "2016-01-XX",
    "2016-XX-XX",
    "2013-05-XX",
    "2013-XX-XX",
    "",
    "",
    "",
  ]);
});
