import { assertEquals } from "@std/assert";
import { lockText, parseLock, readLock } from "../../../../src/core/registry/lock/lock_file.ts";
import { Registry } from "../../../../src/core/registry/mod.ts";
import { sha256Of } from "../../../../src/core/io/digest/sha256.ts";
import { sampleFolder } from "../_archives.ts";

Deno.test("a lock of a thousand pages of a thousand records has less than a megabyte", async () => {
  await using folder = await sampleFolder(10);
  const path = `${folder.cacheFolder}.lock`;
  {
    await using registry = await Registry.open(folder.folder, { cacheFolder: folder.cacheFolder, lock: path });
    await registry.searchPage('"Host Species":"Homo sapiens" sequence_length:>1000', {
      filter: { Country: "Kenya" },
      pageSize: 1000,
      pageNumber: 2,
      sort: { column: "sequence_length", order: "desc" },
    });
  }
  const [call] = (await readLock(path))!.values();
  const calls = new Map(Array.from({ length: 1000 }, (_, page) => [
    sha256Of(String(page)),
    { ...call, records: 1000, bytes: 2_000_000, registry: "https://registry.example/api" },
  ]));
  const text = lockText(calls);
  assertEquals(text.length < 1_000_000, true, `${text.length} bytes`);
  assertEquals(lockText(parseLock(text, path)), text);
});
