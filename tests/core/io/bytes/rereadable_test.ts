/** Streams that are put aside to be read again. */
import { assertEquals, assertRejects } from "@std/assert";
import { rereadable } from "../../../../src/core/io/bytes/rereadable.ts";
import { IN_USE_FILE } from "../../../../src/core/io/files/folder_use.ts";
import { inFolder } from "../../../_files.ts";

/** Runs work with a temporary directory of its own. */
async function withTemporaryDirectory(work: (folder: string, names: () => string[]) => Promise<void>): Promise<void> {
  const former = Deno.env.get("TMPDIR");
  await inFolder(async (folder) => {
    Deno.env.set("TMPDIR", folder);
    try {
      await work(folder, () => Array.from(Deno.readDirSync(folder), ({ name }) => name));
    } finally {
      if (former === undefined) Deno.env.delete("TMPDIR");
      else Deno.env.set("TMPDIR", former);
    }
  });
}

Deno.test({
  name: "a stream is put aside in a temporary folder, and what a killed program left of one is removed",
  ignore: Deno.build.os === "windows",
  async fn() {
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
  },
});

Deno.test({
  name: "of a stream that fails nothing is left",
  ignore: Deno.build.os === "windows",
  async fn() {
    await withTemporaryDirectory(async (_folder, names) => {
      const failing = async function* () {
        yield Uint8Array.of(1);
        throw new Error("it broke");
      };
      await assertRejects(() => rereadable(failing()), Error, "it broke");
      assertEquals(names(), []);
    });
  },
});
