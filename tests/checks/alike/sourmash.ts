/**
 * What sourmash makes of 10,000 random sequences, what it reads of our signatures, and we of its: equal, hash for hash.
 * Run by `deno task checks sourmash`. `PYTHON` names a Python with sourmash. `SEQREG_SEED` (1) varies the sequences.
 */
import { assertEquals } from "@std/assert";
import { exchangeSketch, readSignatures, writeSignatures } from "../../../src/alike/mod.ts";
import { testNeeding } from "../../_needs.ts";
import { needsModules, PYTHON } from "../../_python.ts";
import { drawFrom } from "../../_randoms.ts";

const RECORDS = 10_000;
const SEED = Number(Deno.env.get("SEQREG_SEED") ?? "1");

/** Reads our signatures with sourmash, and compares each with the sketch that sourmash makes of its sequence. */
const COMPARE = `
import sys, sourmash
fasta, signatures, k, scaled = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
ours = list(sourmash.load_file_as_signatures(signatures))
sequences = open(fasta).read().split(">")[1:]
equal = 0
for text in sequences:
    name, sequence = text.split("\\n")[:2]
    sketch = sourmash.MinHash(n=0, ksize=k, scaled=scaled)
    sketch.add_sequence(sequence.upper(), True)
    mine = ours[int(name)]
    same = mine.name == name and mine.minhash.hashes == sketch.hashes
    equal += same and mine.md5sum() == sourmash.SourmashSignature(sketch).md5sum()
print(equal, len(ours))
`;

function randomFasta(): string {
  const below = drawFrom(SEED);
  const alphabets = [
    "ACGT",
    "acgtACGT",
    "ACGT".repeat(20) + "N",
    "ACGT".repeat(30) + "RYKMSWBDHVN-*",
    "ACGT".repeat(20) + "U",
    "AC",
  ];
  const lengths = [0, 1, 20, 21, 30, 31, 50, 51, 52, 100, 300, 1000];
  return Array.from({ length: RECORDS }, (_, index) => {
    const alphabet = alphabets[below(alphabets.length)];
    const bases = Array.from({ length: lengths[below(lengths.length)] }, () => alphabet[below(alphabet.length)]);
    return `>${index}\n${bases.join("")}\n`;
  }).join("");
}

for (const [k, scaled] of [[21, 1], [51, 10]]) {
  testNeeding(
    needsModules("sourmash"),
    `sourmash reads its own hashes in our signatures: k ${k}, scaled ${scaled}`,
    async () => {
      const folder = await Deno.makeTempDir();
      await Deno.writeTextFile(`${folder}/a.fasta`, randomFasta());
      const { file } = await writeSignatures(`${folder}/a.fasta`, `${folder}/s`, { k, scaled });
      const { stdout } = await new Deno.Command(PYTHON, {
        args: ["-c", COMPARE, `${folder}/a.fasta`, file, String(k), String(scaled)],
      }).output();
      assertEquals(new TextDecoder().decode(stdout).trim(), `${RECORDS} ${RECORDS}`);
      await Deno.remove(folder, { recursive: true });
    },
  );
}

testNeeding(needsModules("sourmash"), "we read the signatures that sourmash wrote, zip and gzip", async () => {
  const folder = await Deno.makeTempDir();
  const records = randomFasta().split(">").slice(1, 301).filter((text) => text.split("\n")[1].length >= 21);
  await Deno.writeTextFile(`${folder}/a.fasta`, records.map((text) => `>${text}`).join(""));
  for (const file of ["a.zip", "a.sig.gz"]) {
    const args = ["-m", "sourmash", "sketch", "dna", "--singleton", "-p", "k=21,scaled=10", `${folder}/a.fasta`];
    const { success, stderr } = await new Deno.Command(PYTHON, { args: [...args, "-o", `${folder}/${file}`] }).output();
    assertEquals(success, true, new TextDecoder().decode(stderr));
    const theirs = await Array.fromAsync(readSignatures(`${folder}/${file}`));
    const byName = new Map(theirs.map(({ name, ...sketch }) => [name, sketch]));
    let compared = 0;
    for (const text of records) {
      const [name, sequence] = text.split("\n");
      const ours = exchangeSketch(sequence, { k: 21, scaled: 10 });
      // A zip of sourmash holds equal sketches, such as empty ones, once.
      if (ours.hashes.length === 0) continue;
      assertEquals(byName.get(name), ours, `${name} in ${file}`);
      compared += 1;
    }
    assertEquals(compared > 50, true, `${compared} compared`);
  }
  await Deno.remove(folder, { recursive: true });
});
