/** The mark of a store's release: a digest of what its archives and definitions are, wherever they are served. */
import { ARCHIVE_IDS, archiveFiles } from "@seqreg/core/contract/datasets";
import type { Naming } from "@seqreg/core/contract/naming";
import { sha256Of } from "@seqreg/core/io/digest";
import type { RegistryStore } from "../store/store.ts";

/** Makes the mark; `undefined` for a store that does not state the digest of each archive. */
export function markOf({ files, fields }: RegistryStore, naming: Naming): string | undefined {
  const digests = ARCHIVE_IDS.map((id) => files.get(archiveFiles(id, naming).archive)?.sha256);
  if (digests.includes(undefined)) return undefined;
  return sha256Of(JSON.stringify([digests, fields])).slice(0, 16);
}
