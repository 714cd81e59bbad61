/** How ids of a FASTA and of a table are joined. */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { RegistryError } from "../../../../src/core/errors.ts";
import { packArchives, type PackOptions } from "../../../../src/embedded/sample/mod.ts";
import { makeFolder, namesIn } from "../_archives.ts";
import { bytes, pack } from "./_pack.ts";

const GISAID = ">A/Peru 1/2020|EPI_ISL_1|2020-01-01\nA\n>A/Cuba 2/2020|EPI_ISL_2|2020-01-01\nC\n";
const VERSIONS = ">NC_045512.2 isolate one\nA\n>MT020781.1\nC\n";

Deno.test("packArchives() joins by the part of a header that fits, one to one, and reports it", async (t) => {
  type Case = [fasta: string, table: string, by: string, column: string, options?: Partial<PackOptions>];
  const cases: Record<string, Case> = {
    "the strain of strain|id|date, which holds a blank": [
      GISAID,
      "strain,date\nA/Peru 1/2020,2020-01-01\nA/Cuba 2/2020,2020-01-01\n",
      "the first piece of the header",
      "strain",
    ],
    "the id of strain|id|date": [GISAID, "id\nEPI_ISL_2\nEPI_ISL_1\n", "the second piece of the header", "id"],
    "the first of pieces that fit equally": [
      GISAID,
      "id,strain\nEPI_ISL_1,A/Peru 1/2020\nEPI_ISL_2,A/Cuba 2/2020\n",
      "the first piece of the header",
      "strain",
    ],
    "a version in the FASTA alone": [VERSIONS, "id\nNC_045512\nMT020781\n", "the id without its version", "id"],
    "a version in the table alone": [
      ">NC_045512\nA\n>MT020781\nC\n",
      "id\nNC_045512.2\nMT020781.1\n",
      "the id without its version",
      "id",
    ],
    "versions in a part of the table": [VERSIONS, "id\nNC_045512.2\nMT020781\n", "the id without its version", "id"],
    "the whole header": [
      ">Zika virus 1\nA\n>Zika virus 2\nC\n",
      "name\nZika virus 1\nZika virus 2\n",
      "the whole header",
      "name",
    ],
    "GISAID's virus": [
      ">hCoV-19/Kenya/x/2020|EPI_ISL_1|2020-01-01\nA\n>hCoV-19/Hong Kong/y/2020|EPI_ISL_2|2020-01-01\nC\n",
      "Virus name,Accession ID\nhCoV-19/Kenya/x/2020,EPI_ISL_1\nhCoV-19/Hong Kong/y/2020,EPI_ISL_2\n",
      "the first piece of the header",
      "Virus name",
    ],
    "GISAID's virus, as Nextstrain names it": [
      ">hCoV-19/Kenya/x/2020|EPI_ISL_1|2020-01-01\nA\n>hCoV-19/Hong Kong/y/2020|EPI_ISL_2|2020-01-01\nC\n",
      "strain,date\nKenya/x/2020,2020-01-01\nHong Kong/y/2020,2020-01-01\n",
      'the first piece of the header without "hCoV-19/" or "SARS-CoV-2/"',
      "strain",
    ],
    "Nextstrain's strain, as GISAID names it": [
      ">Kenya/x/2020\nA\n>Peru/y/2020\nC\n",
      "virus\nhCoV-19/Kenya/x/2020\nhCoV-19/Peru/y/2020\n",
      'the id without "hCoV-19/" or "SARS-CoV-2/"',
      "virus",
    ],
    "GenBank's virus, as Nextstrain names it": [
      ">SARS-CoV-2/human/USA/x/2020\nA\n>SARS-CoV-2/human/USA/y/2020\nC\n",
      "strain\nhuman/USA/x/2020\nhuman/USA/y/2020\n",
      'the id without "hCoV-19/" or "SARS-CoV-2/"',
      "strain",
    ],
    "EpiFlu's isolate": [
      ">EPI11|HA|A/Kenya/1/2020|EPI_ISL_1|A_/_H3N2\nA\n>EPI12|HA|A/Peru/1/2020|EPI_ISL_2|A_/_H3N2\nC\n",
      "Isolate_Id,Isolate_Name\nEPI_ISL_1,A/Kenya/1/2020 (H3N2)\nEPI_ISL_2,A/Peru/1/2020 (H3N2)\n",
      "the fourth piece of the header",
      "Isolate_Id",
    ],
    "BV-BRC's accession": [
      ">accn|KF1234   Zika virus isolate a   [Zika virus | 64320.1]\nA\n>accn|KF1235   Zika virus isolate b\nC\n",
      "genome_id,genbank_accessions\n64320.10,KF1234\n64320.12,KF1235\n",
      "the second piece of the header up to a blank",
      "genbank_accessions",
    ],
    "ENA's accession with its version": [
      ">ENA|LC1|LC1.1 Zika virus a\nA\n>ENA|LC2|LC2.1 Zika virus b\nC\n",
      "accession\nLC1.1\nLC2.1\n",
      "the third piece of the header up to a blank",
      "accession",
    ],
    "ENA's accession": [
      ">ENA|LC1|LC1.1 Zika virus a\nA\n>ENA|LC2|LC2.1 Zika virus b\nC\n",
      "accession\nLC1\nLC2\n",
      "the second piece of the header",
      "accession",
    ],
    "GenBank's accession without its version": [
      ">gi|11|gb|LC1.1| Zika virus a\nA\n>gi|12|gb|LC2.1| Zika virus b\nC\n",
      "accession\nLC1\nLC2\n",
      "the fourth piece of the header up to a blank without its version",
      "accession",
    ],
    "a record that is there twice": [
      GISAID + GISAID,
      "id\nEPI_ISL_2\nEPI_ISL_1\n",
      "the second piece of the header",
      "id",
    ],
    "a piece that is asked for": [GISAID, "id\nEPI_ISL_1\nEPI_ISL_2\n", "the second piece of the header", "id", {
      idPart: 2,
    }],
    "a piece that is asked for, before a description": [
      ">accn|KF1234 Zika virus a\nA\n>accn|KF1235 Zika virus b\nC\n",
      "id\nKF1234\nKF1235\n",
      "the second piece of the header up to a blank",
      "id",
      { idPart: 2 },
    ],
    "a piece without its version": [
      ">gb|NC_045512.2|x\nA\n>gb|MT020781.1|y\nC\n",
      "id\nNC_045512\nMT020781\n",
      "the second piece of the header without its version",
      "id",
      { idPart: 2, idWithoutVersion: true },
    ],
  };
  for (const [what, [fasta, table, by, column, options]] of Object.entries(cases)) {
    await t.step(what, async () => {
      const { packed, records } = await pack(fasta, table, options);
      assertEquals([packed.joinedBy, packed.idColumn, records.length], [by, column, 2]);
      assertStringIncludes(packed.ledger.warnings[0], `sequences and rows joined by ${by}: "`);
      assertEquals(packed.provenance.request, {
        ...packed.provenance.request as Record<string, unknown>,
        joinedBy: by,
      });
    });
  }
});

Deno.test("packArchives() keeps to the id as it stands where no other form joins more", async (t) => {
  const cases: Record<string, [fasta: string, table: string, joined: number]> = {
    "the same number": [">a|b\nA\n>c|d\nC\n", "id,part\na|b,a\nc|d,c\n", 2],
    "a piece that several records share": [
      ">a Peru|Peru\nA\n>b Cuba|Peru\nC\n>c\nG\n",
      "id,country\nc,Peru\nd,Cuba\n",
      1,
    ],
    "a piece that several rows share": [">x|1\nA\n>y|2\nC\n>c\nG\n", "id,group\nc,1\nd,1\ne,2\n", 1],
    "a piece that is a date": [
      ">x|2020-01-01\nA\n>c\nC\n>y|2020-01-02\nG\n",
      "id,date\nc,2020-01-01\nd,2020-01-02\n",
      1,
    ],
    "a version that tells two records apart": [
      ">A.1\nA\n>A.2\nC\n>B.1\nG\n",
      "id,x\nA.1,1\nA,2\nB,3\n",
      1,
    ],
  };
  for (const [what, [fasta, table, joined]] of Object.entries(cases)) {
    await t.step(what, async () => {
      const { packed } = await pack(fasta, table);
      assertEquals([packed.joinedBy, packed.idColumn, packed.ledger.received], ["the id", "id", joined]);
      assertEquals(packed.ledger.warnings.filter((warning) => warning.includes("joined by")), []);
    });
  }
});

Deno.test("packArchives() refuses ids that differ only in how they are written, and says what differs", async (t) => {
  const cases: Record<string, [fasta: string, table: string, says: string]> = {
    "case": [
      ">abc\nA\n",
      "id\nABC\n",
      '("abc" in the FASTA, "ABC" in id: "A" in the table where the FASTA has "a"); make them equal',
    ],
    "a blank": [
      ">A 1\nA\n",
      "x,id\n1,A1\n",
      '("A 1" in the FASTA, "A1" in id: a space in the FASTA that the table lacks); make them equal',
    ],
    "case of a piece": [
      ">abc|2020\nA\n",
      "id\nAbc\n",
      '("abc" in the FASTA, "Abc" in id: "A" in the table where the FASTA has "a"); make them equal',
    ],
    "a no-break space": [
      ">A/Hong Kong/1|x\nA\n",
      "id\nA/Hong\u00a0Kong/1\n",
      ": a no-break space (U+00A0) in the table where the FASTA has a space)",
    ],
    "the ids, not the subtype that all share": [
      ">EPI11|HA|EPI_ISL_1|A_/_H3N2\nA\n>EPI12|HA|EPI_ISL_2|A_/_H3N2\nC\n",
      "Subtype,id\nA / H3N2,epi_isl_1\nA / H3N2,epi_isl_2\n",
      '("EPI_ISL_1" in the FASTA, "epi_isl_1" in id: "e" in the table where the FASTA has "E")',
    ],
    "a no-break space behind": [
      ">a1\nA\n",
      "id\na1\u00a0\n",
      ": a no-break space (U+00A0) in the table that the FASTA lacks)",
    ],
    "two spaces": [">A  1\nA\n", "id\nA 1\n", ": a space in the FASTA that the table lacks)"],
    "an underscore": [
      ">A/New_York/1\nA\n",
      "id\nA/New York/1\n",
      ": a space in the table where the FASTA has an underscore)",
    ],
    "a character that is not seen": [
      ">a1\nA\n",
      "id\na\u200b1\n",
      ": a zero-width space (U+200B) in the table that the FASTA lacks)",
    ],
    "one that few know": [">a1\nA\n", "id\na\u200e1\n", ": the character U+200E in the table that the FASTA lacks)"],
    "a letter of one character": [
      ">Re\u0301union/1\nA\n",
      "id\nR\u00e9union/1\n",
      ': "\u00e9" is one character (U+00E9) in the table, several (U+0065 U+0301) in the FASTA)',
    ],
    "a letter of two": [
      ">R\u00e9union/1\nA\n",
      "id\nRe\u0301union/1\n",
      ': "\u00e9" is one character (U+00E9) in the FASTA, several (U+0065 U+0301) in the table)',
    ],
    "an apostrophe": [
      ">Cote_d'Ivoire/1\nA\n",
      "id\nCote_d\u2019Ivoire/1\n",
      ': "\u2019" (U+2019) in the table where the FASTA has "\'")',
    ],
    "a dash": [">a-1\nA\n", "id\na\u20131\n", ': "\u2013" (U+2013) in the table where the FASTA has "-")'],
  };
  for (const [what, [fasta, table, says]] of Object.entries(cases)) {
    await t.step(what, async () => {
      await using folder = await makeFolder();
      const options = { fasta: bytes(fasta), metadata: bytes(table), folder: `${folder.path}/set` };
      await assertRejects(() => packArchives(options), RegistryError, says);
      assertEquals(await namesIn(folder.path), []);
    });
  }
  await t.step("some of them are left out with the same advice", async () => {
    const { packed } = await pack(">a\nA\n>b\nC\n", "id\na\n B\n");
    assertStringIncludes(
      packed.ledger.reasons[1],
      'do not join, make them equal: "b" and " B" (a space in the table that the FASTA lacks)',
    );
  });
  await t.step("several sequences of one row are said to be these", async () => {
    await using folder = await makeFolder();
    const options = {
      fasta: bytes(">EPI11|HA|EPI_ISL_1\nA\n>EPI12|PB2|EPI_ISL_1\nC\n"),
      metadata: bytes("Isolate_Id\nEPI_ISL_1\n"),
      folder: `${folder.path}/set`,
    };
    await assertRejects(
      () => packArchives(options),
      RegistryError,
      'several sequences or rows have the same id ("EPI_ISL_1" in Isolate_Id, read as the third piece of the header)',
    );
  });
  await t.step("a piece that no header has", async () => {
    await using folder = await makeFolder();
    const options = {
      fasta: bytes(GISAID),
      metadata: bytes("id\nEPI_ISL_1\n"),
      folder: `${folder.path}/set`,
      idPart: 9,
    };
    await assertRejects(() => packArchives(options), RegistryError, "read as piece 9 of the header, is in any column");
  });
});
