/** Gets the archive of `_archive.ts` in a process of its own: URL, cache folder. */
import { fetchArchive } from "../../../src/core/datasets/fetch_archive.ts";
import { RegistryError } from "../../../src/core/errors.ts";
import { ID, impatientClient } from "./_archive.ts";

const [url, cache] = Deno.args;
try {
  const { path } = await fetchArchive(impatientClient(url), ID, { cache });
  console.log(path);
} catch (error) {
  if (!(error instanceof RegistryError)) throw error;
  console.error(error.code, error.message);
  Deno.exit(1);
}
