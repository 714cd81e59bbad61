import { assertEquals } from "@std/assert";
import { textFile } from "../../../../tools/packages/toolkit/packed_file.ts";
import { writeZip } from "../../../../tools/packages/wheel/zip.ts";
import { testWithPrograms } from "../../../_needs.ts";

const FILES = [
  textFile("a folder/plain.txt", "plain\n".repeat(1000)),
  textFile("empty", ""),
  textFile("short", "x"),
  textFile("å/日本.txt", "not ASCII"),
  textFile("run me", "#!/bin/sh\n", true),
];

async function zip(): Promise<Uint8Array> {
  const chunks = await Array.fromAsync(writeZip(FILES));
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

Deno.test("the same files give the same zip archive", async () => {
  assertEquals(await zip(), await zip());
});

testWithPrograms(["python3"], "Python reads what writeZip() wrote", async () => {
  const path = await Deno.makeTempFile({ suffix: ".zip" });
  await Deno.writeFile(path, await zip());
  const program = "import sys, zipfile, json\n" +
    "z = zipfile.ZipFile(sys.argv[1])\n" +
    "assert z.testzip() is None\n" +
    "print(json.dumps([[i.filename, z.read(i).decode(), i.date_time[0], i.external_attr >> 16] for i in z.infolist()]))";
  const { stdout } = await new Deno.Command("python3", { args: ["-c", program, path] }).output();
  const expected = await Promise.all(FILES.map(async ({ path, read, executable }) => {
    return [path, new TextDecoder().decode(await read()), 2000, executable ? 0o100755 : 0o100644];
  }));
  assertEquals(JSON.parse(new TextDecoder().decode(stdout)), expected);
  await Deno.remove(path);
});
