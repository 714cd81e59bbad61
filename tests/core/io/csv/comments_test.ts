/** Comments above a header that have as many cells as it, and headers that begin with `#`. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { readTable } from "../../../../src/core/tables/open/read_table.ts";
import { isCommentRow } from "../../../../src/core/io/csv/comments.ts";

const read = (text: string, name = "m.csv") => readTable(new TextEncoder().encode(text), { name });

Deno.test("readTable() leaves out a comment as wide as the table", async (t) => {
  const cases: Record<string, [above: string, table: string]> = {
    "an export": ["# exported by ada, 2016\n", "accession,Country\nx1,Peru\nx2,Mali\n"],
    "an export above a header alone": ["# exported by ada, 2016\n", "accession,Country\n"],
    "two comments": ["# exported by ada, 2016\n# checked by bo, 2017\n", "accession,Country\nx1,Peru\n"],
    "a comment of another width between": ["# ada, 2016\n# checked\n", "accession,Country\nx1,Peru\n"],
    "a comment above a header with a hash": ["# ada, 2016\n", "#accession,Country\nx1,Peru\nx2,Mali\n"],
    "GISAID's words": [
      "## downloaded from EpiCoV\t2021-03-01\n",
      "Virus name\tCollection date\nhCoV-19/a\t2021-01-05\n",
    ],
    "NCBI Virus": ["# NCBI Virus\ttaxid 64320\tcomplete\n", "Accession\tGeo_Location\tHost\nKX1\tPeru\tHomo sapiens\n"],
    "Nextstrain": ["#nextstrain/zika\tmain\n", "strain\tdate\nPF13\t2013-12-XX\n"],
    "semicolons": ["# Labor 3; Charge 7\n", "strain;length\nA;10794\n"],
    "own names above numbers": ["# run 12, plate 3 of ada\n", "well,ct\nA1,23.1\nA2,30\n"],
    "a pair": ["# instrument: QuantStudio,ada\n", "well,ct\nA1,23.1\nA2,30\n"],
    "commas at its end": ["# exported by ada,,\n", "well,ct,plate\nA1,23.1,x\nA2,30,y\n"],
  };
  for (const [what, [above, table]] of Object.entries(cases)) {
    await t.step(what, async () => {
      const [all, below] = [await read(above + table), await read(table)];
      assertEquals([all.columns, all.rows, all.types], [below.columns, below.rows, below.types]);
      assertEquals(
        all.entries.map(({ code }) => code).filter((code) => code !== "separator-unusual"),
        ["titles-skipped", ...below.entries.map(({ code }) => code).filter((code) => code !== "separator-unusual")],
      );
    });
  }
});

Deno.test("readTable() keeps a header that begins with a hash", async (t) => {
  const cases: Record<string, [above: string, header: string, rows: string]> = {
    "GenBank": ["", "#accession,Country", "x1,Peru\nx2,Mali\n"],
    "assembly_summary.txt": [
      "##  See ftp://ftp.ncbi.nlm.nih.gov/genomes/README_assembly_summary.txt for a description of the columns\n",
      "#assembly_accession\tbioproject\tbiosample\ttaxid\torganism_name\tseq_rel_date",
      "GCF_000001.1\tPRJNA1\tSAMN1\t9606\tHomo sapiens\t2013/01/05\n",
    ],
    "the report of an assembly": [
      "# Assembly name:  GRCh38.p14\n#\n# Organism name:  Homo sapiens (human)\n",
      "# Sequence-Name\tSequence-Role\tAssigned-Molecule\tGenBank-Accn\tSequence-Length",
      "1\tassembled-molecule\t1\tCM000663.2\t248956422\n",
    ],
    "a report with many comments": [
      "# Assembly name:  ViralMultiSegProj15521\n".repeat(33),
      "# Sequence-Name\tSequence-Role\tGenBank-Accn\tSequence-Length",
      "Segment 1\tassembled-molecule\tCY121687.1\t2341\nSegment 2\tassembled-molecule\tCY121686.1\t2341\n",
    ],
    "VCF with many comments": [
      "##fileformat=VCFv4.2\n" + '##INFO=<ID=DP,Number=1,Type=Integer,Description="Depth, raw">\n'.repeat(25),
      "#CHROM\tPOS\tID\tREF\tALT",
      "NC_1\t10\t.\tA\tC\n",
    ],
    "prok_representative_genomes.txt": [
      "",
      "#Species/genus\tTaxID\tSize (Mb)\tGC%",
      "Acinetobacter\t470\t3.9\t39\nEscherichia\t562\t4.6\t50\n",
    ],
    "BED": ["", "#chrom\tstart\tend\tname", "chr1\t10\t20\tx\nchr2\t30\t40\ty\n"],
    "BLAST": ["", "#qseqid\tsseqid\tpident\tlength", "a\tb\t99.1\t300\n"],
    "an OTU table": ["# Constructed from biom file\n", "#OTU ID\tS1\tS2", "otu1\t0.0\t3.0\notu2\t1.0\t2.0\n"],
    "a blank after the hash": ["", "# Sample\tgroup", "A\tcase\nB\tcontrol\n"],
    "MLST": ["", "#isolate\tadk\tfumC", "A\t10\t11\nB\tNovel\t4\n"],
    "values of an instrument that are words at first": ["", "#Sample,Ct", "A,Undetermined\nB,12.1\n"],
    "a list of fields": ["", "#field,description", "Country,where it was taken\nHost,of whom\n"],
    "a row of units": ["", "#sample,length", "text,bp\nA,10794\n"],
    "VCF": ["##fileformat=VCFv4.2\n", "#CHROM\tPOS\tID\tREF\tALT", "NC_1\t10\t.\tA\tC\n"],
    "blanks after the commas of all rows": ["", "#id, group", "A, case\nB, control\n"],
  };
  for (const [what, [above, header, rows]] of Object.entries(cases)) {
    await t.step(what, async () => {
      const { columns, entries, rows: { length } } = await read(above + header + "\n" + rows, "m");
      assertEquals([columns, length], [header.split(/[,\t]/), rows.trimEnd().split("\n").length]);
      assertEquals(entries.map(({ code }) => code).filter((code) => code.startsWith("header")), []);
    });
  }
});

Deno.test("readTable() notes a first row that may be a comment", async () => {
  const { columns, entries } = await read("# exported by ada, 2016\nsample,owner\nA,bo\nB,cy\n");
  assertEquals(columns, ["# exported by ada", " 2016"]);
  assertEquals(entries.map(({ code }) => code), ["header-doubtful"]);
  assertStringIncludes(entries[0].text, '"# exported by ada" first, reads like a comment');
});

Deno.test("isCommentRow() asks a row that begins with a hash alone", () => {
  assertEquals(isCommentRow([["made", "2016"], ["accession", "Country"]], 0), false);
  assertEquals(isCommentRow([["#made", "2016"], ["accession", "Country"]], 0), true);
});
