import { assertEquals, assertStringIncludes } from "@std/assert";
import { runInFolder } from "../../../_program.ts";
import { readTsv, withTable } from "../../../curation/_tables.ts";

const ROWS = [
  ["accession", "Country", "Date"],
  ["a", "Peru", "2016-01"],
  ["b", "Peru", "2016-02"],
  ["c", "Mali", "2016-01"],
];

Deno.test("subsample writes metadata, sequences, groups and what was left out, of one draw", async () => {
  await withTable(ROWS, async (_, cwd) => {
    await Deno.writeTextFile(`${cwd}/all.fasta`, ">a one\nAC\nGT\n>b\nTT\n>x\nGG\n>c\nCC\n");
    await Deno.writeTextFile(`${cwd}/no.txt`, "# not these\nb\n");
    const run = (...args: string[]) => runInFolder(cwd, ["subsample", "./records.csv", ...args]);
    const all = await run(
      "--by",
      "country,year",
      "--per-group",
      "1",
      "--exclude",
      "./no.txt",
      "--sequences",
      "./all.fasta",
      "--fasta-header",
      "{id}|{country} {Date}",
      "-o",
      "./out",
    );
    assertEquals([all.code, all.stdout], [0, ""], all.stderr);
    assertStringIncludes(all.stderr, "subsample: 2 of 3 records drawn from 2 of 2 groups");
    assertEquals((await readTsv(`${cwd}/out/metadata.tsv`)).map(({ accession }) => accession), ["a", "c"]);
    assertEquals(await readTsv(`${cwd}/out/excluded.tsv`), [{ accession: "b", reason: "excluded", group: "" }]);
    assertEquals(await readTsv(`${cwd}/out/groups.tsv`), [
      { group: "Mali|2016", size: "1", drawn: "1", weight: "1" },
      { group: "Peru|2016", size: "1", drawn: "1", weight: "1" },
    ]);
    assertEquals(await Deno.readTextFile(`${cwd}/out/sequences.fasta`), ">a|Peru 2016-01\nACGT\n>c|Mali 2016-01\nCC\n");

    await Deno.writeTextFile(`${cwd}/weights.tsv`, "Country\tweight\nPeru\t1\ndefault\t0\n");
    await Deno.writeTextFile(`${cwd}/short.fasta`, ">a\nAC\n");
    const weighted = await run(
      "--by",
      "country",
      "--total",
      "2",
      "--weights",
      "./weights.tsv",
      "--sequences",
      "./short.fasta",
      "-o",
      "./two",
    );
    assertEquals(weighted.code, 4, weighted.stderr);
    assertStringIncludes(weighted.stderr, "1 record without a sequence in short.fasta: b");
  });
});

Deno.test("subsample names rows of --weights that cannot be read, from a file or standard input", async () => {
  await withTable(ROWS, async (_, cwd) => {
    const table = "Country,weight\nPeru,1\nMali, West,9\ndefault,1\n";
    await Deno.writeTextFile(`${cwd}/weights.csv`, table);
    const run = (file: string, out: string) =>
      runInFolder(
        cwd,
        ["subsample", "./records.csv", "--by", "country", "--total", "2", "--weights", file, "-o", out],
        { stdin: table },
      );
    for (const [file, name] of [["./weights.csv", "weights.csv"], ["-", "standard input"]]) {
      const { code, stderr } = await run(file, `./of ${name}`);
      assertEquals(code, 4, stderr);
      assertStringIncludes(stderr, `1 of 3 rows of ${name}`);
    }
  });
});

Deno.test("subsample refuses wrong usage before it reads", async () => {
  await withTable(ROWS, async (_, cwd) => {
    const codeOf = async (...args: string[]) => (await runInFolder(cwd, ["subsample", "./records.csv", ...args])).code;
    assertEquals(await codeOf("--by", "country", "--total", "2"), 2);
    assertEquals(await codeOf("--total", "2", "-o", "./out"), 2);
    assertEquals(await codeOf("--by", "country", "-o", "./out"), 2);
    assertEquals(await codeOf("--by", "country,country", "--total", "2", "-o", "./out"), 2);
    assertEquals(await codeOf("--by", "country", "--total", "2", "--per-group", "1", "-o", "./out"), 2);
    assertEquals(await codeOf("--by", "country", "--total", "0", "-o", "./out"), 2);
    assertEquals(await codeOf("--by", "nation", "--total", "2", "-o", "./out"), 2);
    assertEquals(await codeOf("--by", "country", "--total", "2", "--include", "./absent.txt", "-o", "./out"), 1);
    assertEquals(await codeOf("--by", "country", "--total", "2", "--sequences", "./absent.fasta", "-o", "./out"), 1);
    await Deno.writeTextFile(`${cwd}/list.txt`, "absent\n");
    assertEquals(await codeOf("--by", "country", "--total", "2", "--include", "./list.txt", "-o", "./out"), 4);
  });
});

Deno.test("subsample names accessions of both lists that no record has, and reads the lists as others are read", async () => {
  await withTable([["accession", "Country"], ["a", "Peru"], ["b", "Peru"]], async (_, cwd) => {
    const list = "\ufeff# chosen\r\n\r\nStrain\tnote\r\nA\tx\r\nb\r\n";
    await Deno.writeTextFile(`${cwd}/list.txt`, list);
    await Deno.writeTextFile(`${cwd}/comments.txt`, "# nothing yet\n");
    const run = (...args: string[]) =>
      runInFolder(cwd, ["subsample", "./records.csv", "--by", "country", "--total", "1", "-o", "./out", ...args]);
    for (
      const [option, expected, words] of [
        ["--include", 4, "missing: A\n"],
        ["--exclude", 0, "1 accession to be left out that no record of records has: A\n"],
      ] as const
    ) {
      const { code, stderr } = await run(option, "./list.txt");
      assertEquals(code, expected, stderr);
      assertStringIncludes(stderr, 'line 3, "Strain", is skipped as a header');
      assertStringIncludes(stderr, words);
      await Deno.remove(`${cwd}/out`, { recursive: true });
    }
    assertEquals((await run("--exclude", "./comments.txt")).code, 0);
    const { code, stderr } = await run("--field", "countri=Country");
    assertEquals(code, 2);
    assertStringIncludes(stderr, 'unknown role; did you mean "country"?');
  });
});
