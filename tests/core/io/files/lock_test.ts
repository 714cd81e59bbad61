import { assert, assertEquals, assertRejects } from "@std/assert";
import { RegistryError } from "../../../../src/core/errors.ts";
import { freeBytes } from "../../../../src/core/io/files/free_space.ts";
import { acquireLock } from "../../../../src/core/io/files/lock.ts";

Deno.test("acquireLock() lets one in at a time, and says that it made another wait", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/a.lock`;
  const order: string[] = [];
  const first = await acquireLock(path);
  const waiting = Promise.withResolvers<number | undefined>();
  const second = acquireLock(path, { onWait: waiting.resolve, pollMs: 1 }).then((lock) => {
    order.push("second");
    return lock;
  });
  await waiting.promise;
  order.push("first released");
  first.release();
  first.release();
  await using lock = await second;
  assertEquals(order, ["first released", "second"]);
  assertEquals(lock.reliable, true);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("acquireLock() is released when its process ends, however it ends", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/a.lock`;
  const script = `
    const { acquireLock } = await import(${
    JSON.stringify(new URL("../../../../src/core/io/files/lock.ts", import.meta.url).href)
  });
    await acquireLock(${JSON.stringify(path)});
    console.log("held");
    setInterval(() => {}, 1000);`;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-check", script],
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.getReader();
  await reader.read();
  const waiting = Promise.withResolvers<number | undefined>();
  const mine = acquireLock(path, { onWait: waiting.resolve, pollMs: 1 });
  assertEquals(await waiting.promise, child.pid, "who holds it is said");
  child.kill("SIGKILL");
  (await mine).release();
  assertEquals(Array.from(Deno.readDirSync(folder)), []);
  await reader.cancel();
  await child.status;
  await Deno.remove(folder, { recursive: true });
});

Deno.test("acquireLock() lets one in at a time though its file goes with each, and leaves none", async () => {
  const folder = await Deno.makeTempDir();
  let inside = 0;
  let most = 0;
  await Promise.all(Array.from({ length: 40 }, async () => {
    await using _lock = await acquireLock(`${folder}/a.lock`, { pollMs: 1 });
    most = Math.max(most, ++inside);
    await new Promise((resolve) => setTimeout(resolve, 1));
    inside--;
  }));
  assertEquals(most, 1);
  assertEquals(Array.from(Deno.readDirSync(folder)), []);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("acquireLock() stops waiting with the signal's reason", async () => {
  const folder = await Deno.makeTempDir();
  await using _held = await acquireLock(`${folder}/a.lock`);
  const reason = new Error("enough");
  const stop = new AbortController();
  const error = await assertRejects(
    () => acquireLock(`${folder}/a.lock`, { signal: stop.signal, onWait: () => stop.abort(reason) }),
    Error,
  );
  assertEquals(error, reason);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("acquireLock() says which file it cannot write", async () => {
  const error = await assertRejects(() => acquireLock("no/such/folder/a.lock"), RegistryError, "no/such/folder/a.lock");
  assertEquals(error.code, "disk");
});

Deno.test("freeBytes() asks the nearest folder that exists", async () => {
  const folder = await Deno.makeTempDir();
  const here = await freeBytes(folder);
  const below = await freeBytes(`${folder}/not/made/yet`);
  assert(here !== undefined && below !== undefined && here > 0 && below > 0);
  await Deno.remove(folder);
});
