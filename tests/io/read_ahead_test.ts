import { assertEquals } from "@std/assert";
import { readBytes } from "../../src/io/bytes/byte_source.ts";
import { testWithPrograms } from "../_needs.ts";

Deno.test("readBytes() gives a file's bytes in order, whatever the size of its chunks", async () => {
  const path = await Deno.makeTempFile();
  const bytes = Uint8Array.from({ length: 1000 }, (_, index) => (index * 7) % 256);
  await Deno.writeFile(path, bytes);
  for (const chunkBytes of [1, 3, 499, 500, 999, 1000, 1001]) {
    const seen: number[] = [];
    for await (const chunk of readBytes(path, { chunkBytes })) {
      // The chunk holds while its consumer takes time, though the next one is being read meanwhile.
      const before = chunk.slice();
      if (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
      assertEquals(chunk, before);
      seen.push(...chunk);
    }
    assertEquals(seen, [...bytes], `chunks of ${chunkBytes}`);
  }
  await Deno.remove(path);
});

Deno.test("readBytes() closes a file that its consumer leaves early, while the next chunk is being read", async () => {
  const path = await Deno.makeTempFile();
  await Deno.writeFile(path, new Uint8Array(1000));
  for await (const chunk of readBytes(path, { chunkBytes: 10 })) {
    assertEquals(chunk.length, 10);
    break;
  }
  // The test runner fails on a file left open, or on a read still under way.
  await Deno.remove(path);
});

testWithPrograms(
  ["mkfifo", "sh"],
  "readBytes() does not wait for a pipe's next bytes before it gives the first",
  async () => {
    const folder = await Deno.makeTempDir();
    const path = `${folder}/pipe`;
    await new Deno.Command("mkfifo", { args: [path] }).output();
    const child = new Deno.Command("sh", { args: ["-c", `exec 3> ${path}; echo acgt >&3; exec sleep 60`] }).spawn();
    for await (const chunk of readBytes(path)) {
      assertEquals(new TextDecoder().decode(chunk), "acgt\n");
      break;
    }
    child.kill("SIGKILL");
    await child.status;
    await Deno.remove(folder, { recursive: true });
  },
);
