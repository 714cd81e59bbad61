/** Spark, and s3a's jars, in a cache that all checkouts share. */
import { join } from "node:path";
import { acquireLock } from "../../../src/core/io/files/lock.ts";
import { download, findSparkArchive, jarUrl } from "./_download.ts";
import { S3A_JARS, SPARK_ARCHIVE, SPARK_VERSION } from "./_packages.ts";

export interface Installation {
  /** Folder with `bin/` and `jars/`: Spark's `SPARK_HOME`. */
  readonly spark: string;
  /** Folder of the jars that read and write object stores. */
  readonly s3a: string;
}

/** The cache: `SEQREG_CLUSTER_CACHE`, or a folder in the user's own cache. */
export function cacheFolder(): string {
  const env = (name: string) => Deno.env.get(name) || undefined;
  return env("SEQREG_CLUSTER_CACHE") ??
    join(env("XDG_CACHE_HOME") ?? join(env("HOME") ?? ".", ".cache"), "seqreg-cluster");
}

/**
 * Downloads what is absent, checks its SHA-256, and unpacks it. One process at a time does so; an installation that was
 * cut off leaves nothing under a final name.
 *
 * @throws {Error} If something cannot be had.
 */
export async function install(say: (line: string) => void): Promise<Installation> {
  const cache = cacheFolder();
  const [spark, s3a] = [join(cache, `spark-${SPARK_VERSION}`), join(cache, "s3a")];
  await Deno.mkdir(s3a, { recursive: true });
  await using _lock = await acquireLock(join(cache, "install.lock"), {
    onWait: () => say(`another process installs into ${cache}: waiting for it`),
  });
  if (!await isPresent(spark)) await installSpark(spark, { cache, say });
  await Promise.all(S3A_JARS.map((jar) => download(jarUrl(jar.path), jar, s3a)));
  await removeOthers(s3a);
  return { spark, s3a };
}

async function installSpark(
  spark: string,
  { cache, say }: { readonly cache: string; readonly say: (line: string) => void },
): Promise<void> {
  const begun = performance.now();
  say(`downloading ${SPARK_ARCHIVE.name} (456 MB) into ${cache}`);
  const archive = await download(await findSparkArchive(), SPARK_ARCHIVE, cache);
  const staging = `${spark}.part`;
  await removeIfPresent(staging);
  await Deno.mkdir(staging);
  const root = `pyspark-${SPARK_VERSION}/deps`;
  const { success } = await new Deno.Command("tar", {
    args: ["-xzf", archive, "-C", staging, "--strip-components=2", `${root}/bin`, `${root}/jars`],
  }).output();
  if (!success) throw new Error(`tar does not unpack ${archive}`);
  await Deno.rename(staging, spark);
  await Deno.remove(archive);
  say(`Spark ${SPARK_VERSION} installed in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
}

/** Jars of an older list would be loaded with those of this one. */
async function removeOthers(folder: string): Promise<void> {
  const names = new Set(S3A_JARS.map(({ name }) => name));
  for await (const { name } of Deno.readDir(folder)) if (!names.has(name)) await Deno.remove(join(folder, name));
}

async function removeIfPresent(path: string): Promise<void> {
  if (await isPresent(path)) await Deno.remove(path, { recursive: true });
}

async function isPresent(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
