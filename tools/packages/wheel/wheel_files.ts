/**
 * Files of a wheel.
 *
 * @see Python Packaging User Guide, "Binary distribution format" and "Core metadata specifications"
 */
import { stringify } from "@std/csv";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { DENO_PACKAGE, kernelspecText } from "../../../src/cli/support/kernelspec.ts";
import { extensionFiles } from "../../../src/jupyter/notebook/live/lab_extension.ts";
import { diskFile, type PackedFile, textFile } from "../toolkit/packed_file.ts";
import type { Platform } from "../toolkit/platforms.ts";

/** Name on PyPI, where "seqreg" belongs to another project, and the name of the Python package in it. */
const DISTRIBUTION = "seqreg-toolkit";
const PACKAGE = "seqreg_toolkit";

const LAUNCHERS = new URL("../launchers/", import.meta.url);
/** What `import seqreg` finds, and its files. */
const READERS = new URL("../python/seqreg/", import.meta.url);
const READER_FILES = ["__init__.py", "_frames.py", "_lake.py", "_ledger.py", "_run.py", "py.typed"];

export interface WheelContent {
  readonly version: string;
  readonly license: string;
  readonly root: string;
  readonly platform: Platform;
  /** The toolkit and its npm packages. */
  readonly toolkit: readonly PackedFile[];
  readonly permissions: Readonly<Record<string, readonly string[]>>;
}

export function wheelName(version: string, { tag }: Platform): string {
  return `${PACKAGE}-${version}-py3-none-${tag}.whl`;
}

/** Lists the files of a wheel, its record last. */
export async function wheelFiles(content: WheelContent): Promise<PackedFile[]> {
  const { version, root, platform, permissions } = content;
  const info = `${PACKAGE}-${version}.dist-info`;
  const launchers = await Promise.all(["__init__.py", "__main__.py", "kernel.py", "launcher.py"].map(async (name) => {
    return textFile(`${PACKAGE}/${name}`, await Deno.readTextFile(new URL(name, LAUNCHERS)));
  }));
  const readers = await Promise.all(READER_FILES.map(async (name) => {
    return textFile(`seqreg/${name}`, await Deno.readTextFile(new URL(name, READERS)));
  }));
  const shared = `${PACKAGE}-${version}.data/data/share/jupyter`;
  const kernel = kernelspecText(["python", "-m", `${PACKAGE}.kernel`, "{connection_file}"]);
  const files = [
    ...launchers,
    ...readers,
    textFile(`${PACKAGE}/permissions.py`, `PERMISSIONS = ${JSON.stringify(permissions, null, 4)}\n`),
    ...content.toolkit.map((file) => ({ ...file, path: `${PACKAGE}/toolkit/${file.path}` })),
    textFile(`${shared}/kernels/deno-seqreg/kernel.json`, kernel),
    ...extensionFiles().map(({ path, text }) => textFile(`${shared}/${path}`, text)),
    textFile(`${info}/METADATA`, await metadata(content)),
    textFile(
      `${info}/WHEEL`,
      `Wheel-Version: 1.0\nGenerator: seqreg (${version})\nRoot-Is-Purelib: false\nTag: py3-none-${platform.tag}\n`,
    ),
    textFile(`${info}/entry_points.txt`, `[console_scripts]\nseqreg = ${PACKAGE}.launcher:main\n`),
    diskFile(`${info}/licenses/LICENSE`, join(root, "LICENSE")),
  ];
  return [...files, textFile(`${info}/RECORD`, await record(files, `${info}/RECORD`))];
}

async function metadata({ version, license, root }: WheelContent): Promise<string> {
  const fields = [
    "Metadata-Version: 2.4",
    `Name: ${DISTRIBUTION}`,
    `Version: ${version}`,
    "Summary: Complete or explained access to a Sequence Registry of viral genome records",
    `License-Expression: ${license}`,
    "License-File: LICENSE",
    "Requires-Python: >=3.10",
    `Requires-Dist: ${DENO_PACKAGE.replace("@", "==")}`,
    "Description-Content-Type: text/markdown",
  ];
  return `${fields.join("\n")}\n\n${await Deno.readTextFile(join(root, "README.md"))}`;
}

/** CSV with one row for each file: path, digest, size. */
async function record(files: readonly PackedFile[], own: string): Promise<string> {
  const rows: string[][] = [];
  for (const { path, read } of files) {
    const content = await read();
    rows.push([path, `sha256=${createHash("sha256").update(content).digest("base64url")}`, String(content.length)]);
  }
  return stringify([...rows, [own, "", ""]]);
}
