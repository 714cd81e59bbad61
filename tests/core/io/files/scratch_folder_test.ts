/** Temporary folders of a program's own. */
import { assertEquals } from "@std/assert";
import { boundByModes, testNeeding } from "../../../_needs.ts";

const MODULE = new URL("../../../../src/core/io/files/scratch_folder.ts", import.meta.url).href;
const BOUND_BY_MODES = boundByModes();
const NEEDS_MODES = { "a user whom file modes bind, or setpriv": BOUND_BY_MODES !== undefined };

testNeeding(NEEDS_MODES, "a temporary directory that may be written and not listed is used", async () => {
  const parent = await Deno.makeTempDir();
  try {
    await Deno.chmod(parent, 0o300);
    const script = `import { createScratchFolder } from "${MODULE}";
      using folder = await createScratchFolder("test");
      await Deno.writeTextFile(folder.path + "/a", "kept");
      console.log(await Deno.readTextFile(folder.path + "/a"));`;
    const [command, ...args] = [...BOUND_BY_MODES ?? [], Deno.execPath(), "eval", "--no-check", script];
    const { stdout, stderr } = await new Deno.Command(command, { args, env: { TMPDIR: parent } }).output();
    assertEquals([stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)), ["kept\n", ""]);
  } finally {
    await Deno.chmod(parent, 0o700);
    await Deno.remove(parent, { recursive: true });
  }
});
