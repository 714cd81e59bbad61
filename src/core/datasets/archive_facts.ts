/** What is known of an archive whose bytes match the registry's checksum file. */
import type { ArchiveId } from "../contract/datasets.ts";
import type { Ledger, Provenance } from "../contract/ledger.ts";

/** Facts of a verified archive. */
export class ArchiveFacts {
  /** Which of the eight. */
  readonly id: ArchiveId;
  /** File name, as the deployment spells it. */
  readonly name: string;
  /** Path of the gzip-compressed CSV. Read it; do not write to it. */
  readonly path: string;
  /** Size in bytes. */
  readonly bytes: number;
  /** SHA-256 of the bytes: 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  /** When the bytes were hashed, ISO 8601 in UTC. */
  readonly verifiedAt: string;
  /** Whether the bytes were already in the cache. */
  readonly reused: boolean;
  /** Mark of the registry's release that its checksum file is of; absent where the registry states none. */
  readonly release?: string;
  /** Counts files: one requested, one received. Deviations from the normal course are warnings. */
  readonly ledger: Ledger;
  /** Where it comes from; `bytes` and `sha256` are the archive's, also if it was cached. */
  readonly provenance: Provenance;

  /** Copies the facts. */
  constructor(facts: ArchiveFacts) {
    this.id = facts.id;
    this.name = facts.name;
    this.path = facts.path;
    this.bytes = facts.bytes;
    this.sha256 = facts.sha256;
    this.verifiedAt = facts.verifiedAt;
    this.reused = facts.reused;
    this.release = facts.release;
    this.ledger = facts.ledger;
    this.provenance = facts.provenance;
  }
}
