import { assert } from "@std/assert";

/** Resident memory, in MiB, of a new process that has filled and freed a block of 16 MiB. */
async function residentMb(isKept: boolean): Promise<number> {
  const module = new URL("../../../../src/core/tables/types/keep_freed_memory.ts", import.meta.url);
  const code = `import { keepFreedMemory } from ${JSON.stringify(module)};
    if (${isKept}) keepFreedMemory();
    new Uint8Array(16 << 20).fill(1).buffer.transfer(0);
    console.log(Deno.memoryUsage().rss / 2 ** 20);`;
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["eval", "--no-check", code] }).output();
  return Number(new TextDecoder().decode(stdout));
}

Deno.test({
  name: "keepFreedMemory() makes glibc keep a freed block",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const [kept, returned] = await Promise.all([residentMb(true), residentMb(false)]);
    assert(kept - returned > 8, `${kept} MiB, ${returned} MiB without it`);
  },
});
