/** Where tables are put, what killed builders leave, and what a disk's faults are called. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { RegistryError } from "../../../../src/errors.ts";
import { diskError, isDiskFault, temporaryFolder } from "../../../../src/tables/lake/build/_place_table.ts";
import { buildLake } from "../../../../src/tables/mod.ts";
import { inFolder, namesIn, writeGzip } from "../../_lake_files.ts";

Deno.test("what a killed builder left of a table goes when it is built again; what may be alive stays", async () => {
  await inFolder(async (folder) => {
    const lake = `${folder}/lake`;
    const minutesAgo = async (path: string, minutes: number) => {
      await Deno.mkdir(path, { recursive: true });
      const then = new Date(Date.now() - minutes * 60_000);
      await Deno.utime(path, then, then);
      return path.slice(lake.length + 1);
    };
    const mine = temporaryFolder(lake, "a");
    const [, , host] = mine.slice(lake.length).split(".");
    const noProcess = 2 ** 30;
    const goes = [
      await minutesAgo(`${lake}/.a.${host}.${noProcess}.12345678.part`, 2),
      await minutesAgo(`${lake}/.a.elsewhere.1.12345678.part`, 25 * 60),
      await minutesAgo(`${lake}/.a.${host}.${Deno.pid}.12345678.part`, 25 * 60),
    ];
    const stays = [
      await minutesAgo(mine, 2),
      await minutesAgo(`${lake}/.a.elsewhere.1.87654321.part`, 60),
      await minutesAgo(`${lake}/.a.${host}.${noProcess}.87654321.part`, 0),
      await minutesAgo(`${lake}/.b.${host}.${noProcess}.12345678.part`, 25 * 60),
    ];
    await writeGzip(`${folder}/a.csv.gz`, "Registry Accession\nx\n");
    await buildLake(`${folder}/a.csv.gz`, lake);
    const left = namesIn(lake);
    for (const name of stays) assert(left.includes(name), name);
    // Deno shows processes to those alone who may do everything: others wait for a day.
    const isProcessSeen = Deno.build.os === "linux" && await Deno.stat("/proc/1").then(() => true, () => false);
    for (const name of isProcessSeen ? goes : goes.slice(1)) assert(!left.includes(name), name);
    assert(left.includes("a"));
  });
});

Deno.test("faults of a disk have the code disk and no engine's words", () => {
  const faults: Record<string, [error: Error, words: string]> = {
    "polars, full": [new Error("No space left on device (os error 28)"), "the disk is full"],
    "DuckDB, full": [new Error('IO Error: Could not write file "x": No space left on device'), "the disk is full"],
    "Node.js, full": [new Error("ENOSPC: no space left on device, write"), "the disk is full"],
    "quota": [new Error("Disk quota exceeded (os error 122)"), "quota"],
    "read-only": [new Error("Read-only file system (os error 30): mkdir '/x'"), "can only be read"],
    "denied": [new Deno.errors.PermissionDenied("Permission denied (os error 13)"), "permission denied"],
  };
  for (const [name, [error, words]] of Object.entries(faults)) {
    assert(isDiskFault(error), name);
    const { code, message } = diskError("lake", error);
    assertEquals(code, "disk", name);
    assert(
      message.startsWith("Cannot write to lake: ") && message.includes(words) && !/os error/.test(message),
      message,
    );
  }
  assert(!isDiskFault(new RangeError("a row is too long")));
});

Deno.test("a lake cannot be made where a file is, and says so in words", async () => {
  await inFolder(async (folder) => {
    await writeGzip(`${folder}/a.csv.gz`, "Registry Accession\nx\n");
    const error = await assertRejects(() => buildLake(`${folder}/a.csv.gz`, `${folder}/a.csv.gz/lake`), RegistryError);
    assertEquals(error.code, "disk");
    assert(
      /^Cannot make the folder .*: there is a file of that name; choose another folder$/.test(error.message),
      error.message,
    );
  });
});
