import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { readBytes } from "../../../../src/core/io/bytes/byte_source.ts";
import { readCsvCells } from "../../../../src/core/io/csv/csv_cells.ts";
import { csvRow } from "../../../../src/core/io/csv/csv_text.ts";
import { createRecords, createRecordSequences, openRecords } from "../../../../src/embedded/service/records/records.ts";
import { DamagedFileError } from "../../../../src/embedded/service/files/damaged_file.ts";
import { createSequences, openSequences } from "../../../../src/embedded/service/records/_sequence_file.ts";
import { formatAccession } from "../../../../src/core/contract/accession.ts";
import { inFolder } from "../../../_files.ts";

/** Keeps records and sequences, a few at a time. */
async function keep(
  folder: string,
  values: readonly string[][],
  sequences: readonly (readonly [string, string])[],
): Promise<void> {
  const records = createRecords(folder, { width: values[0]?.length ?? 1, accessionField: 0 });
  for (let start = 0; start < values.length; start += 7) records.add(values.slice(start, start + 7));
  assertEquals(await records.finish(), undefined);
  using letters = createRecordSequences(folder, values.length);
  for (let start = 0; start < sequences.length; start += 5) {
    const part = sequences.slice(start, start + 5);
    letters.add(part.map(([accession]) => accession), part.map(([_, text]) => text));
  }
  await letters.finish();
}

const LETTERS = fc.constantFrom("a", "\x1b", "\x1e", "\x1f", "e", "r", "u", "é", "😀", "\n", "\0", '"');
const VALUE = fc.string({ unit: LETTERS, maxLength: 6 });

Deno.test("records and sequences come back as they were given, in whatever order they are asked for", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 0, max: 999_999_999_999 }), { maxLength: 120 }),
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.option(VALUE, { nil: undefined }), { minLength: 120, maxLength: 120 }),
      fc.infiniteStream(fc.nat()),
      fc.infiniteStream(VALUE),
      async (numbers, width, letters, order, cells) => {
        const shuffled = <T>(items: readonly T[]) =>
          items.map((item) => [order.next().value ?? 0, item] as const).sort(([a], [b]) => a - b).map(([_, item]) =>
            item
          );
        const names = numbers.map(formatAccession);
        const values = names.map((name) => [name, ...Array.from({ length: width }, () => cells.next().value ?? "")]);
        const kept = names.flatMap((name, row) => letters[row] === undefined ? [] : [[name, letters[row]] as const]);
        await inFolder(async (folder) => {
          await keep(folder, values, shuffled(kept));
          using reader = openRecords(folder, { recordCount: names.length, width: width + 1, accessionField: 0 });
          const rows = shuffled(names.map((_, row) => row));
          assertEquals(reader.values(rows), rows.map((row) => values[row]));
          assertEquals(reader.rowsOf(rows.map((row) => names[row])), rows);
          assertEquals(
            [...reader.withSequences(rows, 20)].flat().map(({ accession, sequence }) => [accession, sequence]),
            rows.map((row) => [names[row], letters[row]]),
          );
          const ascending = rows.toSorted((a, b) => a - b);
          assertEquals(reader.values(ascending), values);
        });
      },
    ),
    { numRuns: 60, seed: 7 },
  );
});

Deno.test("records and sequences that come as bytes are those that come as texts", async () => {
  const cell = fc.string({ unit: fc.constantFrom(..."abcdefgh", "é", ",", '"', "\n", "\x1b"), maxLength: 3 });
  const rowArbitrary = fc.tuple(fc.nat({ max: 9999 }), cell, cell);
  let asBytes = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(rowArbitrary, { minLength: 20, maxLength: 60, selector: ([number]) => number }),
      fc.integer({ min: 30, max: 300 }),
      fc.boolean(),
      async (rows, chunkBytes, reversed) => {
        const values = rows.map(([number, ...cells]) => [formatAccession(number), ...cells]);
        const batches = (header: string, table: string[][]) =>
          readCsvCells(readBytes(
            new TextEncoder().encode([header, ...table.map(csvRow)].join("\n")),
            { chunkBytes },
          ));
        await inFolder(async (folder) => {
          const records = createRecords(folder, { width: 3, accessionField: 0 });
          let header = 1;
          for await (const batch of batches("id,b,c", values)) {
            if (batch.cells !== undefined && records.addCells(batch.cells)) asBytes++;
            else records.add(batch.rows().slice(header).map(({ cells }) => cells));
            header = 0;
          }
          assertEquals(await records.finish(), undefined);
          using sequences = createRecordSequences(folder, values.length);
          const pairs = (reversed ? values.toReversed() : values).map(([name, text]) => [text, name]);
          header = 1;
          for await (const batch of batches("sequence,id", pairs)) {
            if (batch.cells === undefined || !sequences.addCells(batch.cells, 1)) {
              const part = batch.rows().slice(header).map(({ cells }) => cells);
              sequences.add(part.map(([_, name]) => name), part.map(([text]) => text));
            }
            header = 0;
          }
          await sequences.finish();
          assertEquals(sequences.count, values.length);
          using reader = openRecords(folder, { recordCount: values.length, width: 3, accessionField: 0 });
          const all = values.map((_, row) => row);
          assertEquals(reader.values(all), values);
          assertEquals(
            [...reader.withSequences(all, 50)].flat().map(({ sequence }) => sequence),
            values.map(([_, text]) => text),
          );
        });
      },
    ),
    { numRuns: 80, seed: 3 },
  );
  assert(asBytes > 50, `${asBytes} batches came as bytes`);
});

Deno.test("bytes that are no accessions, or of known sequences, are left to be looked at as texts", async () => {
  await inFolder(async (folder) => {
    const cellsOf = async (...rows: string[]) => {
      const bytes = new TextEncoder().encode(["id,sequence", ...rows].map((row) => `${row}\n`).join(""));
      const chunks = (async function* () {
        yield bytes.subarray(0, 12);
        yield bytes.subarray(12);
      })();
      for await (const { cells } of readCsvCells(chunks)) if (cells !== undefined) return cells;
      throw new Error("no cells");
    };
    const records = createRecords(folder, { width: 2, accessionField: 0 });
    for (const name of ["vj00000000000", "vk000000000001", "vj00000000000a", "vj0000000000011", '""']) {
      assertEquals(records.addCells(await cellsOf("vj000000000001,", `${name},`)), false, name);
    }
    assertEquals(records.addCells(await cellsOf("vj000000000001,A", "vj000000000002,C")), true);
    await records.finish();
    using sequences = createRecordSequences(folder, 2);
    assertEquals(sequences.addCells(await cellsOf("vj000000000001,A", "vj000000000003,C"), 0), false, "unknown");
    assertEquals(sequences.addCells(await cellsOf("vj000000000001,A", "vj000000000001,C"), 0), false, "twice");
    assertEquals(sequences.count, 0);
    assertEquals(sequences.addCells(await cellsOf("vj000000000001,A", "vj000000000002,C"), 0), true);
    assertEquals(sequences.addCells(await cellsOf("vj000000000002,A"), 0), false, "a second");
    await sequences.finish();
    using reader = openRecords(folder, { recordCount: 2, width: 2, accessionField: 0 });
    assertEquals([...reader.withSequences([0, 1], 9)].flat().map(({ sequence }) => sequence), ["A", "C"]);
  });
});

Deno.test("rowsOf() leaves out what is not an accession, and accessions it does not have", async () => {
  await inFolder(async (folder) => {
    await keep(folder, [5, 2, 9].map((number) => [formatAccession(number)]), []);
    using reader = openRecords(folder, { recordCount: 3, width: 1, accessionField: 0 });
    const names = ["vj000000000009", "VJ000000000005", "vj5", "", "vj000000000003", "vj999999999999", "vj000000000002"];
    assertEquals(reader.rowsOf(names), [2, 1]);
  });
});

Deno.test("the first accession that stands twice is named with its first two rows", async (t) => {
  const cases: Record<string, readonly [numbers: number[], accession: string, rows: [number, number]]> = {
    "apart": [[5, 1, 7, 5, 5], "vj000000000005", [0, 3]],
    "side by side": [[1, 2, 2], "vj000000000002", [1, 2]],
    "two of them": [[9, 3, 3, 9], "vj000000000009", [0, 3]],
    "large numbers": [[999_999_999_999, 1, 999_999_999_999], "vj999999999999", [0, 2]],
  };
  for (const [name, [numbers, accession, rows]] of Object.entries(cases)) {
    await t.step(name, () =>
      inFolder(async (folder) => {
        const records = createRecords(folder, { width: 1, accessionField: 0 });
        records.add(numbers.map((number) => [formatAccession(number)]));
        assertEquals(await records.finish(), { accession, rows });
      }));
  }
});

Deno.test("sequences name what is unknown and what comes a second time", async () => {
  await inFolder(async (folder) => {
    const records = createRecords(folder, { width: 1, accessionField: 0 });
    records.add([[formatAccession(1)], [formatAccession(2)]]);
    await records.finish();
    using sequences = createRecordSequences(folder, 2);
    const [one, two, other] = [1, 2, 3].map(formatAccession);
    assertEquals(sequences.add([other, one], ["A", ""]), { unknown: [0], second: undefined });
    assertEquals(sequences.count, 1);
    assertEquals(sequences.add([other, two, one], ["A", "C", "G"]), { unknown: [0], second: 2 });
  });
});

Deno.test("sequences of more records than are kept in memory come back, in any order", async () => {
  await inFolder(async (folder) => {
    const count = 10_000;
    const texts = Array.from({ length: count }, (_, row) => String(row));
    {
      using sequences = createSequences(folder, count, 2);
      for (let start = 0; start < 100; start++) {
        const rows = Array.from({ length: count / 100 }, (_, at) => at * 100 + 99 - start);
        assertEquals(sequences.add(rows, rows.map((row) => texts[row])), -1);
      }
      assertEquals(sequences.add([17], ["second"]), 0);
      await sequences.finish();
    }
    using reader = openSequences(folder);
    assertEquals([...reader.read(texts.map(Number), 1000)].flat(), texts);
  });
});

Deno.test("a file that is not as it was written is damaged, and says what becomes of it", async (t) => {
  const cut = (path: string) => Deno.truncateSync(path, 1000);
  const fill = (path: string) => Deno.writeFileSync(path, new Uint8Array(Deno.statSync(path).size).fill(0xff));
  const faults: Record<string, readonly [file: string, damage: (path: string) => void]> = {
    "cut values": ["records.rows", cut],
    "other values": ["records.rows", fill],
    "other places of values": ["records.blocks", fill],
    "cut sequences": ["sequences.letters", cut],
    "other places of sequences": ["sequences.places", fill],
  };
  for (const [name, [file, damage]] of Object.entries(faults)) {
    await t.step(name, () =>
      inFolder(async (folder) => {
        const names = Array.from({ length: 40 }, (_, row) => formatAccession(row));
        await keep(
          folder,
          names.map((name) => [name, "x".repeat(100)]),
          names.map((name) => [name, name.repeat(10)] as const),
        );
        damage(`${folder}/${file}`);
        const error = assertThrows(
          () => {
            using reader = openRecords(folder, { recordCount: 40, width: 2, accessionField: 0 });
            return [...reader.withSequences([39], 1e6)];
          },
          DamagedFileError,
          "imported again at the next use",
        );
        assertEquals([error.code, error.message.includes(file.split(".")[0])], ["damaged", true]);
      }));
  }
});
