/**
 * `deno task wheel [--platform NAME]`: writes a wheel for `pip install` into `dist/`, and PyPI's wheel of Deno, which
 * it requires, next to it.
 *
 * @module
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { commandPermissions } from "../../../src/cli/command_permissions.ts";
import { DENO_PACKAGE } from "../../../src/cli/support/kernelspec.ts";
import { nodeModules } from "../toolkit/node_modules.ts";
import { findPlatform } from "../toolkit/platforms.ts";
import { buildToolkit, packageJson } from "../toolkit/toolkit_package.ts";
import { downloadDenoWheel } from "./deno_wheel.ts";
import { wheelFiles, wheelName } from "./wheel_files.ts";
import { writeZip } from "./zip.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const platform = findPlatform(Deno.args);
const tell = (step: number, text: string) => console.error(`seqreg: ${step} of 4: ${text}`);
console.error(`seqreg: packs the toolkit and its packages for ${platform.name}; that takes up to a minute`);
tell(1, "compiles the toolkit");
const toolkit = await buildToolkit(root);
const direct = Object.keys(toolkit.dependencies);
tell(2, `fetches ${direct.length} packages and what they need`);
const packages = await nodeModules(root, direct, platform);
const files = await wheelFiles({
  version: toolkit.version,
  license: toolkit.license,
  root,
  platform,
  toolkit: [packageJson(toolkit), ...toolkit.files, ...packages],
  permissions: await commandPermissions(),
});
tell(3, `packs ${files.length.toLocaleString("en")} files`);
const dist = join(root, "dist");
await Deno.mkdir(dist, { recursive: true });
const path = join(dist, wheelName(toolkit.version, platform));
await Deno.writeFile(path, ReadableStream.from(counted(writeZip(files))));
console.log(path);
tell(4, "downloads PyPI's wheel of Deno, unless it is there");
if (await downloadDenoWheel(dist, platform)) {
  console.error(`seqreg: done; next: pip install --no-index --find-links ${dist} seqreg-toolkit`);
} else {
  console.error(
    "seqreg: PyPI's wheel of Deno was not downloaded, which takes a Python with pip and the network: download it with " +
      `pip download --no-deps --only-binary=:all: --platform ${platform.tag} --dest ${dist} ` +
      `${DENO_PACKAGE.replace("@", "==")}, or install ours without --no-index`,
  );
}

/** Prints how much was packed, every 20 MB. */
async function* counted(chunks: AsyncIterable<Uint8Array<ArrayBuffer>>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let [bytes, said] = [0, 0];
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes - said >= 20e6) {
      said = bytes;
      console.error(`seqreg: packed ${Math.round(bytes / 1e6)} MB`);
    }
    yield chunk;
  }
}
