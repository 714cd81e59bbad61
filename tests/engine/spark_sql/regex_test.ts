/** Patterns of Rust in Java's grammar. */
import { assertEquals, assertThrows } from "@std/assert";
import { javaPattern } from "../../../src/engine/spark_sql/regex.ts";

Deno.test("javaPattern() keeps the meaning, and refuses what has none", () => {
  const cases: Readonly<Record<string, string>> = {
    "^a$": "(?U)^a\\z",
    "(?i)^\\s*(?:a|b)?\\s*$": "(?iU)^\\s*(?:a|b)?\\s*\\z",
    "[^\\x00-\\x{17f}]": "(?U)[^\\x00-\\x{17f}]",
    "[$]x{2,3}": "(?U)[$]x{2,3}",
    "a\\.b\\$": "(?U)a\\.b\\$",
  };
  for (const [rust, java] of Object.entries(cases)) assertEquals(javaPattern(rust), java);
  for (const refused of ["a++", "(?P<x>a)", "(?m)^a", "[a&&b]", "[[:alpha:]]", "\\pL", "\\bx", "a.b", "\\h"]) {
    assertThrows(() => javaPattern(refused), TypeError, "no equal in Java", refused);
  }
});
