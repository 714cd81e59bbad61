import { assertEquals, assertRejects } from "@std/assert";
import { gunzipSync, gzipSync } from "node:zlib";
import { exchangeSketch, ParseError, readSignatures, writeSignatures } from "../../../src/alike/mod.ts";
import { inFolder } from "../../_files.ts";
import { zipOf } from "../../core/io/workbook/_workbook.ts";
import { fastaOf, genomeOf, randomsOf } from "../_genomes.ts";

const random = randomsOf(51);
const GENOMES = { a: genomeOf(random, 2000), b: genomeOf(random, 900), c: "ACGT" };

async function signaturesOf(folder: string): Promise<string> {
  const { file } = await writeSignatures(fastaOf(GENOMES), `${folder}/s`, { k: 31, scaled: 10 });
  return new TextDecoder().decode(gunzipSync(await Deno.readFile(file)));
}

Deno.test("readSignatures() reads what was written: JSON, gzip and zip, hash for hash", async () => {
  await inFolder(async (folder) => {
    const text = await signaturesOf(folder);
    const bytes = new TextEncoder().encode(text);
    const forms = [
      `${folder}/s/signatures.sig.gz`,
      bytes,
      await zipOf({ "signatures/a.sig": bytes }),
      await zipOf({ "a.sig.gz": new Uint8Array(gzipSync(bytes)) }),
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
    const other = await zipOf({ "readme.txt": new Uint8Array(3) });
    await assertRejects(() => Array.fromAsync(readSignatures(other)), ParseError, "no .sig or .sig.gz");
  });
});
