import { assertEquals } from "@std/assert";
import {
  buildAlikeIndex,
  exchangeSketch,
  openAlikeIndex,
  readSignatures,
  writeSignatures,
} from "../../../src/alike/mod.ts";
import { genomeOf, randomsOf } from "../_genomes.ts";
import { inFolder } from "../../_files.ts";

/** Two batches of the reader, each of which a thread sketches. */
const GENOME = genomeOf(randomsOf(1), 250_000);
const SEQUENCES = Array.from({ length: 40 }, (_, index) => GENOME.slice(0, GENOME.length - 5000 * index));
const FASTA = new TextEncoder().encode(SEQUENCES.map((bases, index) => `>r${index}\n${bases}\n`).join(""));

Deno.test("sketches of threads are those of one sequence after the other, in their order", async () => {
  await inFolder(async (folder) => {
    const { file, signatures } = await writeSignatures(FASTA, `${folder}/sketches`, { scaled: 10_000 });
    assertEquals(signatures, SEQUENCES.length);
    const read = await Array.fromAsync(readSignatures(file), ({ name, md5 }) => [name, md5]);
    assertEquals(read, SEQUENCES.map((bases, index) => [`r${index}`, exchangeSketch(bases, { scaled: 10_000 }).md5]));
  });
});

Deno.test("records that threads sketch keep their numbers in an index", async () => {
  await inFolder(async (folder) => {
    const { records } = await buildAlikeIndex(FASTA, `${folder}/index`);
    using index = await openAlikeIndex(`${folder}/index`);
    const ids = Array.from({ length: records }, (_, record) => [index.idOf(record), index.lengthOf(record)]);
    assertEquals(ids, SEQUENCES.map((bases, record) => [`r${record}`, bases.length]));
  });
});
