/** Reads archive sets back, with nothing of what wrote them. */
import { gunzipSync } from "node:zlib";
import { readCsvRows } from "../../../src/core/io/csv/csv_rows.ts";
import { openBytes } from "../../../src/core/io/bytes/open_bytes.ts";
import { sha256 } from "../../../src/core/io/digest/sha256.ts";
import { archiveFiles, type ArchiveId } from "../../../src/core/contract/datasets.ts";
import { type Naming, SPECIFICATION_NAMING } from "../../../src/core/contract/naming.ts";

/** Rows of an archive, its header first. */
export async function readArchive(
  folder: string,
  id: ArchiveId,
  naming: Naming = SPECIFICATION_NAMING,
): Promise<string[][]> {
  const path = `${folder}/${archiveFiles(id, naming).archive}`;
  const rows: string[][] = [];
  for await (const batch of readCsvRows(openBytes(path))) for (const { cells } of batch) rows.push([...cells]);
  return rows;
}

/** Records of an archive as objects. */
export async function readRecords(
  folder: string,
  id: ArchiveId,
  naming: Naming = SPECIFICATION_NAMING,
): Promise<Record<string, string>[]> {
  const [header, ...rows] = await readArchive(folder, id, naming);
  return rows.map((row) => Object.fromEntries(row.map((cell, index) => [header[index], cell])));
}

export async function readArchiveText(folder: string, id: ArchiveId): Promise<string> {
  return new TextDecoder().decode(gunzipSync(await Deno.readFile(`${folder}/${archiveFiles(id).archive}`)));
}

/** Digest of every file of a folder, by name. */
export async function digestFolder(folder: string): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const name of (await namesIn(folder)).sort()) digests[name] = await sha256(`${folder}/${name}`);
  return digests;
}

/** Names in a folder, hidden ones too; none when there is no folder. */
export async function namesIn(folder: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of Deno.readDir(folder)) names.push(name);
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
  }
  return names.sort();
}

/** Runs the real `sha256sum --check` on every checksum file of a folder. */
export async function sha256sumCheck(folder: string): Promise<{ code: number; stdout: string }> {
  const names = (await namesIn(folder)).filter((name) => name.endsWith(".sha256"));
  const { code, stdout } = await new Deno.Command("sha256sum", { args: ["--check", ...names], cwd: folder }).output();
  return { code, stdout: new TextDecoder().decode(stdout) };
}

/** A folder that goes when its scope ends. */
export async function makeFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await Deno.makeTempDir({ prefix: "seqreg-sample-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}
