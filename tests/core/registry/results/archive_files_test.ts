import { assertEquals, assertRejects } from "@std/assert";
import { gzipSync } from "node:zlib";
import { ParseError } from "../../../../src/core/errors.ts";
import { writeArchiveFasta, writeArchiveTsv } from "../../../../src/core/registry/results/archive_files.ts";
import { filesBelow, withFolder } from "../../datasets/_archive.ts";

Deno.test("an archive is written as FASTA where each row is an accession and a sequence, and not at all otherwise", async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/a.csv.gz`;
    const csv = "Registry Accession,Sequence\nvj000000000001,ACGT\nvj000000000002,\nvj000000000003,GG\n";
    await Deno.writeFile(path, gzipSync(csv));
    await writeArchiveFasta(path, `${folder}/a.fasta`, { wrap: 0 });
    assertEquals(
      await Deno.readTextFile(`${folder}/a.fasta`),
      ">vj000000000001\nACGT\n>vj000000000002\n>vj000000000003\nGG\n",
    );
    for (const [row, cells] of [["vj000000000004", "1 cell"], ["vj000000000004,A,B", "3 cells"]]) {
      await Deno.writeFile(path, gzipSync(`${csv}${row}\n`));
      const error = await assertRejects(() => writeArchiveFasta(path, `${folder}/b.fasta`, {}), ParseError, cells);
      assertEquals([error.line, await filesBelow(folder)], [5, ["a.csv.gz", "a.fasta"]]);
    }
  });
});

Deno.test("an archive whose cells are separated by semicolons or tabs is written as TSV and FASTA", async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/a.csv.gz`;
    for (const separator of [";", "\t", ","]) {
      const rows = [["Registry Accession", "Sequence"], ["vj000000000001", "ACGT"], ["vj000000000002", "GG"]];
      await Deno.writeFile(path, gzipSync(rows.map((cells) => `${cells.join(separator)}\n`).join("")));
      await writeArchiveFasta(path, `${folder}/a.fasta`, {});
      await writeArchiveTsv(path, `${folder}/a.tsv`, {});

      assertEquals(await Deno.readTextFile(`${folder}/a.fasta`), ">vj000000000001\nACGT\n>vj000000000002\nGG\n");
      assertEquals(await Deno.readTextFile(`${folder}/a.tsv`), rows.map((cells) => `${cells.join("\t")}\n`).join(""));
    }
  });
});

Deno.test("no record of an archive is lost or made up as FASTA: what is no accession and sequence is refused", async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/a.csv.gz`;
    const write = async (csv: string) => {
      await Deno.writeFile(path, gzipSync(csv));
      await writeArchiveFasta(path, `${folder}/a.fasta`, {});
      return await Deno.readTextFile(`${folder}/a.fasta`);
    };
    const header = "Registry Accession,Sequence\n";
    assertEquals(
      await write("Sequence,Registry Accession\nACGT,vj000000000001\nGG,vj000000000002\n"),
      ">vj000000000001\nACGT\n>vj000000000002\nGG\n",
    );
    const faults: Record<string, [csv: string, says: string, line: number]> = {
      "no header": ["vj000000000001,ACGT\nvj000000000002,GG\n", "it has no header", 1],
      "a comment above": [`# by hand, 2013\n${header}vj000000000001,ACGT\n`, 'begins with "Registry Accession"', 2],
      "the header again": [`${header}vj000000000001,ACGT\n${header}`, 'begins with "Registry Accession"', 3],
    };
    for (const [name, [csv, says, line]] of Object.entries(faults)) {
      assertEquals((await assertRejects(() => write(csv), ParseError, says, name)).line, line, name);
    }
  });
});
