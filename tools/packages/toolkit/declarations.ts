/**
 * Type declarations (`.d.ts`) of the public modules, as `deno pack` derives them. Its JavaScript is not used: it lacks
 * the modules whose names are computed, such as commands and workers.
 *
 * @module
 */
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { readDenoConfig } from "./deno_config.ts";
import { rewriteSpecifiers } from "./javascript.ts";
import { stageForJsr } from "./jsr_stage.ts";
import { type PackedFile, textFile } from "./packed_file.ts";
import { runDeno } from "./run_deno.ts";

const BLOCK = 512;

/** Derives the declarations of a checkout's modules. */
export async function declarationsOf(root: string): Promise<PackedFile[]> {
  const folder = await Deno.makeTempDir();
  try {
    await stageForJsr(root, folder);
    const packed = join(folder, "package.tgz");
    await runDeno(["pack", "--quiet", "--allow-dirty", "--no-source-maps", "--output", packed], { cwd: folder });
    const files = readTar(gunzipSync(await Deno.readFile(packed)));
    const declarations = [...files].filter(([path]) => path.endsWith(".d.ts") && !path.startsWith("types/"));
    if (declarations.length === 0) throw new Error("deno pack wrote no declarations");
    const { imports } = await readDenoConfig(root);
    // Relative paths name JavaScript already, and packages are imported by their own names.
    const doors = Object.fromEntries(Object.entries(imports).filter(([, target]) => target.startsWith("./")));
    return declarations.sort(([a], [b]) => a < b ? -1 : 1)
      .map(([path, text]) => textFile(path, rewriteSpecifiers(text, path, new Set(), doors).code));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Texts of the files of an npm package by their paths in it; POSIX "ustar", as `deno pack` writes it. */
function readTar(tar: Uint8Array): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const decoder = new TextDecoder();
  for (let at = 0; at + BLOCK <= tar.length && tar[at] !== 0;) {
    const field = (start: number, length: number) =>
      decoder.decode(tar.subarray(at + start, at + start + length)).split("\0", 1)[0];
    const size = parseInt(field(124, 12), 8);
    const path = [field(345, 155), field(0, 100)].filter((part) => part !== "").join("/");
    files.set(path.replace(/^package\//, ""), decoder.decode(tar.subarray(at + BLOCK, at + BLOCK + size)));
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}
