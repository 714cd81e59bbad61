import { assertEquals } from "@std/assert";
import { fastaFrames, tableFromFasta } from "../../../../src/core/tables/from/from_fasta.ts";
import { writeFastaParquet } from "../../../../src/core/tables/from/fasta_parquet.ts";
import { fastaStats } from "../../../../src/core/fasta/stats/fasta_stats.ts";
import { runInFolder } from "../../../_program.ts";

const PROTEINS = ">p1\nMKVLAAGIVGLCAR*\n>p2\nMACGTX\n";
const SAYS =
  "11 of 21 residues are neither A, C, G, T nor U: if these are proteins, gc and ambiguous do not apply to them";

Deno.test("all that computes GC says where most residues are not bases", async (t) => {
  const bytes = new TextEncoder().encode(PROTEINS);
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/p.fasta`, PROTEINS);
  await Deno.writeTextFile(`${folder}/m.csv`, "strain,host\np1,bat\np2,pig\n");
  const hasWarning = (warnings: readonly string[]) => assertEquals(warnings.filter((text) => text === SAYS), [SAYS]);
  await t.step("frames", async () => {
    const frames = fastaFrames(bytes);
    for await (using _frame of frames);
    hasWarning(frames.ledger.warnings);
  });
  await t.step("a table", async () => hasWarning((await tableFromFasta(bytes)).ledger.warnings));
  await t.step("Parquet", async () => {
    hasWarning((await writeFastaParquet(bytes, `${folder}/parquet`)).ledger.warnings);
  });
  const lines: Record<string, readonly string[]> = {
    "fasta stats": ["fasta", "stats", "./p.fasta"],
    "fasta table": ["fasta", "table", "./p.fasta"],
    "pack": ["pack", "--fasta", "./p.fasta", "--metadata", "./m.csv", "-o", "./set"],
  };
  for (const [name, args] of Object.entries(lines)) {
    await t.step(name, async () => {
      const { stderr } = await runInFolder(folder, args);
      assertEquals(stderr.split("\n").filter((line) => line.endsWith(SAYS)).length, 1, stderr);
    });
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a protein or a masked sequence among others is named", async (t) => {
  const bases = "ACGTACGTACGTACGTACGTACGTACGTACGTACGTACGTACGTACGTACGTACGTACGTACGT";
  const protein = "MRGSHHHHHHGSMDKDCEMK";
  const says = "gc and ambiguous do not apply to proteins, and gc is that of few bases where most are masked";
  const cases: Record<string, readonly [fasta: string, says: readonly string[]]> = {
    "one": [
      `>a\n${bases}\n>p|A x\n${protein}\n`,
      [`1 of 2 sequences is mostly residues other than A, C, G, T and U, "p|A": ${says}`],
    ],
    "two": [
      `>p\n${protein}\n>a\n${bases}\n>n\n${"N".repeat(11)}${"A".repeat(9)}\n`,
      [`2 of 3 sequences are mostly residues other than A, C, G, T and U, "p" first: ${says}`],
    ],
    "half": [`>a\n${"N".repeat(10)}${"A".repeat(10)}\n`, []],
    "short": [`>a\n${bases}\n>n\n${"N".repeat(19)}\n`, []],
  };
  for (const [name, [fasta, warnings]] of Object.entries(cases)) {
    await t.step(name, async () => {
      const { ledger } = await fastaStats(new TextEncoder().encode(fasta));
      assertEquals(ledger.warnings.filter((text) => text.includes("mostly")), warnings);
    });
  }
});
