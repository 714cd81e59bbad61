import { assertEquals } from "@std/assert";
import {
  findValueWords,
  holdsCountryCodes,
  valueKindOf,
  type WordField,
} from "../../../../src/core/contract/values/value_words.ts";

const SEGMENTS = ["PB2", "PB1", "PA", "HA", "NP", "NA", "M", "NS"];

Deno.test("valueKindOf() knows fields of segments and countries by their names", () => {
  const kinds = ["Segment", "segment_name", "Country", "geoLocCountry", "Submitter Country", "Host", "Country Code"]
    .map(valueKindOf);
  assertEquals(kinds, ["segment", "segment", "country", "country", "country", undefined, undefined]);
});

Deno.test("findValueWords() takes NA for a value in its company alone", async (t) => {
  type Case = [kind: WordField, texts: readonly (string | null)[], words: readonly string[]];
  const cases: Record<string, Case> = {
    "the segments of influenza": ["segment", SEGMENTS, ["NA"]],
    "HA alone": ["segment", ["HA", "NA"], ["NA"]],
    "HA within a text": ["segment", ["4 (HA)", " NA "], ["NA"]],
    "two names that others share": ["segment", ["NP", "M", "NA"], ["NA"]],
    "segments in lower case": ["segment", SEGMENTS.map((name) => name.toLowerCase()), ["na"]],
    "another case than its company": ["segment", ["HA", "PB1", "na", "N/A"], []],
    "segments of bunyaviruses": ["segment", ["L", "M", "S", "NA"], []],
    "numbers": ["segment", ["1", "2", "6", "NA"], []],
    "nothing else": ["segment", ["NA", null, "?"], []],
    "no NA": ["segment", ["HA", "PB1"], []],
    "codes of countries": ["country", ["DE", "KE", "NA", ""], ["NA"]],
    "codes with regions": ["country", ["DE: Berlin", "KE: Nairobi", "NA"], ["NA"]],
    "the British as they call themselves": ["country", ["UK", "KE", "NA"], ["NA"]],
    "codes in lower case": ["country", ["de", "ke", "na"], ["na"]],
    "one code": ["country", ["DE", "NA"], []],
    "codes of three letters": ["country", ["DEU", "KEN", "NA"], []],
    "names of countries": ["country", ["Germany", "Kenya", "NA", "US"], []],
    "as many names as codes": ["country", ["DE", "KE", "Peru", "Cuba", "NA"], []],
    "segments in a field of countries": ["country", SEGMENTS, []],
  };
  for (const [what, [kind, texts, words]] of Object.entries(cases)) {
    await t.step(what, () => assertEquals([...findValueWords(kind, texts)], words));
  }
});

Deno.test("holdsCountryCodes() looks at the distinct values", () => {
  assertEquals(
    [["DE"], ["DE", "KEN", "Peru"], ["DE", "Peru", "Peru"], ["QQ", "JJ"], ["USA"], [], ["?", null]].map(
      holdsCountryCodes,
    ),
    [true, true, false, false, false, false, false],
  );
});
