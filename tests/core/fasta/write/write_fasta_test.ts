import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import fc from "fast-check";
import { readFasta, writePlainFasta, writeRegistryFasta } from "../../../../src/core/fasta/mod.ts";
import { anyText } from "../../../_any_text.ts";
import { testWithRealData } from "../../../_needs.ts";
import { bytesOf, joined } from "../_naive.ts";

Deno.test("writePlainFasta() wraps bases and keeps headers on one line", async (t) => {
  const cases: Record<string, [header: string, sequence: string, wrap: number, text: string]> = {
    "wrapped": ["a b", "ACGTN", 2, ">a b\nAC\nGT\nN\n"],
    "an even end": ["a", "ACGT", 2, ">a\nAC\nGT\n"],
    "one line": ["a", "ACGTN", 0, ">a\nACGTN\n"],
    "empty sequence": ["a", "", 2, ">a\n"],
    "line breaks in the header": ["a\r\nb\n>c\rd", "A", 2, ">a b >c d\nA\n"],
    "white space in the letters": ["a", "AC\n>GT A", 2, ">a\nAC\n >G\nTA\n"],
    "letters that would begin a record": ["a", ">A;C>", 2, ">a\n >A\n ;C\n >\n"],
    "letters of two bytes": ["é|x", "é", 2, ">é|x\né\n"],
  };
  for (const [name, [header, sequence, wrap, text]] of Object.entries(cases)) {
    await t.step(name, async () => assertEquals(await joined(writePlainFasta([{ header, sequence }], { wrap })), text));
  }
});

Deno.test("writeRegistryFasta() writes what a header cannot hold as the registry does", async () => {
  const records = [{ values: ["vj1", "a|b", "c\r\nd"], sequence: "ACGT" }, { values: ["vj2", "", ""], sequence: "" }];
  const text = await joined(writeRegistryFasta(records, { fields: ["acc", "x|y", "z"], wrap: 0 }));
  assertEquals(text, ";fields=acc|x/y|z\n>vj1|a/b|c d\nACGT\n>vj2||\n");
});

Deno.test("writeRegistryFasta() writes the names when there is no record", async () => {
  assertEquals(await joined(writeRegistryFasta([], { fields: ["acc"] })), ";fields=acc\n");
});

Deno.test("writers name the record and the part of it that is not text", async () => {
  const good = { header: "a", values: ["a", "b"], sequence: "AC" };
  const fields = ["x", "y"];
  const part = (name: string, value: unknown) => [good, { ...good, [name]: value } as never];
  const faults: [run: () => AsyncIterable<Uint8Array>, message: string][] = [
    [
      () => writePlainFasta(part("sequence", undefined)),
      'argument "records[1].sequence" of writePlainFasta() is missing',
    ],
    [
      () => writePlainFasta(part("header", 5)),
      'argument "records[1].header" of writePlainFasta() must be a text, not 5',
    ],
    [() => writeRegistryFasta(part("values", ["a", null]), { fields }), '"records[1].values" of writeRegistryFasta()'],
    [() => writeRegistryFasta(part("sequence", null), { fields }), '"records[1].sequence" of writeRegistryFasta()'],
  ];
  for (const [run, message] of faults) await assertRejects(() => joined(run()), TypeError, message);
  for (const records of [">a\nAC\n", undefined, {}]) {
    assertThrows(() => writePlainFasta(records as never), TypeError, 'argument "records" of writePlainFasta()');
    assertThrows(() => writeRegistryFasta(records as never, { fields }), TypeError, 'argument "records"');
  }
});

Deno.test("writers refuse what they cannot write", async () => {
  assertThrows(() => writePlainFasta([], { wrap: -1 }), RangeError, "from 0 to 1,000,000,000");
  assertThrows(() => writePlainFasta([], { wrap: 1.5 }), RangeError, "from 0 to 1,000,000,000");
  assertThrows(() => writeRegistryFasta([], { fields: [] }), TypeError, "its fields need names");
  assertThrows(() => writeRegistryFasta([], { fields: ["a", "a"] }), TypeError, "names that differ");
  const short = writeRegistryFasta([{ values: ["v1"], sequence: "" }], { fields: ["a", "b"] });
  await assertRejects(() => joined(short), TypeError, 'record "v1": it has 1 values for 2 fields');
});

Deno.test("writers stop their records when they are stopped", async () => {
  let isStopped = false;
  const records = (async function* () {
    try {
      for (;;) yield { header: "a", sequence: "ACGT".repeat(10_000) };
    } finally {
      isStopped = true;
    }
  })();
  for await (const _ of writePlainFasta(records)) break;
  assert(isStopped);
});

Deno.test("writing and reading again is the identity", async (t) => {
  const text = fc.oneof(fc.string({ maxLength: 20 }), anyText({ maxLength: 20 }))
    .map((text) => text.replace(/[|\r\n]/g, "").toWellFormed());
  const sequence = fc.oneof(fc.stringMatching(/^[ACGTNacgtn*.>;-]{0,200}$/), fc.stringMatching(/^[!-~]{0,40}$/));
  const wrap = fc.integer({ min: 0, max: 30 });

  await t.step("registry FASTA", () =>
    fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(text.filter((name) => name !== ""), { minLength: 1, maxLength: 4 }),
        fc.array(fc.tuple(fc.array(text, { minLength: 4, maxLength: 4 }), sequence), { maxLength: 10 }),
        wrap,
        async (fields, rows, wrap) => {
          const records = rows.map(([values, sequence]) => ({ values: values.slice(0, fields.length), sequence }));
          const written = await joined(writeRegistryFasta(records, { fields, wrap }));
          const reader = readFasta(bytesOf(written));
          const again = (await Array.fromAsync(reader)).map(({ values, sequence }) => ({ values, sequence }));
          assertEquals((await reader.head()).fields, fields);
          assertEquals(again, records);
        },
      ),
    ));

  await t.step("plain FASTA", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ header: text, sequence }), { maxLength: 10 }),
        wrap,
        async (records, wrap) => {
          const written = await joined(writePlainFasta(records, { wrap }));
          const again = (await Array.fromAsync(readFasta(bytesOf(written))))
            .map(({ header, sequence }) => ({ header, sequence }));
          // Blanks before an id play no part.
          const read = records.map(({ header, sequence }) => ({
            header: header.replace(/^[\t\v\f\r ]+/, ""),
            sequence,
          }));
          assertEquals(again, read);
        },
      ),
    ));
});

testWithRealData("real genomes come out of a registry FASTA base by base", async (real, t) => {
  for (const name of ["zika/sequences.fasta", "sarscov2/sequences.fasta.gz"]) {
    await t.step(name, async () => {
      const reader = readFasta(new URL(name, real));
      const records = await Array.fromAsync(reader);
      assertEquals(reader.problems, []);
      const registry = writeRegistryFasta(records.map(({ id, sequence }) => ({ values: [id], sequence })), {
        fields: ["registry_accession"],
      });
      const again = await Array.fromAsync(readFasta(registry));
      assertEquals(again.map(({ id }) => id), records.map(({ id }) => id));
      assertEquals(again.every(({ sequence }, index) => sequence === records[index].sequence), true);
    });
  }
});
