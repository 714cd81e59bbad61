import { assertEquals, assertStringIncludes } from "@std/assert";
import { runInProcess } from "../../../_program.ts";

Deno.test("fasta composition writes the odds ratios of each record, and the strands that they are of", async () => {
  const stdin = ";fields=registry_accession|Molecule Type\n>a|ssRNA\nAACGT\n>b|dsDNA\nAACGT\n>c|\nAA\n";
  const { code, stdout } = await runInProcess(["fasta", "composition", "-"], { stdin });
  const [header, a, b, c] = stdout.split("\n").map((line) => line.split("\t"));
  const of = (row: string[], pair: string) => row[header.indexOf(pair)];
  assertEquals([code, header.length], [0, 19]);
  assertEquals([a, b, c].map((row) => row.slice(0, 3)), [["a", "5", "1"], ["b", "5", "2"], ["c", "2", "1"]]);
  assertEquals([of(a, "AA"), of(a, "TT")], ["1.562500", "0.000000"]);
  assertEquals([of(b, "AA"), of(b, "TT")], ["1.388889", "1.388889"]);
  assertEquals([of(c, "AA"), of(c, "AC")], ["1.000000", ""]);
});

Deno.test("fasta composition refuses strands that it does not know", async () => {
  const { code, stderr } = await runInProcess(["fasta", "composition", "-", "--strands", "two"], { stdin: "" });
  assertEquals(code, 2);
  assertStringIncludes(stderr, "--strands");
});
