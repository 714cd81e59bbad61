import { assertEquals, assertRejects } from "@std/assert";
import { askAgain } from "../../../src/again/replay/ask_again.ts";
import { RegistryError } from "../../../src/core/errors.ts";
import { Registry } from "../../../src/core/registry/mod.ts";
import { type LockedCall, readLock } from "../../../src/core/registry/lock/lock_file.ts";
import { inFolder } from "../../_files.ts";

Deno.test("askAgain() fails with a refusal that passes, and takes another for the answer", async () => {
  await inFolder(async (cacheFolder) => {
    const lock = `${cacheFolder}/seqreg.lock`;
    let status = 422;
    const fetch = () => Promise.resolve(Response.json({ detail: "refused" }, { status }));
    const open = (target: string | undefined, lock: string) => Registry.open(target, { cacheFolder, lock, fetch });
    {
      await using registry = await open("http://registry.test", lock);
      await assertRejects(() => registry.searchPage("country:Kenya"), RegistryError);
    }
    const calls = (await readLock(lock))!;
    const ask = async (
      calls: ReadonlyMap<string, LockedCall>,
    ) => [...(await askAgain(calls, { open, cacheFolder, signal: new AbortController().signal })).values()];
    assertEquals((await ask(calls)).map(({ status }) => status), [422]);
    status = 401;
    await assertRejects(() => ask(calls), RegistryError, "401");
  });
});

Deno.test("askAgain() asks once more what was asked a second time, to compare the answers", async () => {
  await inFolder(async (cacheFolder) => {
    const lock = `${cacheFolder}/seqreg.lock`;
    const fetch = () => Promise.resolve(Response.json({ total: 0, results: [], facets: {}, query: "" }));
    const open = (target: string | undefined, lock: string) => Registry.open(target, { cacheFolder, lock, fetch });
    {
      await using registry = await open("http://registry.test", lock);
      for (const again of [false, true]) await registry.client.search({ query: "country:Kenya" }, { again });
    }
    const calls = (await readLock(lock))!;
    const answers = await askAgain(calls, { open, cacheFolder, signal: new AbortController().signal });
    assertEquals([calls.size, [...answers.keys()].sort()], [2, [...calls.keys()].sort()]);
  });
});
