/** Options that could have no effect are refused or named, and lists of ids are read in one way. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { inFolder } from "../_files.ts";
import { runInFolder } from "../_program.ts";

const LIST = "\ufeff# chosen\r\nAccession\r\n\r\n#b\r\n";

Deno.test("lists of ids are read in one way: comments, empty lines, a header, a byte order mark", async () => {
  await inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/g.fasta`, ">a\nAC\n>b\nGT\n");
    await Deno.writeTextFile(`${folder}/ids.txt`, `${LIST}b\r\n`);
    const got = await runInFolder(folder, ["fasta", "get", "./g.fasta", "--no-index", "--ids", "./ids.txt"]);
    assertEquals([got.code, got.stdout], [0, ">b\nGT\n"], got.stderr);
    assertStringIncludes(got.stderr, '--ids ids.txt: line 2, "Accession", is skipped as a header');
    await Deno.writeTextFile(`${folder}/odd.txt`, `${LIST}vj000000000001\tx\r\nodd\r\n`);
    const download = ["download", "--information", "metadata", "--type", "csv"];
    for (const command of [["sequence"], download]) {
      const { code, stderr } = await runInFolder(folder, [...command, "--ids", "./odd.txt"]);
      assertEquals(code, 2);
      assertStringIncludes(stderr, '"odd" (');
      assertStringIncludes(stderr, "odd.txt, line 6)");
    }
  });
});

Deno.test("an option that can have no effect is wrong usage", async (t) => {
  await inFolder(async (folder) => {
    await Deno.mkdir(`${folder}/lake`);
    await Deno.writeTextFile(`${folder}/m.jsonl`, '{"accession":"a"}\n');
    await Deno.writeTextFile(`${folder}/m.csv`, "accession\na\n");
    const download = ["download", "*", "--information", "registry_accessions", "--type", "tsv"];
    const cases: readonly [args: readonly string[], says: string][] = [
      [[...download, "--metadata", "Country"], "lists of accessions have no other fields"],
      [["sql", "./lake", "SELECT 1", "--sheet", "1"], "Cannot use --sheet with"],
      [["chart", "worldMap", "./lake", "--encoding", "latin1"], "Cannot use --encoding with"],
      [["lake", "./lake", "--encoding", "latin1", "-o", "./out"], "Cannot use --encoding with"],
      [["sql", "./m.jsonl", "SELECT 1", "--encoding", "latin1"], "JSON is always UTF-8"],
      [["sql", "./m.csv", "SELECT 1", "--sheet", "1"], "the table is not a workbook"],
      [["isolates", "./m.csv", "--field", "host=a", "--field", "host=b"], 'Cannot take the field for "host" twice'],
      [["doctor", "--header", "A: b"], "Option --header needs --registry"],
      [["doctor", "--naming", "{}"], "Option --naming needs --registry"],
      [["lake", "./m.csv", "-o", "./out", "--lock", "./seqreg.lock"], "Option --lock needs --registry"],
      [
        ["lake", "./m.csv", "-o", "./out", "--definitions", "./d.json", "--registry", "zika"],
        "Options --definitions and --registry cannot be combined",
      ],
      [
        ["alike", "context", "./m.csv", "--index", "./i", "--from", "./lake", "--lock", "./seqreg.lock", "-o", "./out"],
        "Option --lock needs --registry",
      ],
      [["lock", "verify", "--registry", "zika"], "Option --registry needs --live"],
      [["dataset", "--list", "-o", "./out"], "Options --list and --output cannot be combined"],
      ...["--host=0.0.0.0", "--port=1", "--allow-host=a", "--cors=*", "--log=-", "--watch=1", "--copies", "--memory=2"]
        .map((option): [string[], string] => [
          ["serve", "./lake", "--openapi", "-", option],
          `Options --openapi and ${option.split("=")[0]} cannot be combined`,
        ]),
      ...["curate", "isolates", "subsample"].map((command): [string[], string] => [
        [
          command,
          "./m.csv",
          "--field",
          "hosts=accession",
          ...command === "isolates" ? [] : ["-o", "./out"],
          ...command === "subsample" ? ["--by", "accession", "--total", "1"] : [],
        ],
        'did you mean "host"?',
      ]),
    ];
    for (const [args, says] of cases) {
      await t.step(args.join(" "), async () => {
        const { code, stderr } = await runInFolder(folder, args);
        assertEquals(code, 2, stderr);
        assertStringIncludes(stderr, says);
      });
    }
  });
});
