import { assert, assertEquals, assertRejects } from "@std/assert";
import { ParseError } from "../../../../src/core/errors.ts";
import { namingOf } from "../../../../src/core/contract/naming.ts";
import { tableFromAccessions } from "../../../../src/core/tables/mod.ts";
import { bytesOf, schemaOf } from "../_frames.ts";
import { A, B } from "../_fields.ts";

Deno.test("tableFromAccessions() reads every form of a list", async (t) => {
  const lists: Record<string, [format: "tsv" | "xml", text: string]> = {
    "TSV": ["tsv", `Registry Accession\n${A}\n${B}\n`],
    "TSV without header": ["tsv", `${A}\n${B}\n`],
    "TSV, CRLF": ["tsv", `registry_accession\r\n${A}\r\n${B}\r\n`],
    "TSV, second column": ["tsv", `n\tid\n1\t${A}\n2\t${B}\n`],
    "XML": [
      "xml",
      `<?xml version="1.0"?>\n<records>\n<record><Registry_Accession name="Registry Accession">${A}</Registry_Accession></record>` +
      `<record><Registry_Accession>${B}</Registry_Accession></record></records>`,
    ],
    "flat XML": ["xml", `<list><a>${A}</a><a>${B}</a></list>`],
  };
  for (const [form, [format, text]] of Object.entries(lists)) {
    await t.step(form, async () => {
      const table = await tableFromAccessions(bytesOf(text), { format, asked: [B, A] });
      assertEquals(table.accessions, [A, B]);
      assertEquals(schemaOf(await table.frame()), [["Registry Accession", "DataType(String)"]]);
      assert(table.ledger.complete);
    });
  }
});

Deno.test("tableFromAccessions() names what is not an accession, and what is missing", async () => {
  const list = bytesOf(`Registry Accession\n${A}\nvj1\n`);
  const { ledger, problems, accessions } = await tableFromAccessions(list, { format: "tsv", asked: [A, B] });
  assertEquals(accessions, [A]);
  assertEquals(problems[0].line, 3);
  assertEquals(problems[0].value, "vj1");
  assertEquals(ledger.missing, [B]);
  assertEquals(ledger.unparsed, 1);
});

Deno.test("tableFromAccessions() refuses a page, JSON and nothing", async () => {
  for (const text of ["<!doctype html>", '{"detail": 1}', ""]) {
    await assertRejects(() => tableFromAccessions(bytesOf(text), { format: "tsv" }), ParseError);
    await assertRejects(() => tableFromAccessions(bytesOf(text), { format: "xml" }), ParseError);
  }
});

Deno.test("accession lists follow the naming", async () => {
  const naming = namingOf({ registry: "genomebank" });
  const table = await tableFromAccessions(bytesOf(`Genomebank Accession\n${A}\n`), { format: "tsv", naming });
  assertEquals((await table.frame()).columns, ["Genomebank Accession"]);
});

Deno.test("tableFromAccessions() counts all entries that are no accessions, and lists the first 100,000", async () => {
  const list = new TextEncoder().encode(`Registry Accession\nvj000000000001\n${"x\n".repeat(100_001)}`);
  const { problems, problemCount, ledger } = await tableFromAccessions(list, { format: "tsv" });
  assertEquals([problems.length, problemCount, ledger.unparsed], [100_000, 100_001, 100_001]);
});
