import { assertEquals } from "@std/assert";
import { PostingsWriter } from "../../../src/alike/index/_postings_writer.ts";
import { BLOCK_NUMBERS, BLOCK_POSTINGS } from "../../../src/alike/index/index_files.ts";
import { randomsOf } from "../_genomes.ts";

Deno.test("more postings of a group than are held in memory come out sorted, and no temporary file stays", async () => {
  const folder = await Deno.makeTempDir();
  const random = randomsOf(5);
  const added: [place: number, record: number, strand: number][] = [];
  using writer = new PostingsWriter(folder);
  for (let record = 0; record < 30; record++) {
    const values = Float64Array.from({ length: 1000 }, () => Math.floor(random() * 2 ** 40)).sort();
    writer.add(record, values);
    for (const value of values) added.push([Math.floor(value / 2), record, value % 2]);
  }
  const blocks = await writer.write(`${folder}/postings.bin`, undefined);
  const bytes = await Deno.readFile(`${folder}/postings.bin`);
  const found: typeof added = [];
  for (let block = 0; block < blocks.length / BLOCK_NUMBERS - 1; block++) {
    let [place, at] = [blocks[block * BLOCK_NUMBERS], blocks[block * BLOCK_NUMBERS + 1]];
    while (at < blocks[block * BLOCK_NUMBERS + 4]) {
      for (let factor = 1;; factor *= 128) {
        place += bytes[at] % 128 * factor;
        if (bytes[at++] < 128) break;
      }
      const owner = bytes[at] + bytes[at + 1] * 256 + bytes[at + 2] * 65536;
      found.push([place, owner >> 1, owner & 1]);
      at += 3;
    }
  }
  added.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  assertEquals(found, added);
  assertEquals(blocks.length / BLOCK_NUMBERS - 1, Math.ceil(30_000 / BLOCK_POSTINGS));
  assertEquals(Array.from(Deno.readDirSync(folder), ({ name }) => name), ["postings.bin"]);
  await Deno.remove(folder, { recursive: true });
});
