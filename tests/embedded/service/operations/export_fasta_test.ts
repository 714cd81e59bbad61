import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { readFasta } from "../../../../src/core/fasta/mod.ts";
import { streamTexts } from "../../../../src/embedded/service/http/text_stream.ts";
import { sequencesFasta } from "../../../../src/embedded/service/operations/export_fasta.ts";
import { formatAccession } from "../../../../src/core/contract/accession.ts";
import { batchesOf, columnsOf, join, RUNS, table } from "../_random_tables.ts";

Deno.test("a FASTA header can always be taken apart, and no value begins a record", async () => {
  await fc.assert(
    fc.asyncProperty(table, async ([names, rows]) => {
      const fasta = await join(sequencesFasta(batchesOf(rows), "registry_accession", columnsOf(names)));
      const lines = fasta.split(/[\n\r\v\f\u0085\u2028\u2029]/);
      assertEquals(lines.length, 2 * rows.length + 2);
      assertEquals(lines[0].split("|").length, names.length + 1);
      for (let row = 0; row < rows.length; row++) {
        assertEquals(lines[2 * row + 1].split("|").length, names.length + 1);
        assertEquals(lines[2 * row + 2], "ACGT");
      }
    }),
    RUNS,
  );
});

Deno.test("no sequence begins a record or a comment", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: fc.constantFrom(..."AC>;| \n\r\t*-") })), async (sequences) => {
      const records = (async function* () {
        yield sequences.map((sequence, index) => ({ accession: formatAccession(index + 1), values: [], sequence }));
      })();
      const fasta = await join(sequencesFasta(records, "registry_accession", []));
      const read = await Array.fromAsync(readFasta(new TextEncoder().encode(fasta)));

      assertEquals(
        read.map(({ id, sequence }) => [id, sequence]),
        sequences.map((sequence, index) => [formatAccession(index + 1), sequence.replace(/\s/g, "")]),
      );
    }),
    RUNS,
  );
});

Deno.test("a long sequence comes in pieces, and whole", async () => {
  const sequence = "ACGTN".repeat(1_000_001);
  const records = (async function* () {
    yield [{ accession: "vj000000000001", values: [], sequence }, {
      accession: "vj000000000002",
      values: [],
      sequence: "",
    }];
    yield [{ accession: "vj000000000003", values: [], sequence: undefined }];
    yield [{ accession: "vj000000000004", values: [], sequence: " AC\r\nGT\t" }];
  })();
  const pieces = await Array.fromAsync(sequencesFasta(records, "registry_accession", []));
  assert(pieces.every((piece) => piece.length < 3 * 2 ** 20));
  assertEquals(
    pieces.join(""),
    `;fields=registry_accession\n>vj000000000001\n${sequence}\n>vj000000000002\n\n>vj000000000004\nACGT\n`,
  );
});

Deno.test("no character of a long sequence is divided between two texts", async () => {
  const sequence = "A".repeat(2 ** 16 - 1) + "\u{1f9ec}".repeat(2 ** 16) + "C";
  const records = (async function* () {
    yield [{ accession: "vj000000000001", values: [], sequence }];
  })();
  const bytes = streamTexts(sequencesFasta(records, "registry_accession", []));
  assertEquals(await new Response(bytes).text(), `;fields=registry_accession\n>vj000000000001\n${sequence}\n`);
});
