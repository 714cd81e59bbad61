import { assertEquals, assertStringIncludes } from "@std/assert";
import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { makeSample } from "../../src/embedded/sample/mod.ts";
import { runInProcess } from "../_program.ts";
import { inFolder } from "../_files.ts";
import { skippableFrame, zstdFrame } from "../core/io/_zstd_frames.ts";
import { concat } from "../core/io/_damaged_gzip.ts";

const FASTA = ">a one\nACGTN\nAC\n>b\nGG\n";
const TABLE = "strain\tdate\na\t2016-01-02\nb\t2016\n";

/** Frames as pzstd writes them: two of them, each after a skippable one. */
function zstd(text: string): Uint8Array {
  const skipped = skippableFrame(new Uint8Array(4));
  return concat(skipped, zstdFrame(text.slice(0, 9)), skipped, zstdFrame(text.slice(9)));
}

Deno.test("fasta commands read Zstandard as they read the plain file, whatever it is called", async (t) => {
  await inFolder(async (folder) => {
    // The bytes decide, not the name.
    const files = [`${folder}/s.fasta.zst`, `${folder}/s.fasta`];
    for (const file of files) await Deno.writeFile(file, zstd(FASTA));
    await Deno.writeTextFile(`${folder}/plain.fasta`, FASTA);
    for (const command of ["stats", "table", "plain", "digest"]) {
      await t.step(command, async () => {
        const plain = await runInProcess(["fasta", command, `${folder}/plain.fasta`]);
        for (const file of files) {
          const { code, stdout, stderr } = await runInProcess(["fasta", command, file]);
          assertEquals([code, stdout.replaceAll(file, "FILE")], [
            0,
            plain.stdout.replaceAll(`${folder}/plain.fasta`, "FILE"),
          ], stderr);
        }
        const piped = await runInProcess(["fasta", command, "-"], { stdin: zstd(FASTA) });
        assertEquals([piped.code, piped.stdout.replace(/^-|standard input/gm, "FILE")], [
          0,
          plain.stdout.replaceAll(`${folder}/plain.fasta`, "FILE"),
        ]);
      });
    }
  });
});

Deno.test("an index of Zstandard is refused with what to do", async () => {
  await inFolder(async (folder) => {
    await Deno.writeFile(`${folder}/s.fasta.zst`, zstdFrame(FASTA));
    for (const args of [["index"], ["get", "a"]]) {
      const [command, ...ids] = args;
      const { code, stderr } = await runInProcess(["fasta", command, `${folder}/s.fasta.zst`, ...ids]);
      assertEquals(code, 1);
      assertStringIncludes(stderr, "it is Zstandard, which can only be read from its beginning");
      assertStringIncludes(stderr, "bgzip");
    }
  });
});

Deno.test("damaged Zstandard is an error of its own, with exit code 1", async () => {
  await inFolder(async (folder) => {
    await Deno.writeFile(`${folder}/cut.zst`, zstdFrame(FASTA).slice(0, -2));
    const { code, stderr } = await runInProcess(["fasta", "stats", `${folder}/cut.zst`]);
    assertEquals(code, 1);
    assertStringIncludes(stderr, "in the middle of a Zstandard frame; fetch it again");
  });
});

Deno.test("pack reads a table and sequences in Zstandard", async () => {
  await inFolder(async (folder) => {
    await Deno.writeFile(`${folder}/sequences.fasta.zst`, zstd(FASTA));
    await Deno.writeFile(`${folder}/metadata.tsv.zst`, zstd(TABLE));
    const input = ["--fasta", `${folder}/sequences.fasta.zst`, "--metadata", `${folder}/metadata.tsv.zst`];
    const { code, stdout, stderr } = await runInProcess(["pack", ...input, "-o", `${folder}/set`]);
    assertEquals([code, stdout.trim().split("\n").length], [0, 16], stderr);
    const archive = await Deno.readFile(`${folder}/set/registryv1_full_dataset_sequence.csv.gz`);
    const rows = new TextDecoder().decode(gunzipSync(archive)).trim().split("\n").slice(1);
    assertEquals(rows.map((row) => row.split(",")[1]), ["ACGTNAC", "GG"]);
  });
});

Deno.test("lake and verify read archives in Zstandard, by a name of their own or that of gzip", async () => {
  await inFolder(async (folder) => {
    await makeSample(`${folder}/set`, { records: 30, seed: 1 });
    const stem = "registryv1_full_dataset_metadata";
    const whole = gunzipSync(await Deno.readFile(`${folder}/set/${stem}.csv.gz`));
    const rows = async (lake: string) => {
      const { stdout, stderr } = await runInProcess(["sql", lake, "SELECT * FROM lake ORDER BY 1", "--format", "csv"]);
      assertEquals(stdout.length > 1000, true, stderr);
      return stdout;
    };
    const built = await runInProcess(["lake", `${folder}/set/${stem}.csv.gz`, "-o", `${folder}/lake`]);
    assertEquals(built.code, 0, built.stderr);
    const expected = await rows(`${folder}/lake`);
    for (const ending of [".csv.zst", ".csv.gz"]) {
      const other = `${folder}/other${ending}`;
      await Deno.mkdir(other);
      const bytes = zstdFrame(whole);
      await Deno.writeFile(`${other}/${stem}${ending}`, bytes);
      await Deno.copyFile(`${folder}/set/definitions.json`, `${other}/definitions.json`);
      const digest = createHash("sha256").update(bytes).digest("hex");
      await Deno.writeTextFile(`${other}/${stem}.sha256`, `${digest}  ${stem}${ending}\n`);
      const verified = await runInProcess(["verify", `${other}/${stem}.sha256`]);
      assertEquals([verified.code, verified.stdout], [0, `${stem}${ending}: OK\n`]);
      const again = await runInProcess(["lake", other, "-o", `${other}/lake`]);
      assertEquals(again.code, 0, again.stderr);
      assertStringIncludes(again.stdout, "full_dataset_metadata/");
      assertEquals(await rows(`${other}/lake`), expected);
    }
  });
});
