import { assertEquals, assertRejects } from "@std/assert";
import { gunzipSync } from "node:zlib";
import { exchangeSketch, FastaError, RegistryError, writeSignatures } from "../../../src/alike/mod.ts";
import { inFolder } from "../../_files.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const SEQUENCE = "GATTACAGATTACACCGTAGGCATTACG";

Deno.test("writeSignatures() writes a signature for each record, whose hashes keep all of their digits", async () => {
  await inFolder(async (folder) => {
    const written = await writeSignatures(encode(`>a "first"\n${SEQUENCE}\n>b\nNNNN\n`), `${folder}/s`, {
      k: 11,
      scaled: 1,
    });
    const text = new TextDecoder().decode(gunzipSync(await Deno.readFile(written.file)));
    const [first, second] = JSON.parse(text);
    const { hashes, md5 } = exchangeSketch(SEQUENCE, { k: 11, scaled: 1 });
    assertEquals(text.includes(`"mins":[${hashes.join(",")}]`), true);
    assertEquals([first.name, first.signatures[0].md5sum], ['a "first"', md5]);
    assertEquals([second.name, second.signatures[0].mins], ["b", []]);
    assertEquals([written.signatures, written.hashes, written.empty], [2, hashes.length, 1]);
    const parameters = JSON.parse(await Deno.readTextFile(`${folder}/s/sketch.json`));
    assertEquals([parameters.k, parameters.scaled, parameters.source.sha256], [11, 1, written.sha256]);
  });
});

Deno.test("a parameter that is undefined is one that is not given", async () => {
  await inFolder(async (folder) => {
    const fasta = encode(`>a\n${SEQUENCE.repeat(200)}\n`);
    const given = await writeSignatures(fasta, `${folder}/given`, { k: undefined, scaled: undefined, rna: undefined });
    const absent = await writeSignatures(fasta, `${folder}/absent`);
    assertEquals([given.hashes, given.sha256], [absent.hashes, absent.sha256]);
  });
});

Deno.test("what cannot be sketched is an error that names it, and leaves nothing", async (t) => {
  const sources: Readonly<Record<string, readonly [text: string, says: string]>> = {
    "a protein": [">p\nMKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQ\n", "looks like a protein"],
    "no records": ["", "it has no records"],
    "only N": [">n\nNNNNNNNN\n", "no A, C, G, T or U"],
  };
  for (const [name, [text, says]] of Object.entries(sources)) {
    await t.step(name, () =>
      inFolder(async (folder) => {
        await assertRejects(() => writeSignatures(encode(text), `${folder}/s`), FastaError, says);
        assertEquals(Array.from(Deno.readDirSync(folder)), []);
      }));
  }
});

Deno.test("writeSignatures() does not replace what a folder holds", async () => {
  await inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/mine.txt`, "mine");
    await assertRejects(
      () => writeSignatures(encode(`>a\n${SEQUENCE}\n`), folder),
      RegistryError,
      "holds files already",
    );
    assertEquals(await Deno.readTextFile(`${folder}/mine.txt`), "mine");
  });
});
