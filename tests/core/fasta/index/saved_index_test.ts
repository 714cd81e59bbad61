import { assert, assertEquals } from "@std/assert";
import { buildFastaIndex, openFasta } from "../../../../src/core/fasta/mod.ts";
import { PLAIN, withFile } from "../_indexed.ts";
import { bytesOf } from "../_naive.ts";

Deno.test("openFasta() makes an index, saves it, and uses it the next time", async () => {
  await withFile(PLAIN, async (path) => {
    const uses: string[] = [];
    for (const index of ["memory", "save", "save"] as const) {
      await using fasta = await openFasta(path, { index });
      uses.push(fasta.index);
    }
    assertEquals(uses, ["made", "made", "read"]);
    assertEquals(await Deno.readTextFile(`${path}.fai`), "a\t6\t7\t4\t5\nb\t3\t19\t2\t4\nc\t4\t29\t4\t5\n");
  });
});

Deno.test("openFasta() makes an index anew that is old, or none of this file", async (t) => {
  const indexes: Record<string, string> = {
    "text": "hello\n",
    "cut short": "a\t6\t7\t4\t5",
    "behind the end": "a\t600\t7\t4\t5\n",
    "no line length": "a\t6\t7\t0\t0\n",
    "huge": "a\t999999999999999\t7\t4\t5\n",
  };
  for (const [name, text] of Object.entries(indexes)) {
    await t.step(name, () =>
      withFile(PLAIN, async (path) => {
        await Deno.writeTextFile(`${path}.fai`, text);
        await using fasta = await openFasta(path);
        assertEquals([fasta.index, await fasta.get("a")], ["renewed", "ACGTAC"]);
        assert(fasta.warnings[0].includes("is not one of this file"));
      }));
  }
});

Deno.test("openFasta() makes an index anew that was cut short", async (t) => {
  const long = PLAIN + `\n>d ${"long ".repeat(20)}\nAC\n`;
  const registry = `;by hand\n;fields=acc|Host\n>a b|x\nACGTAC\n>c|\nTTTT\n`;
  for (const [name, text] of Object.entries({ PLAIN, long, registry, "a mark": `\ufeff${PLAIN}` })) {
    const whole = new TextDecoder().decode((await buildFastaIndex(bytesOf(text))).format());
    for (let cut = 0; cut < whole.length; cut = whole.indexOf("\n", cut) + 1) {
      await t.step(`${name}, ${cut} bytes`, () =>
        withFile(text, async (path) => {
          await Deno.writeTextFile(`${path}.fai`, whole.slice(0, cut));
          await using fasta = await openFasta(path);
          assertEquals([fasta.index, await fasta.get("c")], ["renewed", "TTTT"]);
          assertEquals(fasta.warnings.length, 1);
          assert(fasta.warnings[0].includes("lacks records at the end of its file"));
          await using again = await openFasta(path);
          assertEquals([again.index, again.warnings], ["read", []]);
        }));
    }
  }
});

Deno.test("openFasta() keeps an index of a file that ends with what no index lists", async (t) => {
  const ends: Record<string, string> = {
    "blank lines": "\n".repeat(100),
    "a record without a sequence": ">e\n",
    "records without a sequence, and comments": ">e\n;ACGT\n\n>f\n \n>g",
    "an id that came before": `>b again\n${"ACGT\n".repeat(30)}`,
    "more of them than is looked at": `>b again\n${"ACGTACGT".repeat(1 << 17)}\n>e\n`,
    "another order": ">d\nAC\n",
  };
  for (const [name, end] of Object.entries(ends)) {
    await t.step(name, () =>
      withFile(`${PLAIN}\n${end}`, async (path) => {
        for (const index of ["made", "read"]) {
          await using fasta = await openFasta(path);
          assertEquals(fasta.index, index);
        }
        const lines = (await Deno.readTextFile(`${path}.fai`)).trimEnd().split("\n");
        await Deno.writeTextFile(`${path}.fai`, lines.reverse().join("\n") + "\n");
        await using fasta = await openFasta(path);
        assertEquals([fasta.index, fasta.warnings, await fasta.get("c")], ["read", [], "TTTT"]);
      }));
  }
});

Deno.test("openFasta() leaves out accessions with a tab, which no index can hold, and names them", async () => {
  await withFile(";fields=acc|b\n>a\tb|c\nAC\n>d|e\tf\nGG\n>\t|\n>\t|\nA\n", async (path) => {
    await using fasta = await openFasta(path);
    assertEquals([fasta.index, await fasta.get("d"), fasta.has("a\tb")], ["made", "GG", false]);
    assertEquals(fasta.warnings, [
      "not in the index: 1 record without a sequence: \\t",
      "not in the index: 2 records with a tab in the id: a\\tb, \\t",
    ]);
    await using again = await openFasta(path);
    assertEquals([again.index, again.warnings, await again.get("d")], ["read", [], "GG"]);
    const { tabbed, tabbedCount, count } = await buildFastaIndex(path);
    assertEquals([tabbed, tabbedCount, count], [["a\tb", "\t"], 2, 1]);
  });
});
