import { assertEquals, assertStringIncludes } from "@std/assert";
import { runInProcess } from "../../../_program.ts";

const REGISTRY = ";fields=registry_accession|Country\n>vj000000000001|Chi\tle\nACGT\nN\n>vj000000000002|\nn\n";
const OWN_NAMES = ";fields=acc|length|sequence\n>v|99|x\nACGT\n";
const PLAIN = ">a some words\nGGC\n>b\nA\\-\n";

Deno.test("fasta table writes one row a record", async (t) => {
  const tables: Record<string, [stdin: string, args: string[], stdout: string]> = {
    "registry": [
      REGISTRY,
      [],
      "registry_accession\tCountry\tlength\tgc\tambiguous\tsequence\n" +
      "vj000000000001\tChi\\tle\t5\t0.500000\t1\tACGTN\n" +
      "vj000000000002\t\t1\t\t1\tn\n",
    ],
    "plain": [
      PLAIN,
      [],
      "id\tdescription\tlength\tgc\tambiguous\tsequence\n" +
      "a\tsome words\t3\t1.000000\t0\tGGC\n" +
      "b\t\t3\t0.000000\t2\tA\\\\-\n",
    ],
    "without sequences": [
      PLAIN,
      ["--no-sequence"],
      "id\tdescription\tlength\tgc\tambiguous\na\tsome words\t3\t1.000000\t0\nb\t\t3\t0.000000\t2\n",
    ],
    "chosen columns": [
      REGISTRY,
      ["--columns", "length,id,Country"],
      "length\tid\tCountry\n5\tvj000000000001\tChi\\tle\n1\tvj000000000002\t\n",
    ],
    "the sequence first": [PLAIN, ["--columns", "sequence,id"], "sequence\tid\nGGC\ta\nA\\\\-\tb\n"],
    "fields that are called as computed columns are": [
      OWN_NAMES,
      [],
      "acc\tlength\tsequence\tlength (computed)\tgc\tambiguous\tsequence (computed)\nv\t99\tx\t4\t0.500000\t0\tACGT\n",
    ],
    "such columns by name": [
      OWN_NAMES,
      ["--columns", "length,sequence (computed),length (computed),sequence"],
      "length\tsequence (computed)\tlength (computed)\tsequence\n99\tACGT\t4\tx\n",
    ],
    "a field called sequence, and no letters": [
      OWN_NAMES,
      ["--columns", "sequence"],
      "sequence\nx\n",
    ],
    "nothing": ["", [], "id\tdescription\tlength\tgc\tambiguous\tsequence\n"],
    "nothing of a registry": [";fields=acc|Host\n", ["--no-sequence"], "acc\tHost\tlength\tgc\tambiguous\n"],
  };
  for (const [name, [stdin, args, stdout]] of Object.entries(tables)) {
    await t.step(name, async () => {
      const run = await runInProcess(["fasta", "table", "-", ...args], { stdin });
      assertEquals([run.code, run.stdout], [0, stdout]);
    });
  }
});

Deno.test("fasta table leaves out the bad row, names it, and ends with code 4", async () => {
  const { code, stdout, stderr } = await runInProcess(["fasta", "table", "-", "--columns", "id"], {
    stdin: REGISTRY + ">vj000000000003|a|b\nA\n",
  });
  assertEquals([code, stdout], [4, "id\nvj000000000001\nvj000000000002\n"]);
  assertStringIncludes(stderr, "vj000000000003 (line 7)");
});

Deno.test("fasta table refuses wrong usage with code 2 and leaves nothing", async (t) => {
  const folder = await Deno.makeTempDir();
  const refusals: Record<string, [args: string[], says: string]> = {
    "unknown column": [["--columns", "Contry"], "did you mean Country?"],
    "misspelt sequence": [["--columns", "sequnce"], "did you mean sequence?"],
    "both at once": [["--columns", "sequence", "--no-sequence"], "give one of them"],
  };
  await t.step("a column is listed once", async () => {
    const { stderr } = await runInProcess(["fasta", "table", "-", "--columns", "nope"], { stdin: ">a\nAC\n" });
    assertStringIncludes(stderr, "expected one of id, description, length, gc, ambiguous, sequence");
  });
  for (const [name, [args, says]] of Object.entries(refusals)) {
    await t.step(name, async () => {
      const { code, stdout, stderr } = await runInProcess(["fasta", "table", "-", "-o", `${folder}/out`, ...args], {
        stdin: REGISTRY,
      });
      assertEquals([code, stdout, [...Deno.readDirSync(folder)]], [2, "", []]);
      assertStringIncludes(stderr, says);
    });
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("fasta table states the limit of a sequence, and the option that lifts it", async () => {
  const { code, stderr } = await runInProcess(["fasta", "table", "-", "--max-record-bytes", "3"], {
    stdin: ">abc d\nACGT\n",
  });
  assertEquals(code, 1);
  assertStringIncludes(stderr, "longer than 3 bytes");
  assertStringIncludes(stderr, "--max-record-bytes");
  assertStringIncludes(stderr, 'record "abc"');
  assertEquals((await runInProcess(["fasta", "table", "-", "--max-record-bytes", "0"], { stdin: "" })).code, 2);
});
