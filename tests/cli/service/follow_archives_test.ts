import { assert, assertEquals } from "@std/assert";
import { followArchives, Hangups } from "../../../src/cli/service/follow_archives.ts";
import type { RegistryStore } from "../../../src/embedded/service/mod.ts";

/** What looks find, one after the other: new archives, none, or a fault. */
async function follow(looks: readonly (boolean | string)[], everyMs: number): Promise<string[]> {
  const over = new AbortController();
  const lines: string[] = [];
  let onHangup = () => {};
  const hangups = new Hangups({ onHangup: (act) => onHangup = act });
  const ask = () => {
    if (everyMs === Infinity) onHangup();
  };
  let look = 0;
  const registry = {
    store: { recordCount: 7 } as RegistryStore,
    renew() {
      const found = looks[look++];
      if (look === looks.length) over.abort();
      else ask();
      return typeof found === "string" ? Promise.reject(new Error(found)) : Promise.resolve(found);
    },
  };
  ask();
  await followArchives(registry, { everyMs, hangups }, {
    signal: over.signal,
    note: (line) => lines.push(line),
    summary: (line) => lines.push(line),
  });
  return lines;
}

const STILL = "still serving the previous archives:";
const none = (looks: number) => Array.from({ length: looks }, () => false);

Deno.test("followArchives() reports a fault once, and again when looks between found none", async () => {
  const looks = ["gone", "gone", ...none(3), "gone", ...none(10), "gone", "gone", "other", true, "other", false];
  assertEquals(await follow(looks, 1), [
    `${STILL} gone`,
    `${STILL} gone`,
    `${STILL} other`,
    "new archives: now serving 7 records",
    `${STILL} other`,
  ]);
});

Deno.test("followArchives() reports each look that a hangup asked for", async () => {
  assertEquals(await follow(["gone", "gone", false, true, false], Infinity), [
    `${STILL} gone`,
    `${STILL} gone`,
    "no new archives",
    "new archives: now serving 7 records",
    "no new archives",
  ]);
});

Deno.test("followArchives() holds nothing of the looks before: a registry looks for months", async () => {
  const before = Deno.memoryUsage().heapUsed;
  await follow(none(500_000), Infinity);
  const grown = (Deno.memoryUsage().heapUsed - before) / 2 ** 20;
  assert(grown < 80, `${grown.toFixed()} MiB`);
});
