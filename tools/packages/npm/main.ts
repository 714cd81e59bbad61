/**
 * `deno task npm`: writes `dist/seqreg-VERSION.tgz` for `npm install`, whose program `seqreg` runs in npm's Deno.
 *
 * @module
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { writeTar } from "../../../src/cli/bundle/tar.ts";
import { commandPermissions } from "../../../src/cli/command_permissions.ts";
import { DENO_PACKAGE } from "../../../src/cli/support/kernelspec.ts";
import { textFile } from "../toolkit/packed_file.ts";
import { buildToolkit, packageJson } from "../toolkit/toolkit_package.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const toolkit = await buildToolkit(root);
const launcher = await Deno.readTextFile(new URL("../launchers/seqreg.js", import.meta.url));
const [deno, denoVersion] = DENO_PACKAGE.split("@");
const manifest = packageJson(toolkit, {
  bin: { seqreg: "bin/seqreg.js" },
  engines: { node: ">=22" },
  dependencies: { ...toolkit.dependencies, [deno]: denoVersion },
});
const files = [
  manifest,
  textFile("bin/seqreg.js", launcher, true),
  textFile("bin/permissions.json", `${JSON.stringify(await commandPermissions(), null, 2)}\n`),
  ...toolkit.files,
];
const entries = await Promise.all(files.map(async ({ path, read, executable }) => {
  const content = await read();
  return {
    path: `package/${path}`,
    bytes: content.length,
    executable,
    open: () => ReadableStream.from([content]),
  };
}));
const tar = new Uint8Array(await new Response(ReadableStream.from(writeTar(entries))).arrayBuffer());
const path = join(root, "dist", `seqreg-${toolkit.version}.tgz`);
await Deno.mkdir(dirname(path), { recursive: true });
await Deno.writeFile(path, gzipSync(tar, { level: 9 }));
console.log(path);
console.error(`seqreg: done; next: npm install ${path}`);
