/** What is an address is nowhere taken for a path to write to: a folder `gs:` would be made of it. */
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { cacheFolder } from "../../../../src/core/io/files/cache_folder.ts";
import { makeFolder } from "../../../../src/core/io/files/make_folder.ts";
import { refuseAddress } from "../../../../src/core/io/files/refuse_address.ts";
import { writeAtomic } from "../../../../src/core/io/files/atomic_file.ts";
import { buildLake } from "../../../../src/core/tables/mod.ts";
import { inFolder, writeGzip } from "../../tables/_lake_files.ts";

const ADDRESSES = ["gs://bucket/a", "S3://bucket/a", "https://host/a", "az://a", "file:///tmp/a"];

Deno.test("addresses are refused, paths of any form are not", () => {
  for (const address of ADDRESSES) assertThrows(() => refuseAddress(address), TypeError, "an address, not a path");
  assertThrows(() => refuseAddress("file:///tmp/a"), TypeError, "name its path: /tmp/a");
  for (const path of ["a", "/a//b", "./gs:/a", "C:\\a", "C://a", "a:b", "s3", "x/gs://a", "//host/share"]) {
    refuseAddress(path);
  }
});

Deno.test("folders, files, lakes and the cache are written to no address", async () => {
  await inFolder(async (folder) => {
    await writeGzip(`${folder}/a.csv.gz`, "id,n\nx,1\n");
    for (const address of ADDRESSES) {
      await assertRejects(() => makeFolder(address), TypeError, address);
      await assertRejects(() => writeAtomic(address, "a"), TypeError, address);
      await assertRejects(() => buildLake(`${folder}/a.csv.gz`, address), TypeError, address);
      assertThrows(() => cacheFolder((name) => name === "SEQREG_CACHE" ? address : undefined), TypeError, address);
      assertEquals(await Deno.stat(address.split("/")[0]).catch(() => "nothing"), "nothing");
    }
  });
});
