import { assertEquals, assertThrows } from "@std/assert";
import { headerTemplate, parseHeaderTemplate } from "../../../../src/core/fasta/mod.ts";

const FIELDS = ["registry_accession", "Sequence Name", "Country"];
const VALUES = ["vj000000000001", "a|b\r\nc", "Chile"];

Deno.test("headerTemplate() puts values where their names stand", async (t) => {
  const templates: Record<string, string> = {
    "{registry_accession}": "vj000000000001",
    "{registry_accession}|{Country}": "vj000000000001|Chile",
    "{Country}/{Country}": "Chile/Chile",
    "{id} {Sequence Name}": "vj000000000001 a|b c",
    "{id}|{Sequence Name}": "vj000000000001|a/b c",
    "{{{Country}}} 100%": "{Chile} 100%",
    "no field": "no field",
  };
  for (const [template, header] of Object.entries(templates)) {
    await t.step(template, () => assertEquals(headerTemplate(template, FIELDS)(VALUES), header));
  }
});

Deno.test("headerTemplate() prefers a field called id to the first field", () => {
  assertEquals(headerTemplate("{id}", ["accession", "id"])(["1", "2"]), "2");
});

Deno.test("headerTemplate() refuses what it cannot mean", async (t) => {
  const refusals: Record<string, string> = {
    "{Contry}": "did you mean {Country}?",
    "{country}": "did you mean {Country}?",
    "{Country": "a { has no partner",
    "Country}": "a } has no partner",
    "{}": "{} names no field",
    "": "it is empty",
    "{Country}\n>evil": "a line break",
  };
  for (const [template, says] of Object.entries(refusals)) {
    await t.step(template, () => void assertThrows(() => headerTemplate(template, FIELDS), TypeError, says));
  }
});

Deno.test("parseHeaderTemplate() needs no fields", () => {
  assertEquals(parseHeaderTemplate("a{b}c").literals, ["a", "c"]);
});
