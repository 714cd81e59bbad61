import { assert, assertEquals } from "@std/assert";
import type { SearchHit } from "../../../../src/core/contract/search.ts";
import { HitStore } from "../../../../src/core/registry/results/hit_store.ts";
import { releaseFrames } from "../../../../src/core/tables/types/release_frames.ts";
import { testAlone } from "../../../_test_alone.ts";

const hit = (number: number): SearchHit => ({
  id: String(number),
  score: number / 2,
  source: {
    "Registry Accession": `vj${String(number).padStart(12, "0")}`,
    Number: 9007199254740993n,
    Hosts: ["a", "b"],
  },
});

Deno.test("HitStore returns the hits that it was given, in memory and from a temporary folder", async () => {
  const hits = Array.from({ length: 3456 }, (_, index) => hit(index));
  for (const mostHeld of [20_000, 100]) {
    const store = new HitStore({ mostHeld });
    for (let from = 0; from < hits.length; from += 700) await store.add(hits.slice(from, from + 700));
    const list = store.list();

    assert(Array.isArray(list));
    assertEquals(list.length, hits.length);
    assertEquals([...list], hits);
    assertEquals([list[0], list[999], list[1000], list[3455]], [hits[0], hits[999], hits[1000], hits[3455]]);
  }
});

Deno.test("the hits of a list that is dropped while it is read come to its end", async () => {
  const iterate = async () => {
    const store = new HitStore({ mostHeld: 100 });
    await store.add(Array.from({ length: 3456 }, (_, index) => hit(index)));
    return store.list().values();
  };
  const hits = await iterate();
  // Nothing refers to the list itself any more.
  for (let turn = 0; turn < 3; turn++) await releaseFrames();
  assertEquals([...hits].map(({ id }) => Number(id)), Array.from({ length: 3456 }, (_, index) => index));
});

testAlone(import.meta.url, "HitStore removes its temporary folder, unless a list reads from it", async () => {
  const temporary = await Deno.makeTempDir();
  const before = Deno.env.get("TMPDIR");
  Deno.env.set("TMPDIR", temporary);
  try {
    const hits = Array.from({ length: 1200 }, (_, index) => hit(index));
    const folders = () => [...Deno.readDirSync(temporary)].length;
    {
      using store = new HitStore({ mostHeld: 100 });
      await store.add(hits);
      assertEquals(folders(), 1);
    }
    assertEquals(folders(), 0);
    let list: readonly SearchHit[] = [];
    {
      using store = new HitStore({ mostHeld: 100 });
      await store.add(hits);
      list = store.list();
    }
    assertEquals([folders(), list[0]], [1, hits[0]]);
  } finally {
    if (before === undefined) Deno.env.delete("TMPDIR");
    else Deno.env.set("TMPDIR", before);
    await Deno.remove(temporary, { recursive: true });
  }
});
