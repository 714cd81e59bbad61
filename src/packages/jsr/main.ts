/**
 * `deno task jsr`: asks `deno publish --dry-run` whether JSR would take the toolkit, under a scoped name and without
 * its tests. Nothing is uploaded. It runs in a folder of its own, so that it sees no more than a package has.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { stageForJsr } from "../toolkit/jsr_stage.ts";

const folder = await Deno.makeTempDir();
try {
  await stageForJsr(fileURLToPath(new URL("../../../", import.meta.url)), folder);
  // The folder is not a git repository, so it has no uncommitted changes.
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["publish", "--dry-run", "--allow-dirty"],
    cwd: folder,
  }).spawn().status;
  Deno.exitCode = code;
} finally {
  await Deno.remove(folder, { recursive: true });
}
