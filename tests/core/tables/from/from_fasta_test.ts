import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import type { DataFrame, Series } from "nodejs-polars";
import { FastaError } from "../../../../src/core/fasta/text/fasta_error.ts";
import { readFasta } from "../../../../src/core/fasta/mod.ts";
import { fastaFrames, type FastaFramesOptions, tableFromFasta } from "../../../../src/core/tables/mod.ts";
import { bytesOf, schemaOf } from "../_frames.ts";

const REGISTRY = [
  ";fields=registry_accession|Country|Host Age",
  ">vj000000000001|Côte d'Ivoire|37",
  "ACGTN",
  "acg",
  ">vj000000000002||37 years",
  "NNN",
  ">vj000000000003|Kenya",
  "ACGT",
  "",
].join("\n");
const AGE = { name: "Host Age", alias: "host_age", type: "integer", unit: "", description: "", example: "" } as const;

Deno.test("fastaFrames() yields header fields, counts and bases as columns", async () => {
  const frames = fastaFrames(bytesOf(REGISTRY));
  const rows = [];
  for await (const frame of frames) {
    assertEquals(schemaOf(frame), [
      ["registry_accession", "DataType(String)"],
      ["Country", "DataType(String)"],
      ["Host Age", "DataType(String)"],
      ["length", "DataType(Int64)"],
      ["gc", "DataType(Float64)"],
      ["ambiguous", "DataType(Int64)"],
      ["sequence", "DataType(String)"],
    ]);
    rows.push(...frame.toRecords());
  }
  assertEquals(rows.map((row) => Object.values(row)), [
    ["vj000000000001", "Côte d'Ivoire", "37", 8, 4 / 7, 1, "ACGTNacg"],
    ["vj000000000002", "", "37 years", 3, null, 3, "NNN"],
  ]);
  assertEquals(frames.ledger.unparsed, 1);
  assertEquals(frames.problems.find(({ kept }) => !kept)?.line, 7);
});

Deno.test("tableFromFasta() types header values, and keeps the reader's ledger", async () => {
  const table = await tableFromFasta(bytesOf(REGISTRY), {
    definitions: [AGE],
    asked: ["vj000000000001", "vj000000000002", "vj000000000009"],
  });
  assertEquals(
    (await table.frame()).toRecords().map((row) => [row["Country"], row["Host Age"], row.length, row.sequence]),
    [
      ["Côte d'Ivoire", 37, 8, "ACGTNacg"],
      [null, null, 3, "NNN"],
    ],
  );
  assertEquals(table.ledger.received, 2);
  assertEquals(table.ledger.unparsed, 1);
  assertEquals(table.ledger.missing, ["vj000000000009"]);
  assertEquals(table.ledger.reasons.at(-1), "1 of 3 asked for is missing: vj000000000009");
  assertEquals(table.problems.at(-1)?.value, "37 years");
  assertEquals(table.texts("Host Age"), ["37", "37 years"]);
  assertEquals((await table.rawFrame()).columns, ["registry_accession", "Country", "Host Age"]);
});

Deno.test("fastaFrames() and tableFromFasta() agree over many batches, with and without bases", async () => {
  const count = 40_000;
  const fasta = Array.from({ length: count }, (_, n) => `>s${n} n ${n}\n${"ACGT".repeat(n % 7)}N\n`).join("");
  for (const sequence of ["keep", "drop"] as const) {
    let rows = 0;
    let letters = 0;
    for await (const frame of fastaFrames(bytesOf(fasta), { sequence })) {
      rows += frame.height;
      letters += frame.getColumn("length").sum() as number;
    }
    const table = await tableFromFasta(bytesOf(fasta), { sequence });
    assertEquals([rows, letters], [count, (await table.frame()).getColumn("length").sum() as number]);
    assertEquals(table.columns.length, sequence === "keep" ? 6 : 5);
  }
});

Deno.test("header fields keep their names, and computed columns find free ones", async () => {
  const computed = ["gc", "ambiguous", "sequence"];
  const cases: [fields: string[], computed: string[]][] = [
    [["acc", "length"], ["length (computed)", ...computed]],
    [["acc", "length", "length (computed)"], ["length (computed 2)", ...computed]],
    [["acc", "length (computed)"], ["length", ...computed]],
    [["length (computed 2)", "length (computed)", "length"], ["length (computed 3)", ...computed]],
    [["sequence (computed)", "sequence"], ["length", "gc", "ambiguous", "sequence (computed 2)"]],
  ];
  for (const [fields, computed] of cases) {
    const fasta = bytesOf(`;fields=${fields.join("|")}\n>${fields.map((_, n) => `v${n}`).join("|")}\nACGT\n`);
    const row = [...fields.map((_, n) => `v${n}`), 4, 0.5, 0, "ACGT"];
    const [frame] = await Array.fromAsync(fastaFrames(fasta));
    for (const one of [frame, await (await tableFromFasta(fasta)).frame()]) {
      assertEquals([one.columns, Object.values(one.toRecords()[0])], [[...fields, ...computed], row]);
    }
  }
});

Deno.test("an empty FASTA is an empty frame; text that is not FASTA is an error", async () => {
  const table = await tableFromFasta(bytesOf(""));
  assertEquals([table.rows, (await table.frame()).columns.slice(0, 2)], [0, ["id", "description"]]);
  await assertRejects(() => tableFromFasta(bytesOf("<html>")), FastaError);
});

Deno.test("tableFromFasta() refuses more than it is allowed to hold, and says what to do", async () => {
  const fasta = ">a b\nACGT\n>c\nAC\nGT\n";
  const error = await assertRejects(
    () => tableFromFasta(bytesOf(fasta), { maxBytes: 11, name: "x.fasta" }),
    FastaError,
  );
  assertEquals(
    error.message,
    "Cannot make a table of x.fasta: its headers and bases are more than 11 bytes; read it part by part with " +
      "fastaFrames(), leave the bases out, or raise maxBytes (line 3, byte 10)",
  );
  assertEquals([error.line, error.byte], [3, 10]);
  assertEquals((await tableFromFasta(bytesOf(fasta), { maxBytes: 12 })).rows, 2);
  assertEquals((await tableFromFasta(bytesOf(fasta), { maxBytes: 4, sequence: "drop" })).rows, 2);
  for (const maxBytes of [0, 1.5, NaN]) {
    await assertRejects(() => tableFromFasta("nowhere.fasta", { maxBytes }), RangeError);
  }
});

Deno.test("frames and tables have the readers' bound of a sequence, where it comes too", async () => {
  const fasta = bytesOf(">a b\nACGT\n");
  const readers = [
    async (maxRecordBytes: number, sequence: "keep" | "drop") =>
      (await Array.fromAsync(fastaFrames(fasta, { maxRecordBytes, sequence })))[0].height,
    async (maxRecordBytes: number, sequence: "keep" | "drop") =>
      (await tableFromFasta(fasta, { maxRecordBytes, sequence })).rows,
  ];
  for (const read of readers) {
    await assertRejects(() => read(3, "keep"), FastaError, "longer than 3 bytes");
    assertEquals([await read(3, "drop"), await read(4, "keep")], [1, 1]);
    await assertRejects(() => read(2_000_000_001, "keep"), RangeError);
  }
});

Deno.test("frames are read once, and a second loop is an error", async () => {
  const frames = fastaFrames(bytesOf(">a\nACGT\n"));
  assertEquals((await Array.fromAsync(frames)).length, 1);
  await assertRejects(
    async () => {
      for await (const _ of frames);
    },
    TypeError,
    "they can be read once; call fastaFrames() again",
  );
  assertEquals(frames.ledger.received, 1);
});

Deno.test("a loop over frames that stops early cancels the stream", async () => {
  let cancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(bytesOf(`>a\n${"ACGT".repeat(1 << 18)}\n`)),
    cancel: () => void (cancelled = true),
  });
  for await (const _ of fastaFrames(stream)) break;
  assert(cancelled);
});

Deno.test("frames that are released before the first cancel the stream", async () => {
  let cancelled = false;
  const stream = new ReadableStream<Uint8Array>({ cancel: () => void (cancelled = true) });
  await fastaFrames(stream)[Symbol.asyncIterator]().return?.();
  assert(cancelled);
});

Deno.test("using empties a frame where its turn ends, and nothing that was taken from it", async () => {
  const fasta = bytesOf([1, 2].map((n) => `>s${n} x\n${"ACGT".repeat(25_000 * n)}\n`).join(""));
  for (const sequence of ["keep", "drop"] as const) {
    const frames: DataFrame[] = [];
    const taken: DataFrame[] = [];
    const lengths: Series[] = [];
    for await (using frame of fastaFrames(fasta, { sequence, batchBytes: 50_000 })) {
      frames.push(frame);
      taken.push(frame.drop("description"));
      lengths.push(frame.getColumn("length"));
    }
    assert(frames.every(({ columns }) => columns.length === 0));
    const rows = taken.flatMap((frame) => frame.toRecords());
    assertEquals(rows.map(({ id, length }) => [id, length]), [["s1", 100_000], ["s2", 200_000]]);
    assertEquals(lengths.flatMap((column) => column.toArray()), [100_000, 200_000]);
    if (sequence === "drop") continue;
    assertEquals(frames.length, 2);
    assertEquals(rows.map((row) => row.sequence), ["ACGT".repeat(25_000), "ACGT".repeat(50_000)]);
  }
});

Deno.test("frames hold about 4 MiB of bases, and nothing is lost where one ends", async () => {
  const record = ">a\n" + "ACGTN".repeat(200_000) + "\n";
  const heightsOf = async (options: FastaFramesOptions) => {
    const heights: number[] = [];
    for await (const frame of fastaFrames(bytesOf(record.repeat(7)), options)) {
      heights.push(frame.height);
      assertEquals(frame.getColumn("length").unique().toArray(), [1_000_000]);
      assertEquals(frame.getColumn("sequence").nUnique(), 1);
    }
    return heights;
  };
  assertEquals(await heightsOf({}), [5, 2]);
  assertEquals(await heightsOf({ batchBytes: 3_000_000 }), [3, 3, 1]);
  assertThrows(() => fastaFrames("nowhere.fasta", { batchBytes: 0 }), RangeError, "from 1 to 100,000,000, not 0");
});

Deno.test("a frame stays as it is while others are made in the same memory", async () => {
  const letters = "ACGTN".repeat(400_000);
  const fasta = ["a", "b", "c", "d", "e", "f"].map((id) => `>${id} n\n${letters}${id}\n`).join("");
  const frames = await Array.fromAsync(fastaFrames(bytesOf(fasta)));
  assert(frames.length > 1);
  const rows = frames.flatMap((frame) => frame.toRecords());
  assertEquals(rows.map(({ id, length }) => [id, length]), [..."abcdef"].map((id) => [id, letters.length + 1]));
  assertEquals(rows.every(({ id, sequence }) => sequence === letters + id), true);
});

Deno.test("bytes that are not UTF-8 are read in frames, table and records alike", async () => {
  const bytes = Uint8Array.from(">a x\nAC\n>b\nAC\xe9GT\n>\xe9b\nA\n>c\nA\xc3\xa9\n", (letter) => letter.charCodeAt(0));
  const records = (await Array.fromAsync(readFasta(bytes))).map(({ id, sequence }) => [id, sequence]);
  assertEquals(records[1], ["b", "AC\u00e9GT"]);
  const [frame] = await Array.fromAsync(fastaFrames(bytes));
  const table = await tableFromFasta(bytes);
  for (const one of [frame, await table.frame()]) {
    assertEquals(one.toRecords().map(({ id, sequence }) => [id, sequence]), records);
  }
});

Deno.test("tableFromFasta() counts the problems that it does not list, and notes that", async () => {
  const table = await tableFromFasta(bytesOf(`>a\n${";c\n".repeat(10)}A\n`), { maxProblems: 3 });
  assertEquals([table.problems.length, table.problemCount], [3, 10]);
  const { text } = table.ledger.entries.find(({ code }) => code === "problems-not-listed")!;
  assertEquals(text, "only the first 3 of 10 problems are listed");
});
