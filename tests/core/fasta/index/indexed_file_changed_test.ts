/** Files that changed behind the back of their index: of the same size, and not younger than it. */
import { assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { openFasta } from "../../../../src/core/fasta/index/open_fasta.ts";
import { readFasta } from "../../../../src/core/fasta/records/read_fasta.ts";
import { FastaError } from "../../../../src/core/fasta/text/fasta_error.ts";
import { inFolder } from "../../../_files.ts";

/** Writes a file, has it indexed, and puts other content in its place that looks older. */
async function changeBehind(path: string, before: string, after: string): Promise<void> {
  await Deno.writeTextFile(path, before);
  (await openFasta(path)).close();
  await Deno.writeTextFile(path, after);
  await Deno.utime(path, 1000, 1000);
}

Deno.test("what an index says of the lines of a region is checked where it is read", async (t) => {
  const cases: Readonly<Record<string, [before: string, after: string, region: [number, number]]>> = {
    "a shorter line before": [">a\nACGT\nACGT\nAC\n", ">a\nACG\nTACGT\nAC\n", [4, 6]],
    "two lines in place of one": [">a\nACGTA\nCGTAC\nGT\n", ">a\nAC\nGT\nCGTAC\nGT\n", [5, 8]],
    "a longer line at the end of the region": [">a\nACGT\nAC\n", ">a\nACGTAC\n\n", [2, 4]],
    "a shorter line that holds the region": [">a\nACGT\nACGT\n", ">a\nACGT\nAC\nT\n", [4, 6]],
    "a header in the middle of the region": [">a\nACGTACGT\nAC\n", ">a\nACG\n>b\nT\nAC\n", [0, 8]],
    "a comment before the region": [">a\nACGT\nACGT\n", ">a\n;CGT\nACGT\n", [4, 8]],
  };
  for (const [what, [before, after, [start, end]]] of Object.entries(cases)) {
    await t.step(what, async () => {
      await inFolder(async (folder) => {
        const path = `${folder}/a.fasta`;
        assertEquals(before.length, after.length);
        await changeBehind(path, before, after);
        await using fasta = await openFasta(path);
        if (fasta.index !== "read") return assertEquals(fasta.index, "renewed");
        await assertRejects(() => fasta.get("a", start, end), FastaError, `remove ${path}.fai and try again`);
      });
    });
  }
});

Deno.test("a region of a long record is checked from its own lines on", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/a.fasta`;
    const line = "ACGTACGTACGTACGTACGTACGTACGTACG\n";
    const lines = `>a\n${line.repeat(20_000)}`;
    const at = 3 + 15_000 * line.length;
    const changed = `${lines.slice(0, at - 1)}T${lines.slice(at, at + 9)}\n${lines.slice(at + 10)}`;
    await changeBehind(path, lines, changed);
    await using fasta = await openFasta(path);
    assertEquals(await fasta.get("a", 10_000 * 31, 10_000 * 31 + 4), "ACGT");
    for (const start of [14_999 * 31 + 3, 15_000 * 31, 15_000 * 31 + 12]) {
      await assertRejects(() => fasta.get("a", start, start + 4), FastaError, "the index does not fit the file");
    }
  });
});

const bases = fc.string({ unit: fc.constantFrom("A", "C", "G", "T"), minLength: 1, maxLength: 24 });
const records = fc.tuple(fc.integer({ min: 2, max: 7 }), fc.array(bases, { minLength: 1, maxLength: 4 }));
const changes = fc.array(
  fc.tuple(fc.nat(200), fc.nat(200), fc.constantFrom("A", "C", "G", "T", "\n", ">", ";", "N")),
  { minLength: 1, maxLength: 3 },
);

/** Moves bytes of a text about, so that its length stays. */
function change(text: string, moves: readonly (readonly [number, number, string])[]): string {
  const all = [...text];
  for (const [from, to, other] of moves) {
    all.splice(from % all.length, 1);
    all.splice(to % (all.length + 1), 0, other);
  }
  return all.join("");
}

Deno.test("an index beside changed data gives the bases that are there, or an error", async () => {
  await inFolder(async (folder) => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(records, changes, fc.nat(30), fc.nat(30), async ([width, all], moves, first, count) => {
        const path = `${folder}/a.fasta`;
        const lines = new RegExp(`.{1,${width}}`, "g");
        const before = all.map((text, at) => `>${"abcd"[at]} x\n${text.match(lines)!.join("\n")}\n`).join("");
        const after = change(before, moves);
        // A blank after the greater-than sign: samtools skips it, a reader of records takes the id for empty.
        if (/^> /m.test(after)) return;
        await Deno.remove(`${path}.fai`).catch(() => {});
        await changeBehind(path, before, after);
        const truth = new Map<string, { sequence: string; header: string }>();
        try {
          for await (const { id, sequence, header } of readFasta(path)) {
            if (!truth.has(id)) truth.set(id, { sequence, header });
          }
        } catch (error) {
          if (error instanceof FastaError) return;
          throw error;
        }
        await using fasta = await openFasta(path, { index: "memory" }).catch((error) => {
          if (error instanceof FastaError) return { [Symbol.asyncDispose]: () => Promise.resolve() };
          throw error;
        });
        if (!("has" in fasta)) return;
        for (const id of ["a", "b", "c", "d"].filter((id) => fasta.has(id))) {
          const length = fasta.length(id)!;
          const start = first % length;
          const end = Math.min(length, start + 1 + count);
          const got = await fasta.get(id, start, end).catch((error) => error);
          if (!(got instanceof FastaError)) assertEquals(got, truth.get(id)?.sequence.slice(start, end));
          const record = await fasta.record(id).catch((error) => error);
          if (record instanceof FastaError) continue;
          const text = new TextDecoder().decode(record.lines).replace(/\s/g, "");
          assertEquals([record.header, text], [truth.get(id)?.header, truth.get(id)?.sequence]);
          compared += 1;
        }
      }),
      { numRuns: 120 },
    );
    assertEquals(compared > 5, true);
  });
});
