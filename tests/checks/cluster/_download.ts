/** Files of package indexes, by `curl`, which knows the proxies and certificates of a system. */
import { join } from "node:path";
import { sha256 } from "../../../src/core/io/digest/sha256.ts";
import { type Download, SPARK_ARCHIVE } from "./_packages.ts";

const RETRIES = ["--retry", "5", "--retry-all-errors", "--connect-timeout", "20"];
/** A download ends when it has fetched less than so many bytes a second for so many seconds. */
const STALLED = ["--speed-limit", "1000", "--speed-time", "60"];

/**
 * Downloads a file into a folder, unless it is there whole.
 *
 * @returns Its path. @throws {Error} If it cannot be had, or its bytes have another digest.
 */
export async function download(url: string, { name, sha256: expected }: Download, folder: string): Promise<string> {
  const path = join(folder, name);
  if (await digestOf(path) === expected) return path;
  const part = `${path}.part`;
  await curl([...RETRIES, ...STALLED, "--continue-at", "-", "--output", part, url]);
  const found = await digestOf(part);
  if (found !== expected) {
    await Deno.remove(part);
    throw new Error(
      `${url} has SHA-256 ${found}, expected ${expected}; it was removed, so that the next attempt starts anew`,
    );
  }
  await Deno.rename(part, path);
  return path;
}

/** The address of Spark's archive, as the index of Python's packages has it (`PIP_INDEX_URL`, or PyPI). */
export async function findSparkArchive(): Promise<string> {
  const index = (Deno.env.get("PIP_INDEX_URL") ?? "https://pypi.org/simple").replace(/\/+$/, "");
  const page = `${index}/pyspark/`;
  const text = await curl([...RETRIES, "--header", "Accept: application/vnd.pypi.simple.v1+json", page]);
  const { files }: { files: { filename: string; url: string; hashes: Record<string, string> }[] } = JSON.parse(text);
  const file = files.find(({ filename }) => filename === SPARK_ARCHIVE.name);
  if (file === undefined) throw new Error(`${page} has no ${SPARK_ARCHIVE.name}`);
  return new URL(file.url, page).href;
}

/** The address of a jar (`MAVEN_REPOSITORY`, or Maven Central). */
export function jarUrl(path: string): string {
  const repository = (Deno.env.get("MAVEN_REPOSITORY") ?? "https://repo1.maven.org/maven2").replace(/\/+$/, "");
  return `${repository}/${path}`;
}

async function curl(args: readonly string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("curl", {
    args: ["--fail", "--location", "--silent", "--show-error", ...args],
    stdout: "piped",
    stderr: "piped",
  }).output();
  if (!success) throw new Error(`Cannot download ${args.at(-1)}: ${new TextDecoder().decode(stderr).trim()}`);
  return new TextDecoder().decode(stdout);
}

async function digestOf(path: string): Promise<string | undefined> {
  try {
    return await sha256(path);
  } catch {
    return undefined;
  }
}
