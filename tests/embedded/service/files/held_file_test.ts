import { assertEquals, assertRejects } from "@std/assert";
import { join } from "node:path";
import { RegistryError } from "../../../../src/core/errors.ts";
import { sha256Of } from "../../../../src/core/io/digest/sha256.ts";
import { HeldFile } from "../../../../src/embedded/service/files/held_file.ts";
import { inFolder } from "../../../_files.ts";

const TEXT = "the old release";

/** Times of files are told apart by the second, at worst. */
const nextSecond = () => new Promise((resolve) => setTimeout(resolve, 1005 - Date.now() % 1000));

/** Overwrites a file, and puts its time back. */
async function overwrite(path: string): Promise<void> {
  const { atime, mtime } = await Deno.stat(path);
  await Deno.writeTextFile(path, TEXT.replace("old", "odd"));
  await Deno.utime(path, atime!, mtime!);
}

interface Change {
  change(path: string, file: HeldFile): Promise<void>;
  readonly isSent: boolean;
  readonly isAt?: boolean;
}

const CHANGES: Readonly<Record<string, Change>> = {
  "nothing": { change: () => Promise.resolve(), isSent: true },
  "it is removed": { change: (path) => Deno.remove(path), isSent: true, isAt: false },
  "another one takes its name": {
    async change(path) {
      await Deno.writeTextFile(`${path}.new`, TEXT.replace("old", "new"));
      await Deno.rename(`${path}.new`, path);
    },
    isSent: true,
    isAt: false,
  },
  "it has a second name": { change: (path) => Deno.link(path, `${path}.link`), isSent: true },
  "its times change alone": { change: (path) => Deno.utime(path, 1, 1), isSent: true },
  "its mode changes alone": { change: (path) => Deno.chmod(path, 0o600), isSent: true },
  "the same is written again": { change: (path) => Deno.writeTextFile(path, TEXT), isSent: true },
  "one byte changes": { change: (path) => Deno.writeTextFile(path, TEXT.replace("old", "odd")), isSent: false },
  "one byte changes, and its time is put back": { change: overwrite, isSent: false },
  "it has a second name, and one byte changes later": {
    async change(path, file) {
      await Deno.link(path, `${path}.link`);
      await file.check();
      await nextSecond();
      await overwrite(path);
    },
    isSent: false,
  },
  "one byte changes, and it has a second name later": {
    async change(path, file) {
      await overwrite(path);
      await assertRejects(() => file.check(), RegistryError, "it was overwritten");
      await Deno.link(path, `${path}.link`);
    },
    isSent: false,
  },
  "it is cut": { change: (path) => Deno.truncate(path, 3), isSent: false },
  "it grows": { change: (path) => Deno.writeTextFile(path, "s", { append: true }), isSent: false },
};

Deno.test("a held file gives the bytes that it had, whatever has its name, or says that they are gone", async (t) => {
  await inFolder(async (folder) => {
    await using files = new AsyncDisposableStack();
    const held = new Map<string, HeldFile>();
    for (const what of Object.keys(CHANGES)) {
      await Deno.writeTextFile(join(folder, what), TEXT);
      held.set(what, files.use(await HeldFile.open(join(folder, what), sha256Of(TEXT))));
    }
    await nextSecond();
    for (const [what, { change, isSent, isAt = true }] of Object.entries(CHANGES)) {
      await t.step(what, async () => {
        const file = held.get(what)!;
        await change(file.path, file);
        const read = async (position: number) => {
          const bytes = new Uint8Array(100);
          return new TextDecoder().decode(bytes.subarray(0, await file.read(bytes, position)));
        };
        if (isSent) {
          assertEquals(await Promise.all([read(0), read(4), read(99)]), [TEXT, TEXT.slice(4), ""]);
          await file.check();
        } else {
          await assertRejects(() => read(0), RegistryError, "it was overwritten");
          await assertRejects(() => file.check(), RegistryError, "it was overwritten");
        }
        assertEquals(await file.isAt(file.path), isAt);
      });
    }
  });
});

Deno.test("a held file that was overwritten is sent again when it is as it was", async () => {
  const path = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(path, TEXT);
    using file = await HeldFile.open(path, sha256Of(TEXT));
    await nextSecond();
    await Deno.writeTextFile(path, "");
    await assertRejects(() => file.check(), RegistryError, "it was overwritten");
    await Deno.writeTextFile(path, TEXT);
    await nextSecond();
    await nextSecond();
    await file.check();
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("verify() digests a held file though nothing tells that it has changed", async () => {
  const path = await Deno.makeTempFile();
  try {
    using file = await HeldFile.open(path, sha256Of(TEXT));
    await file.check();
    await assertRejects(() => file.verify(), RegistryError, "it was overwritten");
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("a held file gives no bytes that it had for a while, and none that were written during a proof", async (t) => {
  const path = await Deno.makeTempFile();
  const bytes = new Uint8Array(1 << 26);
  try {
    await Deno.writeFile(path, bytes);
    using file = await HeldFile.open(path, sha256Of(bytes));
    await nextSecond();
    const overwrite = (byte: number) => {
      using other = Deno.openSync(path, { write: true });
      other.writeSync(Uint8Array.of(byte));
    };
    const firstByte = async (into: Uint8Array) => {
      try {
        await file.read(into, 0);
        return into[0];
      } catch (cause) {
        if (cause instanceof RegistryError) return "refused";
        throw cause;
      }
    };
    await t.step("restored before it is looked at", async () => {
      overwrite(1);
      const buffers = Array.from({ length: 50 }, () => new Uint8Array(1));
      const reads = buffers.map(firstByte);
      while (buffers[0][0] === 0) await new Promise((resolve) => setTimeout(resolve));
      overwrite(0);
      for (const read of reads) assertEquals([0, "refused"].includes(await read), true);
    });
    await t.step("overwritten while it is proved", async () => {
      await nextSecond();
      await nextSecond();
      overwrite(0);
      const proof = file.check();
      await new Promise((resolve) => setTimeout(resolve, 15));
      overwrite(1);
      assertEquals(await firstByte(new Uint8Array(1)), "refused");
      await proof.catch(() => {});
    });
  } finally {
    await Deno.remove(path);
  }
});
