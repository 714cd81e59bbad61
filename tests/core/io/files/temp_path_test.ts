/** A temporary directory that cannot be used is named. */
import { assertEquals, assertMatch } from "@std/assert";
import { makeTempFile, makeTempFolder } from "../../../../src/core/io/files/temp_path.ts";
import { fromFileUrl } from "../../../_files.ts";

const MODULE = new URL("../../../../src/core/io/files/temp_path.ts", import.meta.url).href;

Deno.test("a folder and a file are made under the names that are asked for", async () => {
  const [folder, file] = [
    await makeTempFolder({ prefix: "seqreg-test-" }),
    await makeTempFile({ prefix: "seqreg-test-", suffix: ".json" }),
  ];
  assertEquals([(await Deno.stat(folder)).isDirectory, (await Deno.stat(file)).isFile], [true, true]);
  assertMatch(folder, /seqreg-test-[^/\\]+$/);
  assertMatch(file, /seqreg-test-[^/\\]+\.json$/);
  await Deno.remove(folder);
  await Deno.remove(file);
});

Deno.test({
  name: "a temporary directory that is absent or a file is named, with the variable that has it",
  ignore: Deno.build.os === "windows",
  async fn() {
    const file = fromFileUrl(new URL(import.meta.url));
    for (const [folder, why] of [["/absent/job.123", "it does not exist"], [file, "is a file, not a folder"]]) {
      for (const name of ["makeTempFolder", "makeTempFile"]) {
        const script = `import { ${name} } from "${MODULE}"; await ${name}().catch(({ code, message }) => ` +
          "console.log(code, message))";
        const { stdout } = await new Deno.Command(Deno.execPath(), {
          args: ["eval", "--no-check", script],
          env: { TMPDIR: folder },
        }).output();
        const said = new TextDecoder().decode(stdout);
        assertEquals(
          [said.startsWith(`disk Cannot write temporary files to ${folder}, which TMPDIR names: `), said.includes(why)],
          [true, true],
          said,
        );
        assertEquals(said.trim().endsWith("; set TMPDIR to a folder you can write to"), true, said);
      }
    }
  },
});
