import { assertEquals, assertRejects } from "@std/assert";
import { crc32, deflateRawSync, gunzipSync, gzipSync } from "node:zlib";
import { exchangeSketch, ParseError, readSignatures, writeSignatures } from "../../../src/alike/mod.ts";
import { inFolder } from "../../_files.ts";
import { fastaOf, genomeOf, randomsOf } from "../_genomes.ts";

const random = randomsOf(51);
const GENOMES = { a: genomeOf(random, 2000), b: genomeOf(random, 900), c: "ACGT" };

async function signaturesOf(folder: string): Promise<string> {
  const { file } = await writeSignatures(fastaOf(GENOMES), `${folder}/s`, { k: 31, scaled: 10 });
  return new TextDecoder().decode(gunzipSync(await Deno.readFile(file)));
}

/** A zip of one deflated file. */
function zipOf(name: string, content: Uint8Array): Uint8Array {
  const [data, path] = [deflateRawSync(content), new TextEncoder().encode(name)];
  const common = new DataView(new ArrayBuffer(26));
  common.setUint16(0, 20, true);
  common.setUint16(4, 8, true);
  common.setUint32(10, crc32(content), true);
  common.setUint32(14, data.length, true);
  common.setUint32(18, content.length, true);
  common.setUint16(22, path.length, true);
  const shared = new Uint8Array(common.buffer);
  const local = [0x50, 0x4b, 3, 4, ...shared, ...path, ...data];
  const directory = [0x50, 0x4b, 1, 2, 20, 0, ...shared, ...new Uint8Array(14), ...path];
  const end = new DataView(new ArrayBuffer(22));
  end.setUint32(0, 0x06054b50, true);
  end.setUint16(8, 1, true);
  end.setUint16(10, 1, true);
  end.setUint32(12, directory.length, true);
  end.setUint32(16, local.length, true);
  return Uint8Array.from([...local, ...directory, ...new Uint8Array(end.buffer)]);
}

Deno.test("readSignatures() reads what was written: JSON, gzip and zip, hash for hash", async () => {
  await inFolder(async (folder) => {
    const text = await signaturesOf(folder);
    const bytes = new TextEncoder().encode(text);
    const forms = [
      `${folder}/s/signatures.sig.gz`,
      bytes,
      zipOf("signatures/a.sig", bytes),
      zipOf("a.sig.gz", gzipSync(bytes)),
    ];
    for (const form of forms) {
      const read = await Array.fromAsync(readSignatures(form));
      assertEquals(read.map(({ name }) => name), Object.keys(GENOMES));
      for (const { name, ...sketch } of read) {
        assertEquals(sketch, exchangeSketch(GENOMES[name as keyof typeof GENOMES], { k: 31, scaled: 10 }));
      }
    }
  });
});

Deno.test("readSignatures() refuses other hashes, proteins and damage, in words", async () => {
  await inFolder(async (folder) => {
    const text = await signaturesOf(folder);
    const read = (from: string | RegExp, to: string) =>
      Array.fromAsync(readSignatures(new TextEncoder().encode(text.replace(from, to))));
    const cases: readonly (readonly [string | RegExp, string, string])[] = [
      ["0.murmur64", "0.other", "the hash 0.other"],
      ['"seed":42', '"seed":43', "seed 43"],
      ['"molecule":"DNA"', '"molecule":"protein"', "the molecule protein"],
      ['"num":0', '"num":500', "500 hashes each"],
      [/"mins":\[([0-9]+),/, '"mins":[', "the MD5 of a sketch"],
      [/"mins":\[/, '"mins":[-1,', "no k, greatest hash"],
      ["sourmash_signature", "x", "it has no signatures"],
      [/[^]*/, "{", "not valid JSON"],
      [/[^]*/, "{}", "no list of signatures"],
      [/[^]*/, "", "not valid JSON"],
      [/[^]*/, ">a\nACGT\n", "not valid JSON"],
    ];
    for (const [from, to, says] of cases) await assertRejects(() => read(from, to), ParseError, says);
    const other = zipOf("readme.txt", new Uint8Array(3));
    await assertRejects(() => Array.fromAsync(readSignatures(other)), ParseError, "no .sig or .sig.gz");
  });
});
