import { assertEquals, assertThrows } from "@std/assert";
import { join } from "node:path";
import { DamagedFileError } from "../../../../src/embedded/service/files/damaged_file.ts";
import { FileReader } from "../../../../src/embedded/service/files/file_reader.ts";
import { FileWriter } from "../../../../src/embedded/service/files/file_writer.ts";

Deno.test("files beyond a few are opened again when they are read, and one that is gone by then is damaged", async () => {
  const folder = await Deno.makeTempDir();
  const paths = Array.from({ length: 80 }, (_, number) => join(folder, String(number)));
  for (const path of paths) {
    const file = new FileWriter(path);
    file.append(new TextEncoder().encode(path));
    file.close();
  }
  {
    using open = new DisposableStack();
    const readers = paths.map((path) => open.use(new FileReader(path)));
    for (const turn of [0, 1]) {
      for (const [number, path] of paths.entries()) {
        const [at, bytes] = turn === 0 ? [0, path.length] : [1, path.length - 1];
        assertEquals(new TextDecoder().decode(readers[number].read(at, bytes)), path.slice(at));
      }
    }
    readers[3][Symbol.dispose]();
    assertThrows(() => readers[3].read(0, 1), TypeError, "closed");
    await Deno.remove(folder, { recursive: true });
    assertThrows(() => readers[0].read(0, paths[0].length), DamagedFileError, "it is no longer there");
    assertEquals(new TextDecoder().decode(readers[79].read(0, paths[79].length)), paths[79]);
  }
});

Deno.test("a file that is removed while it is written to is not made again", async () => {
  const folder = await Deno.makeTempDir();
  const file = new FileWriter(join(folder, "a"));
  file.append(new Uint8Array(3));
  await Deno.remove(folder, { recursive: true });
  assertThrows(() => file.close(), Error, "ENOENT");
});
