import { assertEquals, assertStringIncludes } from "@std/assert";
import { writeStudy } from "../../../again/crate/_study.ts";
import { withFolder } from "../../../core/datasets/_archive.ts";
import { runInProcess } from "../../../_program.ts";

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
      const { code, stdout } = await run(...args);
      assertEquals([code, stdout], [2, ""], args.join(" "));
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
