/**
 * Programs of the field read what we write: run by `deno task checks foreign-fasta`. `PYTHON` is a Python that has
 * Biopython.
 */
import { assertAlmostEquals, assertEquals } from "@std/assert";
import { DINUCLEOTIDES, plainFasta, readComposition, readFasta, writePlainFasta } from "../../../src/core/fasta/mod.ts";
import { type Needs, needsPrograms, testNeeding } from "../../_needs.ts";
import { needsModules, PYTHON } from "../../_python.ts";
import { inFolder } from "../../_files.ts";

const GENOMES = [
  ["vj000000000001", "Côte d'Ivoire", "A virus, isolate 1", "ACGTTGCAAGCTTGACCATGRYKMACGT".repeat(20)],
  ["vj000000000002", "Chile", ">odd; name [x=1]", "ACGTTGCATGCTTGACCATGNNNNACGT".repeat(20)],
  ["vj000000000003", "", "", "ACGTTGCAAGCTTCACCATGACGTACG".repeat(20)],
];
const REGISTRY = ";fields=registry_accession|Country|Isolate\n" +
  GENOMES.map(([id, country, isolate, letters]) =>
    `>${id}|${country}|${isolate}\n${letters.replace(/.{61}/g, "$&\r\n")}\n`
  ).join("");
const RECORDS = GENOMES.map(([id, country, isolate, letters]) => [`${id} ${country}/${isolate}`, letters]);

/** Both ways to plain FASTA, as files. */
async function written(folder: string): Promise<string[]> {
  const bytes = new TextEncoder().encode(REGISTRY);
  const chunks = {
    "rewritten": plainFasta(bytes, { header: "{registry_accession} {Country}/{Isolate}" }),
    "by record": writePlainFasta(
      (await Array.fromAsync(readFasta(bytes))).map(({ values: [id, country, isolate], sequence }) => ({
        header: `${id} ${country}/${isolate}`,
        sequence,
      })),
      { wrap: 60 },
    ),
  };
  const paths: string[] = [];
  for (const [name, text] of Object.entries(chunks)) {
    paths.push(`${folder}/${name.replace(" ", "-")}.fasta`);
    await Deno.writeFile(paths[paths.length - 1], ReadableStream.from(copied(text)));
  }
  return paths;
}

async function* copied(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield chunk.slice();
}

async function printed(program: string, args: string[], cwd: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, { args, cwd }).output();
  if (!success) throw new Error(`${program} failed: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Headers and letters of FASTA that a program printed. */
function recordsIn(fasta: string): string[][] {
  return fasta.split(/^>/m).slice(1).map((record) => {
    const [header, ...lines] = record.split("\n");
    return [header, lines.join("")];
  });
}

const PROGRAMS: Record<string, (path: string, folder: string) => Promise<string[][]>> = {
  async seqkit(path, folder) {
    return (await printed("seqkit", ["fx2tab", path], folder)).trimEnd().split("\n").map((line) =>
      line.split("\t").slice(0, 2)
    );
  },
  async samtools(path, folder) {
    await printed("samtools", ["faidx", path], folder);
    const found = recordsIn(await printed("samtools", ["faidx", path, ...GENOMES.map(([id]) => id)], folder));
    return found.map(([id, letters], row) => [id === GENOMES[row][0] ? RECORDS[row][0] : id, letters]);
  },
  async Biopython(path, folder) {
    const script = `
import json, sys
from Bio import SeqIO
print(json.dumps([[record.description, str(record.seq)] for record in SeqIO.parse(sys.argv[1], "fasta")]))`;
    const found: unknown = JSON.parse(await printed(PYTHON, ["-c", script, path], folder));
    if (!Array.isArray(found)) throw new Error("expected a list");
    return found;
  },
  async BLAST(path, folder) {
    await printed("makeblastdb", ["-in", path, "-dbtype", "nucl", "-out", "db"], folder);
    const lines = (await printed("blastdbcmd", ["-db", "db", "-entry", "all", "-outfmt", "%t\t%s"], folder)).trimEnd();
    // It keeps no byte of a title that is outside ASCII, and writes # for each.
    const hashed = RECORDS.map(([header]) => header.replace(/[^\0-\x7f]/g, (letter) => "#".repeat(byteLength(letter))));
    return lines.split("\n").map((line, row) => {
      const [title, letters] = line.split("\t");
      return [title === hashed[row] ? RECORDS[row][0] : title, letters];
    });
  },
  async MAFFT(path, folder) {
    const aligned = recordsIn(await printed("mafft", ["--quiet", "--preservecase", "--retree", "1", path], folder));
    return aligned.map(([header, letters]) => [header, letters.replaceAll("-", "")]);
  },
};

const NEEDS: Readonly<Record<string, Needs>> = {
  seqkit: needsPrograms("seqkit"),
  samtools: needsPrograms("samtools"),
  Biopython: needsModules("Bio"),
  BLAST: needsPrograms("makeblastdb", "blastdbcmd"),
  MAFFT: needsPrograms("mafft"),
};

for (const [name, read] of Object.entries(PROGRAMS)) {
  testNeeding(NEEDS[name], `${name} reads the plain FASTA that we write`, async () => {
    await inFolder(async (folder) => {
      for (const path of await written(folder)) assertEquals(await read(path, folder), RECORDS);
    });
  });
}

const SEQINR = `
library(seqinr)
for (sequence in read.fasta(commandArgs(TRUE)[1])) {
  found <- rho(sequence)
  cat(toupper(names(found)), sprintf("%.17g", found), "\\n")
}`;

testNeeding(await needsSeqinr(), "seqinr finds the dinucleotide odds ratios that readComposition() finds", async () => {
  await inFolder(async (folder) => {
    const [path] = await written(folder);
    const ours = await Array.fromAsync(readComposition(path));
    const lines = (await printed("Rscript", ["-e", SEQINR, path], folder)).trimEnd().split("\n");
    assertEquals(lines.length, ours.length);
    for (const [at, line] of lines.entries()) {
      const cells = line.trim().split(" ");
      const theirs = new Map(cells.slice(0, 16).map((pair, index) => [pair, Number(cells[16 + index])]));
      for (const [index, pair] of DINUCLEOTIDES.entries()) {
        assertAlmostEquals(ours[at].ratios[index]!, theirs.get(pair)!, 1e-12, `${ours[at].id} ${pair}`);
      }
    }
  });
});

async function needsSeqinr(): Promise<Needs> {
  const programs = needsPrograms("Rscript");
  if (!programs.Rscript) return programs;
  const args = ["-e", "library(seqinr)"];
  const { success } = await new Deno.Command("Rscript", { args, stdout: "null", stderr: "null" }).output();
  return { ...programs, seqinr: success };
}
