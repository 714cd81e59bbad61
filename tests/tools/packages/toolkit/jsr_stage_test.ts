import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { stageForJsr } from "../../../../tools/packages/toolkit/jsr_stage.ts";
import { fromFileUrl, inFolder } from "../../../_files.ts";

const ROOT = fromFileUrl(new URL("../../../../", import.meta.url));

Deno.test("what is published to JSR imports the standard library from JSR, as documented", async () => {
  await inFolder(async (folder) => {
    await stageForJsr(ROOT, folder, { standardLibrary: "jsr" });
    const { imports, compilerOptions } = JSON.parse(await Deno.readTextFile(`${folder}/deno.json`));
    const page = await Deno.readTextFile(`${ROOT}docs/permissions.md`);
    const standard = Object.entries<string>(imports).filter(([name]) => name.startsWith("@std/"));
    assertEquals(standard.length, 4);
    for (const [name, target] of standard) {
      assert(target.startsWith(`jsr:${name}@`), target);
      assertStringIncludes(page, `\`${target}\``);
    }
    assertEquals(JSON.stringify(imports).includes("deno-std"), false);
    assertEquals(compilerOptions.types.includes("./types/std.d.ts"), false);
    const written = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
    assertEquals(written.includes("deno.lock"), false);
  });
});
