/** One archive, fetched and verified, under a temporary name, which the caller renames. */
import type { RegistryClient } from "../client/mod.ts";
import { RegistryError } from "../errors.ts";
import { equalDigests } from "../io/digest/sha256.ts";
import type { OnProgress } from "../io/tasks/progress.ts";
import type { ArchiveFiles } from "../contract/datasets.ts";
import { downloadArchive, type Downloaded } from "./_download.ts";
import type { Pace } from "./_pace.ts";
import type { PartFile } from "./_part_file.ts";
import { absentArchive, isAbsent, type RegistryChecksum, requestChecksum } from "./_registry_checksum.ts";
import { type LedgerEntry, noteEntry } from "../contract/ledger_entries.ts";

export interface FetchVerifiedSettings {
  readonly client: RegistryClient;
  readonly files: ArchiveFiles;
  /** Base address of the registry, or the folder of an embedded one. */
  readonly registry: string;
  /** The registry's checksum file, as just received. */
  readonly stated: RegistryChecksum;
  /** Folder for the temporary file. */
  readonly folder: string;
  readonly prefix: string;
  /** Whether the held lock is exclusive. */
  readonly lockReliable: boolean;
  readonly freeBytes: (folder: string) => Promise<number | undefined>;
  readonly pace: Pace;
  readonly onProgress: OnProgress;
  readonly signal?: AbortSignal;
}

/** An archive whose bytes match the registry's checksum file. */
export interface FetchedArchive {
  /** The file; its owner renames or discards it. */
  readonly part: PartFile;
  readonly bytes: number;
  /** Strong entity tag of its response. */
  readonly etag: string | null;
  /** Address on another origin that sent it, after redirects; `null` if the registry itself sent it. */
  readonly address: string | null;
  /** The checksum file that it was verified with. */
  readonly checksum: RegistryChecksum;
  /** Deviations from the normal course, in words. */
  readonly notes: readonly LedgerEntry[];
}

/**
 * Fetches an archive and verifies it. A mismatch may mean that the archive was replaced between the two requests: both
 * are fetched once more, and the second result is final.
 *
 * @throws {RegistryError} With code `checksum` if the bytes do not match the checksum file; they are removed.
 */
export async function fetchVerified(settings: FetchVerifiedSettings): Promise<FetchedArchive> {
  const { client, files, stated, signal } = settings;
  const leftovers = { lockReliable: settings.lockReliable };
  const first = await download(settings, stated, { leftovers }).catch((error) => {
    throw isAbsent(error) ? absentArchive(files, client.baseUrl, error) : error;
  });
  if (first === undefined) throw new TypeError("A download without an unwanted tag has a result");
  if (equalDigests(first.sha256, stated.sha256)) return await fetched(settings, first, stated);

  const again = await requestChecksum(client, files, signal).catch(async (error) => {
    await first.part.discard();
    throw error;
  });
  if (equalDigests(first.sha256, again.sha256)) {
    return await fetched(
      settings,
      first,
      again,
      `${files.archive}: the registry replaced it meanwhile; its checksum was fetched again`,
    );
  }
  await first.part.discard();
  const same = equalDigests(stated.sha256, again.sha256) && !first.resumed;
  const second = await download(settings, again, same && first.etag !== null ? { unlessEtag: first.etag } : {});
  if (second !== undefined && equalDigests(second.sha256, again.sha256)) {
    return await fetched(
      settings,
      second,
      again,
      `${files.archive}: it did not match its checksum file; both were fetched again, and match`,
    );
  }
  await second?.part.discard();
  throw mismatch(settings, again, second ?? first, second === undefined ? "once" : "twice");
}

async function download(
  settings: FetchVerifiedSettings,
  stated: RegistryChecksum,
  how: { readonly leftovers?: { readonly lockReliable: boolean }; readonly unlessEtag?: string },
): Promise<Downloaded | undefined> {
  const { client, files, registry, folder, prefix, freeBytes, pace, onProgress, signal } = settings;
  const place = { folder, prefix, registry, name: files.archive, expected: stated.sha256 };
  return await downloadArchive({ client, place, freeBytes, pace, onProgress, signal, ...how });
}

/** What an archive cannot be, whatever its checksum file says: gzip, and text as it was before, can be read. */
const OTHER_FORMATS =
  /^(?:a ZIP archive|an HTML page|a PDF|an? [A-Z]+ image|an Excel|a Parquet|bzip2|xz|a SQLite|XML|JSON)/;

async function fetched(
  { files, registry }: FetchVerifiedSettings,
  file: Downloaded,
  checksum: RegistryChecksum,
  note?: string,
): Promise<FetchedArchive> {
  try {
    if (OTHER_FORMATS.test(file.looksLike)) {
      throw new RegistryError(
        "unexpected-response",
        `Cannot use ${files.archive} from ${registry}: its bytes match ${files.checksum}, but they are ` +
          `${file.looksLike}, expected gzip-compressed CSV. The ${file.bytes} received bytes were removed; report it ` +
          `to the registry`,
      );
    }
    await file.part.seal();
  } catch (error) {
    await file.part.discard();
    throw error;
  }
  const notes = note === undefined ? file.notes : [...file.notes, noteEntry("checksum-changed", note)];
  return { part: file.part, bytes: file.bytes, etag: file.etag, address: file.address, checksum, notes };
}

function mismatch(
  { files, registry }: FetchVerifiedSettings,
  stated: RegistryChecksum,
  file: Downloaded,
  times: string,
): RegistryError {
  const looks = file.looksLike === "" || file.looksLike === "gzip data" ? "" : ` They look like ${file.looksLike}.`;
  return new RegistryError(
    "checksum",
    `Cannot verify ${files.archive} from ${registry}: expected SHA-256 ${stated.sha256}, as stated in ${files.checksum}, ` +
      `got ${file.sha256}, fetched ${times}. The ${file.bytes} received bytes were removed; no file was left.` +
      `${looks} Likely causes: a proxy or a virus scanner changed them, the registry is replacing the ` +
      `archive right now, or its checksum file is out of date. Try again later or from another network, then report it ` +
      `to the registry with both digests`,
  );
}
