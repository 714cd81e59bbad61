import { assertEquals, assertStringIncludes } from "@std/assert";
import { gzipSync } from "node:zlib";
import { runCli } from "../../../_cli.ts";
import { runInFolder, runInProcess } from "../../../_program.ts";
import { inFolder } from "../../../_files.ts";

const HEADER = "file\trecords\tmin\tmean\tmax\tsum\tn50\tgc\tambiguous\n";
const REGISTRY = ";fields=registry_accession|Country\n>vj000000000001|Chile\nACGT\nN\n>vj000000000002|\nggg\n";

async function withFiles(files: Record<string, string | Uint8Array>, work: (folder: string) => Promise<void>) {
  await inFolder(async (folder) => {
    for (const [name, content] of Object.entries(files)) {
      await Deno.writeFile(
        `${folder}/${name}`,
        typeof content === "string" ? new TextEncoder().encode(content) : content,
      );
    }
    await work(folder);
  });
}

Deno.test("fasta stats writes one row a file, gzip by its bytes, - for standard input", async () => {
  await withFiles({ "a.fasta": REGISTRY, "b.txt": new Uint8Array(gzipSync(">x y\nNN\n")) }, async (cwd) => {
    const { code, stdout, stderr } = await runCli(["fasta", "stats", "a.fasta", "b.txt", "-"], {
      cwd,
      stdin: ">q\nGC\n",
    });
    assertEquals(
      stdout,
      HEADER +
        "a.fasta\t2\t3\t4.00\t5\t8\t5\t0.714286\t1\n" +
        "b.txt\t1\t2\t2.00\t2\t2\t2\t\t2\n" +
        "-\t1\t2\t2.00\t2\t2\t2\t1.000000\t0\n",
    );
    assertEquals(code, 0);
    assertStringIncludes(stderr, "complete, 4 records received");
  });
});

Deno.test("fasta stats says what is odd and stays complete", async () => {
  const { code, stderr } = await runInProcess(["fasta", "stats", "-", "--quiet"], { stdin: ">a\nA1\n>a\nC\n>b\n" });
  assertEquals(code, 0);
  for (
    const words of ["1 record with an id that came before: a (line 3)", "an unexpected character", "without a sequence"]
  ) {
    assertStringIncludes(stderr, words);
  }
});

Deno.test("fasta stats is incomplete when a record cannot be read", async () => {
  const { code, stdout, stderr } = await runInProcess(["fasta", "stats", "-"], {
    stdin: REGISTRY + ">vj000000000003|a|b\nA\n",
  });
  assertEquals(code, 4);
  assertStringIncludes(stdout, "-\t2\t");
  assertStringIncludes(stderr, "vj000000000003 (line 7)");
});

Deno.test("fasta stats of a file without records is a header and a note", async () => {
  const { code, stdout, stderr } = await runInProcess(["fasta", "stats", "-"], { stdin: "" });
  assertEquals([code, stdout], [0, HEADER]);
  assertStringIncludes(stderr, "standard input has no records");
});

Deno.test("fasta stats ends with one line and code 1 when it fails", async (t) => {
  await withFiles({
    "page.fasta": "<!doctype html><title>404",
    "text.fasta": "\nwords\n>a\nA\n",
    "cut.fasta": new Uint8Array(gzipSync(">a\n" + "ACGT".repeat(99))).subarray(0, 20),
  }, async (cwd) => {
    const failures: Record<string, string> = {
      "page.fasta": "an HTML page",
      "text.fasta": "line 2",
      "cut.fasta": "Cannot decompress",
      "absent.fasta": "does not exist",
      ".": "it is a folder",
    };
    for (const [file, says] of Object.entries(failures)) {
      await t.step(file, async () => {
        const { code, stderr } = await runInFolder(cwd, ["fasta", "stats", `./${file}`, "-o", "./out.tsv"]);
        assertEquals(code, 1);
        assertStringIncludes(stderr, says);
        assertEquals(stderr.trimEnd().split("\n").length, 1);
      });
    }
    assertEquals([...Deno.readDirSync(cwd)].filter(({ name }) => name.includes("out.tsv")), []);
  });
});

Deno.test("fasta stats refuses wrong usage with code 2", async (t) => {
  for (const args of [["fasta", "stats"], ["fasta", "stats", "-", "-"], ["fasta", "stats", "a", "--wrong"]]) {
    await t.step(args.join(" "), async () => assertEquals((await runInProcess(args)).code, 2));
  }
});

Deno.test("fasta stats writes its ledger and its result to files", async () => {
  await withFiles({ "a.fasta": REGISTRY }, async (cwd) => {
    const { code, stdout } = await runInFolder(cwd, [
      "fasta",
      "stats",
      "./a.fasta",
      "--ledger",
      "./l.json",
      "-o",
      "./o.tsv",
    ]);
    assertEquals([code, stdout], [0, ""]);
    assertStringIncludes(await Deno.readTextFile(`${cwd}/o.tsv`), HEADER);
    const { operation, received, unique, complete, bytes, sha256 } = JSON.parse(
      await Deno.readTextFile(`${cwd}/l.json`),
    );
    assertEquals({ operation, received, unique, complete, bytes }, {
      operation: "fasta stats",
      received: 2,
      unique: 2,
      complete: true,
      bytes: REGISTRY.length,
    });
    assertEquals(sha256.length, 64);
  });
});
