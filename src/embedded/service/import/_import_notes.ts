/**
 * Progress notes of an unfinished import, from which it is resumed.
 *
 * The notes are written when a stage's files are synced to disk, and list these files with their sizes: all other files
 * in the folder are partial and removed.
 */
import { join } from "node:path";
import { writeAtomic } from "@seqreg/core/io/files/atomic_file";
import { ARCHIVE_IDS, type ArchiveId } from "@seqreg/core/contract/datasets";
import type { FolderOrigin } from "./archive_set.ts";
import { areWhole } from "../files/file_sizes.ts";
import {
  type ImportFacts,
  INDEX_FOLDER,
  MANIFEST_FILE,
  manifestText,
  readFacts,
  readJsonIfThere,
  readSummedJson,
} from "./import_manifest.ts";
import { textsOf } from "@seqreg/core/contract/ledger_entries";

/** Name of the notes in the folder of an unfinished import. */
export const NOTES_FILE = "notes.json";

/**
 * A stage of an import: the fields are known; the records are kept, and taken in by the index; the index is built; an
 * archive is read to its end, and what it gives is kept.
 */
export type Stage = "fields" | "records" | "index" | Exclude<ArchiveId, "full_dataset_metadata">;

const STAGES: readonly Stage[] = [
  "fields",
  "records",
  "index",
  ...ARCHIVE_IDS.filter((id) => id !== "full_dataset_metadata"),
];

export interface ImportNotes {
  /** What is known so far. */
  readonly facts: ImportFacts;
  has(stage: Stage): boolean;
  /** Notes that a stage is finished, with what it found out and the sizes of its files. */
  finish(stage: Stage, found: Partial<Omit<ImportFacts, "warnings">>): Promise<void>;
  /** Forgets everything, and removes it. */
  forget(): Promise<void>;
}

const NOTHING: ImportFacts = {
  fields: [],
  definitionsDerived: false,
  recordCount: 0,
  entries: [],
  warnings: [],
  sizes: {},
};

/** Reads the notes in a folder and removes files that they do not list; starts new notes if they are missing. */
export async function openNotes(folder: string, { source, namingSha256 }: FolderOrigin): Promise<ImportNotes> {
  const found = await readNotes(folder);
  let facts = found?.facts ?? NOTHING;
  const done = new Set(found?.done);
  let last: Promise<unknown> = Promise.resolve();
  /** Two stages may end at once: what is written last is what is known last. */
  const write = (): Promise<unknown> =>
    last = last.then(() =>
      writeAtomic(join(folder, NOTES_FILE), manifestText({ ...facts, source, namingSha256, done: [...done] }))
    );
  await removeOthers(folder, facts.sizes, done.has("records"));
  return {
    get facts() {
      return facts;
    },
    has: (stage) => done.has(stage),
    async finish(stage, { entries: more = [], sizes = {}, ...rest }) {
      const entries = [...facts.entries, ...more];
      const warnings = textsOf(entries, "warning");
      facts = { ...facts, ...rest, entries, warnings, sizes: { ...facts.sizes, ...sizes } };
      done.add(stage);
      await write();
    },
    async forget() {
      facts = NOTHING;
      done.clear();
      await write();
      await removeOthers(folder, {}, false);
    },
  };
}

/** Whether a folder has notes of anything finished. */
export async function hasNotes(folder: string): Promise<boolean> {
  return await readJsonIfThere(join(folder, NOTES_FILE)) !== undefined;
}

/** Makes an import of a folder with notes: writes the manifest, which marks it as complete, and removes the notes. */
export async function concludeNotes(folder: string, manifest: object): Promise<void> {
  await writeAtomic(join(folder, MANIFEST_FILE), manifestText(manifest));
  await Deno.remove(join(folder, NOTES_FILE));
}

async function readNotes(folder: string): Promise<{ facts: ImportFacts; done: Stage[] } | undefined> {
  const value = await readSummedJson(join(folder, NOTES_FILE));
  const facts = readFacts(value);
  if (facts === undefined || !await areWhole(folder, facts.sizes)) return undefined;
  const written: unknown = typeof value === "object" && value !== null && "done" in value ? value.done : undefined;
  const done = Array.isArray(written) ? STAGES.filter((stage) => written.includes(stage)) : [];
  return { facts, done };
}

async function removeOthers(folder: string, sizes: Readonly<Record<string, number>>, keepIndex: boolean) {
  for await (const { name, isFile } of Deno.readDir(folder)) {
    const named = isFile ? name === NOTES_FILE || Object.hasOwn(sizes, name) : keepIndex && name === INDEX_FOLDER;
    if (!named) await Deno.remove(join(folder, name), { recursive: true });
  }
}
