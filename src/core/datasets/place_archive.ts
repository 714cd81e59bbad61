/** Copies a verified archive into a user's folder. */
import { join } from "node:path";
import { makeFolder } from "../io/files/make_folder.ts";
import { RegistryError } from "../errors.ts";
import { createAtomicFile, writeAtomic } from "../io/files/atomic_file.ts";
import { readBytes } from "../io/bytes/byte_source.ts";
import type { OnProgress } from "../io/tasks/progress.ts";
import { equalDigests, sha256, startSha256 } from "../io/digest/sha256.ts";
import { checksumText } from "../io/digest/checksum_file.ts";
import type { VerifiedArchive } from "./fetch_archive.ts";
import type { OptionRules } from "../options/option_rule.ts";
import * as rule from "../options/rules.ts";
import { checkOptions } from "../options/check_options.ts";

/** Options of {@linkcode placeArchive}. */
export interface PlaceArchiveOptions {
  /** Receives the progress of the copy. */
  readonly onProgress?: OnProgress;
  /** Ends the work with the signal's reason; no partial file is left then. */
  readonly signal?: AbortSignal;
}

const PLACE_ARCHIVE_OPTIONS = {
  onProgress: rule.callback(),
  signal: rule.signal,
} satisfies OptionRules<PlaceArchiveOptions>;

/**
 * Copies a verified archive into a folder, and writes its checksum file, so that `sha256sum --check` verifies it there.
 * It is a copy, not a link, so editing it does not change the cache. The copy is hashed as it is written; an existing
 * file with the same bytes is kept.
 *
 * @param archive A verified archive.
 * @param folder Created if missing.
 * @param options Progress and signal.
 * @returns Path of the copy.
 * @throws {RegistryError} With code `disk` if the folder cannot be written, or `damaged` if the cached bytes changed
 * since they were verified; no partial file is left then.
 * @see Not shown in the specification: our choice.
 *
 * @example
 * ```ts
 * import { createHash } from "node:crypto";
 * import { assertEquals } from "@std/assert";
 * import { RegistryClient } from "../client/mod.ts";
 * import { fetchArchive } from "./fetch_archive.ts";
 * import { placeArchive } from "./place_archive.ts";
 * import { verifyArchive } from "./verify_checksums.ts";
 *
 * const bytes = new TextEncoder().encode("an archive");
 * const sums = `${createHash("sha256").update(bytes).digest("hex")}  reftax1_to_reftax2_map.csv.gz\n`;
 * const client = new RegistryClient("http://127.0.0.1:8080", {
 *   fetch: ({ url }) => Promise.resolve(new Response(url.endsWith(".sha256") ? sums : bytes)),
 * });
 * const folder = await Deno.makeTempDir();
 * const archive = await fetchArchive(client, "reftax1_to_reftax2_map", { cache: `${folder}/cache` });
 * const path = await placeArchive(archive, `${folder}/mine`);
 *
 * assertEquals((await verifyArchive(path)).ok, true);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function placeArchive(
  archive: VerifiedArchive,
  folder: string,
  options: PlaceArchiveOptions = {},
): Promise<string> {
  checkOptions("placeArchive()", options, PLACE_ARCHIVE_OPTIONS);
  const { signal, onProgress } = options;
  await makeFolder(folder);
  const path = join(folder, archive.name);
  const sums = checksumText(archive.sha256, archive.name);
  const sumsPath = path.replace(/\.csv\.gz$/, ".sha256");
  const present = await Deno.stat(path).catch(() => undefined);
  const isThere = present?.isFile && present.size === archive.bytes &&
    equalDigests(await sha256(path, { signal }), archive.sha256);
  if (!isThere) {
    await using file = await createAtomicFile(path, { signal });
    const hash = startSha256();
    const task = `copying ${archive.name}`;
    for await (const chunk of readBytes(archive.path, { signal })) {
      hash.update(chunk);
      await file.write(chunk);
      onProgress?.({ task, done: file.bytes, total: archive.bytes, unit: "bytes" });
    }
    if (!equalDigests(hash.digest(), archive.sha256)) {
      throw new RegistryError(
        "damaged",
        `Cannot copy ${archive.path}: its bytes changed after they were verified; no file was written. Get it again, ` +
          `and find out which program writes to the cache`,
      );
    }
    await file.commit();
    onProgress?.({ task, done: file.bytes, total: archive.bytes, unit: "bytes", finished: true });
  }
  if (await Deno.readTextFile(sumsPath).catch(() => undefined) !== sums) await writeAtomic(sumsPath, sums, { signal });
  return path;
}
