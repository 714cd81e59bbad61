import { assertEquals, assertStringIncludes } from "@std/assert";
import { writeStudy } from "../../../again/crate/_study.ts";
import { withFolder } from "../../../core/datasets/_archive.ts";
import { sha256 } from "../../../../src/core/io/digest/sha256.ts";
import { runInFolder, runInProcess } from "../../../_program.ts";

Deno.test("seqreg crate lists what it writes, and refuses wrong usage before it does", async () => {
  await withFolder(async (folder) => {
    await writeStudy(folder);
    const run = (...args: string[]) =>
      runInProcess(["crate", `${folder}/a study.ipynb`, "-o", `${folder}/crate`, ...args]);
    for (
      const args of [["--author", "=1"], ["--author", "A=0000-0002-1825-0098"], ["--license", "none.txt"], [
        "--date",
        "May",
      ]]
    ) {
      const { code, stdout, stderr } = await run(...args);
      assertEquals([code, stdout], [2, ""], args.join(" "));
      assertEquals(stderr.includes("writeCrate"), false, stderr);
    }
    assertEquals((await runInProcess(["crate", `${folder}/a study.ipynb`])).code, 2);
    const { code, stdout, stderr } = await run(
      ...["--author", "Josiah Carberry=https://orcid.org/0000-0002-1825-0097", "--license", "CC-BY-4.0"],
      ...["--title", "A study", "--result", `${folder}/found.csv`],
    );
    assertEquals(code, 0, stderr);
    assertEquals(
      stdout.trimEnd().split("\n"),
      [
        "CITATION.cff",
        "a study.ipynb",
        "results/found.csv",
        "results/found.csv.provenance.json",
        "ro-crate-metadata.json",
        "seqreg.lock",
      ].map((file) => `${folder}/crate/${file}`),
    );
    assertStringIncludes(stderr, "crate: 6 files");
    const again = await run();
    assertEquals(again.code, 1);
    assertStringIncludes(again.stderr, "it holds files already");
  });
});

Deno.test("seqreg crate refuses a result that changed since its --ledger was written", async () => {
  await withFolder(async (folder) => {
    await writeStudy(folder);
    await Deno.writeTextFile(`${folder}/m.csv`, "accession\na\n");
    const made = await runInFolder(
      folder,
      ["sql", "./m.csv", "SELECT * FROM lake", "-o", "./r.csv.gz", "--ledger", "./l.json", "-q"],
    );
    assertEquals(made.code, 0, made.stderr);
    const named = JSON.parse(await Deno.readTextFile(`${folder}/l.json`)).file;
    assertEquals(named, { name: "r.csv.gz", sha256: await sha256(`${folder}/r.csv.gz`) });
    const crate = (to: string, ...args: string[]) =>
      runInFolder(folder, [
        "crate",
        "./a study.ipynb",
        "--result",
        "./r.csv.gz",
        "--result",
        "./l.json",
        "-o",
        to,
        ...args,
      ]);
    assertEquals((await crate("./one")).code, 0);
    await Deno.writeTextFile(`${folder}/r.csv.gz`, "tampered", { append: true });
    const { code, stderr } = await crate("./two");
    assertEquals(code, 1);
    assertStringIncludes(stderr, "it changed since l.json was written");
    const author = await crate("./two", "--author", "A=0000-0002-1825-0098");
    assertEquals(author.code, 2);
    assertStringIncludes(author.stderr, "Option --author");
  });
});
