/**
 * A research object, validated by other programs: `roc-validator` finds nothing wrong in it, by the base profile of
 * RO-Crate 1.3 and by the shapes of Process Run Crate, and `rocrate` reads it. Run by `deno task checks crate`.
 * `PYTHON` names a Python with both packages.
 */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { writeCrate } from "../../../src/again/mod.ts";
import { writeStudy } from "../../again/crate/_study.ts";
import { testNeeding } from "../../_needs.ts";
import { needsModules, PYTHON } from "../../_python.ts";
import { inFolder } from "../../_files.ts";

const SCRIPT = new URL("_validate_crate.py", import.meta.url).pathname;

testNeeding(
  needsModules("rocrate_validator", "rocrate"),
  "crates are valid RO-Crate 1.3, and Process Run Crates",
  async () => {
    await inFolder(async (folder) => {
      await writeStudy(folder);
      await writeCrate(`${folder}/a study.ipynb`, `${folder}/whole`, {
        authors: [{ name: "Josiah Carberry", orcid: "0000-0002-1825-0097" }, { name: "Another" }],
        license: `${folder}/LICENSE`,
      });
      await writeCrate(`${folder}/seqreg.lock`, `${folder}/lock`, { results: [], license: "CC-BY-4.0" });
      // A crate that is wrong shows that the shapes are looked at.
      await writeCrate(`${folder}/seqreg.lock`, `${folder}/wrong`, { results: [] });
      const metadata = `${folder}/wrong/ro-crate-metadata.json`;
      const text = await Deno.readTextFile(metadata);
      await Deno.writeTextFile(
        metadata,
        text.replace(/"instrument": \[[^\]]*\],/, "").replace('"version": "2.9.6",', ""),
      );
      const places = ["whole", "lock", "wrong"].map((name) => `${folder}/${name}`);
      const { code, stdout, stderr } = await new Deno.Command(PYTHON, { args: [SCRIPT, ...places] }).output();
      assertEquals(code, 0, new TextDecoder().decode(stderr));
      const [whole, lock, wrong] = new TextDecoder().decode(stdout).split("== ").slice(1);
      const required = (report: string) => report.split("\n").filter((line) => line.includes("\tREQUIRED\t"));
      assertEquals([whole, lock].flatMap(required), []);
      assertStringIncludes(wrong, "MUST have an instrument");
      assertStringIncludes(wrong, "MUST have a `version`");
    });
  },
);
