/** Whether the imports of a cache are still as they were written, block by block. */
import { listFolders } from "@seqreg/core/io/files";
import { join } from "node:path";
import { cacheFolder } from "@seqreg/core/io/files/cache_folder";
import { sha256 } from "@seqreg/core/io/digest";
import type { OnProgress } from "@seqreg/core/io/tasks";
import { SUMS_ENDING } from "../files/block_sums.ts";
import { DamagedFileError } from "../files/damaged_file.ts";
import { FileReader } from "../files/file_reader.ts";
import { MANIFEST_FILE, readManifest } from "./import_manifest.ts";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { checkOptions } from "@seqreg/core/options/check_options";

const CHUNK_BYTES = 1 << 20;

/** Options of {@linkcode verifyImports}. */
export interface VerifyImportsOptions {
  /** Folder of the cache; see `cacheFolder()` for the default. */
  readonly cacheFolder?: string;
  /** Receives the progress of the reading. */
  readonly onProgress?: OnProgress;
  /** Ends the work with the signal's reason. */
  readonly signal?: AbortSignal;
}

const VERIFY_IMPORTS_OPTIONS = {
  cacheFolder: rule.path,
  onProgress: rule.callback(),
  signal: rule.signal,
} satisfies OptionRules<VerifyImportsOptions>;

/** One import, held against its checksums. */
export interface ImportVerdict {
  /** Name of its folder below that of the cache, such as `service/0123…`. */
  readonly name: string;
  /** Whether all of its files are as they were written. */
  readonly ok: boolean;
  /** Which file is not, in words; empty when all are. */
  readonly reason: string;
}

/**
 * Compares every block of every import in the cache with its checksum, and the checksums with the import's manifest.
 *
 * A damaged import stays where it is: it is made again from the archives when it is used next.
 *
 * @param options Cache folder, progress, signal.
 * @returns A verdict for each import, by name; none when nothing was imported.
 * @see Not shown in the specification: the embedded registry's own files are our choice.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { verifyImports } from "./verify_imports.ts";
 *
 * const folder = await Deno.makeTempDir();
 *
 * assertEquals(await verifyImports({ cacheFolder: folder }), []);
 * await Deno.remove(folder);
 * ```
 */
export async function verifyImports(options: VerifyImportsOptions = {}): Promise<ImportVerdict[]> {
  checkOptions("verifyImports()", options, VERIFY_IMPORTS_OPTIONS);
  const folder = options.cacheFolder ?? cacheFolder();
  return await verifyRoom("service", { ...options, cacheFolder: folder }, (path) => findDamage(path, options.signal));
}

/** Verdicts of the folders of a room of the cache, by what is wrong with each, in words. */
export async function verifyRoom(
  room: string,
  { cacheFolder, onProgress }: VerifyImportsOptions & { readonly cacheFolder: string },
  findDamage: (folder: string) => Promise<string>,
): Promise<ImportVerdict[]> {
  const names = await listFolders(join(cacheFolder, room));
  const verdicts: ImportVerdict[] = [];
  for (const [index, folder] of names.entries()) {
    const name = `${room}/${folder}`;
    onProgress?.({ task: `verifying ${name}`, done: index, total: names.length, unit: "files" });
    const reason = await findDamage(join(cacheFolder, name));
    verdicts.push({ name, ok: reason === "", reason });
  }
  return verdicts;
}

/** What is wrong with an import, in words. */
async function findDamage(folder: string, signal: AbortSignal | undefined): Promise<string> {
  const next = "the archives are imported again at the next use";
  const manifest = await readManifest(folder);
  if (manifest === undefined) {
    return `${join(folder, MANIFEST_FILE)}, or the size of a file, is not as written; ${next}`;
  }
  const buffer = new Uint8Array(CHUNK_BYTES);
  try {
    for (const [name, bytes] of Object.entries(manifest.sizes)) {
      const path = join(folder, name);
      if (name.endsWith(SUMS_ENDING)) {
        if (await sha256(path, { signal }) !== manifest.sums[name]) {
          throw new DamagedFileError(path, "its SHA-256 is not that in the manifest");
        }
        continue;
      }
      using file = new FileReader(path, { sums: true });
      for (let position = 0; position < bytes; position += CHUNK_BYTES) {
        signal?.throwIfAborted();
        file.readInto(buffer.subarray(0, Math.min(CHUNK_BYTES, bytes - position)), position);
      }
    }
  } catch (cause) {
    if (!(cause instanceof DamagedFileError)) throw cause;
    return cause.message;
  }
  return "";
}
