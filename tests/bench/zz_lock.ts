import { join } from "node:path";
import { Registry } from "../../src/core/registry/mod.ts";
const [url, lockMode, rounds] = Deno.args;
const root = await Deno.makeTempDir();
const ts: number[] = [];
for (let r = 0; r < Number(rounds); r++) {
  const t = performance.now();
  {
    await using registry = await Registry.open(url, { cacheFolder: join(root, `${r}`), lock: lockMode === "lock" ? join(root, `${r}.lock`) : "" });
    const t1 = performance.now();
    for (let page = 1; page <= 40; page++) await registry.searchPage("sequence_length:>0", { pageNumber: page });
    if (r === Number(rounds) - 1) console.log("open", (t1 - t).toFixed(1), "calls", (performance.now() - t1).toFixed(1));
  }
  ts.push(performance.now() - t);
}
console.log(lockMode, ts.map((x) => x.toFixed(0)).join(" "), "last");
await Deno.remove(root, { recursive: true });
