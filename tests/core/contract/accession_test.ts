import { assert, assertEquals, assertFalse, assertThrows } from "@std/assert";
import { formatAccession, isAccession } from "../../../src/core/contract/accession.ts";

Deno.test("isAccession() takes vj and twelve ASCII digits, and nothing else", async (t) => {
  assert(isAccession("vj123456789012"));
  const others: Record<string, string> = {
    "empty": "",
    "11 digits": "vj12345678901",
    "13 digits": "vj1234567890123",
    "another prefix": "vk123456789012",
    "upper case": "VJ123456789012",
    "Unicode digits": "vj١٢٣٤٥٦٧٨٩٠١٢",
    "a line feed at the end": "vj123456789012\n",
    "a blank before": " vj123456789012",
    "a sign": "vj-12345678901",
  };
  for (const [fault, text] of Object.entries(others)) await t.step(fault, () => assertFalse(isAccession(text)));
});

Deno.test("formatAccession() fills with zeros and refuses what does not fit", () => {
  assertEquals(formatAccession(0), "vj000000000000");
  assertEquals(formatAccession(999_999_999_999), "vj999999999999");
  for (const number of [-1, 1.5, 1e12, NaN, Infinity]) assertThrows(() => formatAccession(number), RangeError);
});
