import { assertEquals, assertStringIncludes } from "@std/assert";
import { runInProcess } from "../../../_program.ts";

const GENOME = ">a\nGATTACAGATTACACCGTAGGCATTACGGATTACAGATTACACCGTAGGCATTACG\n";

Deno.test("alike sketch prints the path of the signatures", async () => {
  const folder = await Deno.makeTempDir();
  const args = ["alike", "sketch", "-", "--exchange", "--k", "21", "--scaled", "1", "-o", `${folder}/s`];
  const { code, stdout, stderr } = await runInProcess(args, { stdin: GENOME });
  assertEquals([code, stdout], [0, `${folder}/s/signatures.sig.gz\n`]);
  const usual = [...args.filter((arg) => arg !== "--exchange").slice(0, -1), `${folder}/t`];
  assertEquals((await runInProcess(usual, { stdin: GENOME })).stdout, `${folder}/t/signatures.sig.gz\n`);
  assertStringIncludes(stderr, "alike sketch: complete, 1 record received");
  await Deno.remove(folder, { recursive: true });
});

Deno.test("alike sketch refuses wrong usage before it reads, and proteins when it reads", async () => {
  const usage = await runInProcess(["alike", "sketch", "absent.fasta", "--exchange"]);
  assertEquals(usage.code, 2);
  assertStringIncludes(usage.stderr, "-o DIR");
  const folder = await Deno.makeTempDir();
  const protein = await runInProcess(["alike", "sketch", "-", "--exchange", "-o", `${folder}/s`], {
    stdin: ">p\nMKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQ\n",
  });
  assertEquals([protein.code, protein.stdout], [1, ""]);
  assertStringIncludes(protein.stderr, "looks like a protein");
  await Deno.remove(folder, { recursive: true });
});
