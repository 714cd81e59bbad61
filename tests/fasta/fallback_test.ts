import { assertEquals } from "@std/assert";
import { gzipSync } from "node:zlib";
import { fastaStats } from "../../src/fasta/mod.ts";
import { bytesOf } from "./_naive.ts";

Deno.test("where the compiled kernels cannot run, the same is read without them", async () => {
  const path = await Deno.makeTempFile({ suffix: ".gz" });
  try {
    const text = ">a b\nACGTN\nac\n>b\nGG1\n>a\n\n";
    await Deno.writeFile(path, new Uint8Array(gzipSync(bytesOf(text))));
    const source = new URL("../../src/fasta/mod.ts", import.meta.url);
    const code = `import { fastaStats } from ${JSON.stringify(source)};
      WebAssembly.validate = () => false;
      WebAssembly.Module = class { constructor() { throw new Error("no kernel can be compiled"); } };
      const stats = [await fastaStats(${JSON.stringify(path)}), await fastaStats(new TextEncoder().encode(${
      JSON.stringify(text)
    }))];
      console.log(JSON.stringify(stats));`;
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["eval", "--quiet", "--no-check", code],
      signal: AbortSignal.timeout(30_000),
    }).output();
    const expected = [await fastaStats(path), await fastaStats(bytesOf(text))];
    assertEquals(new TextDecoder().decode(stderr), "");
    assertEquals(JSON.parse(new TextDecoder().decode(stdout)), JSON.parse(JSON.stringify(expected)));
  } finally {
    await Deno.remove(path);
  }
});
