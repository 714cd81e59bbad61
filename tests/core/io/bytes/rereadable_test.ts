/** Streams that are put aside to be read again. */
import { assertEquals, assertRejects } from "@std/assert";
import { rereadable } from "../../../../src/core/io/bytes/rereadable.ts";
import { IN_USE_FILE } from "../../../../src/core/io/files/folder_use.ts";
import { RegistryError } from "../../../../src/core/errors.ts";
import { inFolder } from "../../../_files.ts";
import { testNeeding } from "../../../_needs.ts";
import { needsSmallDisk, onSmallDisk } from "../../../_small_disk.ts";
import { testAlone } from "../../../_test_alone.ts";

/** Runs work with a temporary directory of its own. */
async function withTemporaryDirectory(
  work: (folder: string, names: () => string[]) => Promise<void>,
  within: (work: (folder: string) => Promise<void>) => Promise<void> = inFolder,
): Promise<void> {
  const former = Deno.env.get("TMPDIR");
  await within(async (folder) => {
    Deno.env.set("TMPDIR", folder);
    try {
      await work(folder, () => Array.from(Deno.readDirSync(folder), ({ name }) => name));
    } finally {
      if (former === undefined) Deno.env.delete("TMPDIR");
      else Deno.env.set("TMPDIR", former);
    }
  });
}

testAlone(import.meta.url, {
  name: "a stream is put aside in a temporary folder, and what a killed program left of one is removed",
  ignore: Deno.build.os === "windows",
}, async () => {
  await withTemporaryDirectory(async (folder, names) => {
    const left = `${folder}/seqreg-input-left`;
    await Deno.mkdir(left);
    await Deno.writeTextFile(`${left}/${IN_USE_FILE}`, "");
    const then = new Date(Date.now() - 25 * 3_600_000);
    await Deno.utime(`${left}/${IN_USE_FILE}`, then, then);
    {
      await using stored = await rereadable(ReadableStream.from([Uint8Array.of(1), Uint8Array.of(2)]));
      const path = String(stored.source);
      assertEquals(await Deno.readFile(path), Uint8Array.of(1, 2));
      assertEquals(names().map((name) => path.startsWith(`${folder}/${name}/`)), [true]);
    }
    assertEquals(names(), []);
  });
});

testAlone(import.meta.url, {
  name: "of a stream that fails nothing is left",
  ignore: Deno.build.os === "windows",
}, async () => {
  await withTemporaryDirectory(async (_folder, names) => {
    const failing = async function* () {
      yield Uint8Array.of(1);
      throw new Error("it broke");
    };
    await assertRejects(() => rereadable(failing()), Error, "it broke");
    assertEquals(names(), []);
  });
});

testNeeding(needsSmallDisk(), "a temporary directory without space for a stream is named", async () => {
  await withTemporaryDirectory(async (folder, names) => {
    const chunks = ReadableStream.from(Array.from({ length: 10 }, () => new Uint8Array(64 << 10)));
    const error = await assertRejects(() => rereadable(chunks), RegistryError);
    const says =
      `Cannot write temporary files to ${folder}, which TMPDIR names: the disk is full; free some space there`;
    assertEquals([error.code, error.message.startsWith(says)], ["disk", true], error.message);
    assertEquals(names(), []);
  }, (work) => onSmallDisk(128, work));
}, { alone: import.meta.url });
