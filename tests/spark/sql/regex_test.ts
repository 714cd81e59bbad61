/** Patterns of Rust in Java's grammar. */
import { assertEquals, assertThrows } from "@std/assert";
import { javaPattern, matchesEmpty } from "../../../src/spark/sql/regex.ts";

Deno.test("javaPattern() keeps the meaning, and refuses what has none", () => {
  const cases: Readonly<Record<string, string>> = {
    "^a$": "(?U)^a\\z",
    "(?i)^\\s*(?:a|b)?\\s*$": "(?U)^\\s*(?:[aA]|[bB])?\\s*\\z",
    "[^\\x00-\\x{17f}]": "(?U)[^\\x00-\\x{17f}]",
    "[$]x{2,3}": "(?U)[$]x{2,3}",
    "a\\.b\\$": "(?U)a\\.b\\$",
    "(?i)KS1\\.": "(?U)[Kk\u212a][Ss\u017f]1\\.",
    "a(?i:b(?:c))d": "(?U)a(?:[bB](?:[cC]))d",
    "(?i)[^i-k_]": "(?U)[^i-kIJK\u212a_]",
    "(?i)\\x69": "(?U)[iI]",
    "(?i)\u0130\u0131": "(?U)\u0130\u0131",
    "(?i)\u00df": "(?U)[\u00df\u1e9e]",
  };
  for (const [rust, java] of Object.entries(cases)) assertEquals(javaPattern(rust), java);
  const all = ["a++", "(?P<x>a)", "(?m)^a", "[a&&b]", "[[:alpha:]]", "\\pL", "\\bx", "a.b", "\\h", "(?i)[\\x41-Z]"];
  for (const refused of all) assertThrows(() => javaPattern(refused), TypeError, "no equal in Java", refused);
});

Deno.test("letters of ASCII have the forms that simple case folding gives them", () => {
  for (let code = 0x41; code <= 0x5a; code++) {
    const letter = String.fromCharCode(code);
    const isForm = new RegExp(`^${letter}$`, "iu");
    const forms = Array.from({ length: 0x10000 }, (_, at) => String.fromCharCode(at)).filter((one) => isForm.test(one));
    assertEquals([...javaPattern(`(?i)${letter}`).slice("(?U)[".length, -1)].sort(), forms.sort());
  }
});

Deno.test("matchesEmpty() finds patterns that match no characters", () => {
  const empty = ["", "x*", "a?", "(?:b|$)", "^", "a|", "(?:a*b*)*", "x{0,2}", "(?i)q*", "[ab]*", "\\s*"];
  for (const pattern of empty) assertEquals(matchesEmpty(pattern), true, pattern);
  const filled = ["x", "x+", "[^0-9]+", "a*b", "\\x{41}", "[]a]", "x{2}", "(?i:a)", "\\*", "\\?", "^a$", "[*]"];
  for (const pattern of filled) assertEquals(matchesEmpty(pattern), false, pattern);
});
