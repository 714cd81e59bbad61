import { assertEquals, assertStringIncludes } from "@std/assert";
import { gunzipSync } from "node:zlib";
import { runCli } from "../../../_cli.ts";
import { runInProcess } from "../../../_program.ts";

const REGISTRY = ";fields=registry_accession|Country\n>vj000000000001|Chile\nACGT\nN\n>vj000000000002|\nggg\n";

Deno.test("fasta plain writes what every tool reads", async (t) => {
  const files: Record<string, [stdin: string, args: string[], stdout: string]> = {
    "the first field alone": [REGISTRY, [], ">vj000000000001\nACGTN\n>vj000000000002\nggg\n"],
    "a template, wrapped": [
      REGISTRY,
      ["--header", "{registry_accession}|{Country}", "--wrap", "2"],
      ">vj000000000001|Chile\nAC\nGT\nN\n>vj000000000002|\ngg\ng\n",
    ],
    "one line a sequence": [">a b\n" + "A".repeat(100), ["--wrap", "0"], ">a\n" + "A".repeat(100) + "\n"],
    "nothing": [";fields=acc\n", [], ""],
  };
  for (const [name, [stdin, args, stdout]] of Object.entries(files)) {
    await t.step(name, async () => {
      const run = await runInProcess(["fasta", "plain", "-", ...args], { stdin });
      assertEquals([run.code, run.stdout], [0, stdout]);
    });
  }
});

Deno.test("fasta plain refuses wrong usage with code 2", async (t) => {
  const refusals: Record<string, [args: string[], says: string]> = {
    "unknown field": [["--header", "{Contry}"], "did you mean {Country}?"],
    "brace without partner": [["--header", "{Country"], "has no partner"],
    "wrap of no number": [["--wrap", "wide"], "expected a whole number"],
  };
  for (const [name, [args, says]] of Object.entries(refusals)) {
    await t.step(name, async () => {
      const { code, stdout, stderr } = await runInProcess(["fasta", "plain", "-", ...args], { stdin: REGISTRY });
      assertEquals([code, stdout], [2, ""]);
      assertStringIncludes(stderr, says);
    });
  }
});

Deno.test("fasta plain leaves out the bad record, names it, and ends with code 4", async () => {
  const { code, stdout, stderr } = await runInProcess(["fasta", "plain", "-"], {
    stdin: REGISTRY + ">vj000000000003\nA\n",
  });
  assertEquals([code, stdout.includes("vj000000000003")], [4, false]);
  assertStringIncludes(stderr, "vj000000000003 (line 7)");
});

Deno.test("fasta plain compresses into a file whose name ends in .gz", async () => {
  const cwd = await Deno.makeTempDir();
  const { code, stdout } = await runCli(["fasta", "plain", "-", "-o", "genomes.fasta.gz"], { cwd, stdin: REGISTRY });
  assertEquals([code, stdout], [0, ""]);
  const text = new TextDecoder().decode(gunzipSync(await Deno.readFile(`${cwd}/genomes.fasta.gz`)));
  assertEquals(text, ">vj000000000001\nACGTN\n>vj000000000002\nggg\n");
  await Deno.remove(cwd, { recursive: true });
});
