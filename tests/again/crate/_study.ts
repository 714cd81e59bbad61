/** A study to make a crate of: a notebook, its lock, and a result with its ledger. */
import { closeLedger, LEDGER_VERSION } from "../../../src/core/contract/ledger.ts";
import { sha256Of } from "../../../src/core/io/digest/sha256.ts";
import { type LockedCalls, lockText } from "../../../src/core/registry/lock/lock_file.ts";

const RESULT = "accession\nvj000000000001\n";

/** A ledger as `--ledger` writes it. */
export const LEDGER = {
  ledger: LEDGER_VERSION,
  operation: "search",
  registry: "https://registry.example/api",
  request: { query: "country:Kenya" },
  bytes: 4096,
  sha256: null,
  started: "2026-01-31T10:00:00.000Z",
  finished: "2026-01-31T10:00:01.000Z",
  toolkit: "seqreg 0.3.0",
  ...closeLedger({ promised: 1, received: 1 }),
};

export const LOCK: LockedCalls = new Map([["a".repeat(64), {
  accept: "application/json",
  bytes: 4096,
  mediaType: "application/json",
  naming: "specification",
  operation: "search",
  records: 1,
  registry: "https://registry.example/api",
  request: { query: "country:Kenya" },
  set: "b".repeat(64),
  sha256: "c".repeat(64),
  status: 200,
  versions: { deno: "2.9.6", seqreg: "0.3.0" },
}]]);

export const NOTEBOOK = {
  nbformat: 4,
  nbformat_minor: 5,
  metadata: { language_info: { name: "typescript", version: "6.0.3" } },
  cells: [{ cell_type: "markdown", id: "a", metadata: {}, source: ["Some words\n", "# What is there?\n"] }],
};

export async function writeStudy(folder: string): Promise<void> {
  const file = { name: "found.csv", bytes: RESULT.length, sha256: sha256Of(RESULT) };
  await Deno.writeTextFile(`${folder}/a study.ipynb`, JSON.stringify(NOTEBOOK));
  await Deno.writeTextFile(`${folder}/seqreg.lock`, lockText(LOCK));
  await Deno.writeTextFile(`${folder}/found.csv`, RESULT);
  await Deno.writeTextFile(`${folder}/found.csv.provenance.json`, JSON.stringify({ ...LEDGER, file }));
  await Deno.writeTextFile(`${folder}/LICENSE`, "Public domain.\n");
}
