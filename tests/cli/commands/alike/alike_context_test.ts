import { assertEquals, assertStringIncludes } from "@std/assert";
import { Registry } from "../../../../src/core/registry/mod.ts";
import { inFolder } from "../../../_files.ts";
import { runInProcess } from "../../../_program.ts";

Deno.test("alike context writes sequences, metadata and reasons of a registry's nearest records", async () => {
  await inFolder(async (folder) => {
    await using registry = await Registry.open("zika", { cacheFolder: folder });
    const genomes = await registry.sequences({ ids: ["vj000000000003", "vj000000000010", "vj000000000034"] });
    await genomes.toFasta(`${folder}/a.fasta`);
    const index = await runInProcess(["alike", "index", `${folder}/a.fasta`, "-o", `${folder}/index`]);
    assertEquals(index.code, 0, index.stderr);
    const run = (...args: string[]) =>
      runInProcess(["alike", "context", "-", "--index", `${folder}/index`, "--registry", "zika", ...args], {
        stdin: `>mine\n${genomes.rows[0].sequence}\n`,
        env: { SEQREG_CACHE: folder },
      });
    const made = await run("-n", "2", "--fasta-header", "{Country}|{accession}", "-o", `${folder}/set`);
    assertEquals([made.code, made.stdout], [0, `${folder}/set\n`], made.stderr);
    assertStringIncludes(made.stderr, "1 queries, 2 records, 1 near ones left out");
    const metadata = (await Deno.readTextFile(`${folder}/set/metadata.tsv`)).trimEnd().split("\n");
    assertEquals(metadata.map((line) => line.split("\t")[0]), [
      "name",
      "mine",
      "Panama|vj000000000003",
      "Venezuela|vj000000000010",
    ]);
    assertEquals(metadata.map((line) => line.split("\t").at(-1)!.split(",")[0]), [
      "why",
      "query",
      "rank 1 for mine",
      "rank 2 for mine",
    ]);
    assertEquals(JSON.parse(await Deno.readTextFile(`${folder}/set/context.json`)).leftOut.length, 1);
    const again = await run("-o", `${folder}/set`);
    assertEquals(again.code, 1);
    assertStringIncludes(again.stderr, "holds files already");
    for (const args of [["-o", `${folder}/x`, "--from", "lake"], [], ["-o", `${folder}/x`, "--fasta-header", "{"]]) {
      assertEquals((await run(...args)).code, 2);
    }
    assertEquals((await run("-o", `${folder}/x`, "--spread", "planet")).code, 2);
    // A source that lacks records of the index, or their sequences.
    const [first, second] = genomes.rows;
    const lacking = async (rows: string) => {
      await Deno.writeTextFile(`${folder}/others.csv`, `accession,country,sequence\n${rows}X1,Peru,ACGT\n`);
      await Deno.remove(`${folder}/others`, { recursive: true }).catch(() => {});
      assertEquals((await runInProcess(["lake", `${folder}/others.csv`, "-o", `${folder}/others`])).code, 0);
      await Deno.remove(`${folder}/set`, { recursive: true });
      return await runInProcess(
        ["alike", "context", "-", "--index", `${folder}/index`, "--from", `${folder}/others`, "-o", `${folder}/set`],
        { stdin: `>mine\n${first.sequence}\n`, env: { SEQREG_CACHE: folder } },
      );
    };
    const some = await lacking(`vj000000000010,Chile,${second.sequence}\n`);
    assertEquals(some.code, 4, some.stderr);
    assertStringIncludes(some.stderr, "2 near records have no sequence or metadata in the source");
    assertStringIncludes(await Deno.readTextFile(`${folder}/set/metadata.tsv`), "Chile");
    for (const rows of ["", `vj000000000010,Chile,\n`]) {
      const none = await lacking(rows);
      assertEquals(none.code, 4, none.stderr);
      assertStringIncludes(none.stderr, "3 near records have no sequence or metadata in the source");
    }
  });
});
