import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { archiveBytes, NAME, withFolder } from "../../../core/datasets/_archive.ts";
import { runInFolder } from "../../../_program.ts";

/** Runs a line of a shell in a folder. */
async function sh(line: string, cwd: string): Promise<string> {
  const { stdout } = await new Deno.Command("sh", { args: ["-c", line], cwd }).output();
  return new TextDecoder().decode(stdout).slice(0, 64);
}

Deno.test("seqreg cite ends in what sha256sum alone says of an archive and of a lake", async () => {
  await withFolder(async (folder) => {
    await Deno.writeFile(`${folder}/${NAME}`, archiveBytes(1, 20));
    await Deno.writeFile(`${folder}/registryv1_full_dataset_metadata.csv.gz`, archiveBytes(2, 20));
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await runInFolder(folder, args);
      assertEquals(code, 0, stderr);
      return stdout;
    };
    assertEquals(
      (await run("cite", `./${NAME}`)).trimEnd().split("hash://sha256/").at(-1),
      await sh(`sha256sum ${NAME}`, folder),
    );
    await run("lake", "./", "-o", "./lake");
    assertEquals(
      (await run("cite", "./lake")).trimEnd().split("hash://sha256/").at(-1),
      await sh("sha256sum *.csv.gz | LC_ALL=C sort -k 2 | sha256sum", folder),
    );
    assertEquals(JSON.parse(await run("cite", `./${NAME}`, "--format", "csl-json")).length, 2);
    assertStringIncludes(await run("cite", `./${NAME}`, "--format", "cff"), "cff-version: 1.2.0");
    const bibtex = await run("cite", `./${NAME}`, "--format", "bibtex");
    const digest = await sh(`sha256sum ${NAME}`, folder);
    assertMatch(bibtex, /^@[a-z]+\{archive-/);
    assertEquals([...bibtex.matchAll(/hash:\/\/sha256\/([0-9a-f]{64})/g)].every(([, each]) => each === digest), true);
    assertStringIncludes(bibtex, `hash://sha256/${digest}`);
    assertEquals(bibtex.split("{").length, bibtex.split("}").length);
    assertEquals(await run("cite", `./${NAME}`, "-o", "./data.bib"), "");
    assertEquals(await Deno.readTextFile(`${folder}/data.bib`), bibtex);
    assertEquals(await run("cite", `./${NAME}`, "-o", "./CITATION.cff"), "");
    assertStringIncludes(await Deno.readTextFile(`${folder}/CITATION.cff`), "cff-version: 1.2.0");
    const failed = await runInFolder(folder, ["cite", "./absent.csv.gz"]);
    assertEquals([failed.code, failed.stdout], [1, ""]);
    assertEquals((await runInFolder(folder, ["cite", `./${NAME}`, "--format", "ris"])).code, 2);
  });
});
