/**
 * Imports a folder in a process of its own and prints when each of its tasks began and was last heard of: `FOLDER
 * CACHE`.
 */
import { openStore } from "../../src/embedded/service/registry/open_store.ts";

const [folder, cacheFolder] = Deno.args;
const begun = performance.now();
const tasks: Record<string, [first: number, last: number]> = {};
const store = await openStore(folder, {
  cacheFolder,
  onProgress({ task }) {
    const now = performance.now() - begun;
    tasks[task] = [tasks[task]?.[0] ?? now, now];
  },
});
const totalMs = performance.now() - begun;
await store[Symbol.asyncDispose]();
console.log(JSON.stringify({ totalMs, tasks }));
