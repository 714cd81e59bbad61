/**
 * `deno task jsr`: asks `deno publish --dry-run` whether JSR would take the toolkit, under a scoped name and without
 * its tests. Nothing is uploaded. It runs in a folder of its own, so that it sees no more than a package has. If JSR
 * would, `dist/jsr` has the package to publish, which imports the standard library from JSR itself.
 *
 * @module
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stageForJsr } from "../toolkit/jsr_stage.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const folder = await Deno.makeTempDir();
try {
  await stageForJsr(root, folder);
  // The folder is not a git repository, so it has no uncommitted changes.
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["publish", "--dry-run", "--allow-dirty"],
    cwd: folder,
  }).spawn().status;
  Deno.exitCode = code;
  if (code === 0) {
    const published = join(root, "dist", "jsr");
    await Deno.remove(published, { recursive: true }).catch(() => {});
    await Deno.mkdir(published, { recursive: true });
    await stageForJsr(root, published, { standardLibrary: "jsr" });
    console.error(`seqreg: ${published} has the package; next: deno publish in that folder`);
  }
} finally {
  await Deno.remove(folder, { recursive: true });
}
