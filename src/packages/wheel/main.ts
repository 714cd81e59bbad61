/**
 * `deno task wheel [--platform NAME]`: writes a wheel for `pip install` into `dist/`, and PyPI's wheel of Deno, which
 * it requires, next to it.
 *
 * @module
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { commandPermissions } from "../../cli/command_permissions.ts";
import { DENO_PACKAGE } from "../../cli/support/kernelspec.ts";
import { nodeModules } from "../toolkit/node_modules.ts";
import { findPlatform } from "../toolkit/platforms.ts";
import { buildToolkit, packageJson } from "../toolkit/toolkit_package.ts";
import { downloadDenoWheel } from "./deno_wheel.ts";
import { wheelFiles, wheelName } from "./wheel_files.ts";
import { writeZip } from "./zip.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const platform = findPlatform(Deno.args);
console.error(`seqreg: packs the toolkit and its packages for ${platform.name}; that takes up to a minute`);
const toolkit = await buildToolkit(root);
const files = await wheelFiles({
  version: toolkit.version,
  license: toolkit.license,
  root,
  platform,
  toolkit: [
    packageJson(toolkit),
    ...toolkit.files,
    ...await nodeModules(root, Object.keys(toolkit.dependencies), platform),
  ],
  permissions: await commandPermissions(),
});
const dist = join(root, "dist");
await Deno.mkdir(dist, { recursive: true });
const path = join(dist, wheelName(toolkit.version, platform));
await Deno.writeFile(path, ReadableStream.from(writeZip(files)));
console.log(path);
if (await downloadDenoWheel(dist, platform)) {
  console.error(`seqreg: done; next: pip install --no-index --find-links ${dist} seqreg-toolkit`);
} else {
  console.error(
    "seqreg: PyPI's wheel of Deno was not downloaded, which takes a Python with pip and the network: download it with " +
      `pip download --no-deps --only-binary=:all: --platform ${platform.tag} --dest ${dist} ` +
      `${DENO_PACKAGE.replace("@", "==")}, or install ours without --no-index`,
  );
}
