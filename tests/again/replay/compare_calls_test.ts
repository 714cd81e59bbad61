import { assertEquals } from "@std/assert";
import { compareCalls } from "../../../src/again/replay/compare_calls.ts";
import { callLines } from "../../../src/again/replay/replay_text.ts";
import { SPECIFICATION_NAMING } from "../../../src/core/contract/naming.ts";
import { sha256Of } from "../../../src/core/io/digest/sha256.ts";
import { LockBodies } from "../../../src/core/registry/lock/lock_bodies.ts";
import { type LockedCalls, readLock } from "../../../src/core/registry/lock/lock_file.ts";
import { startSetDigest } from "../../../src/core/registry/lock/set_digest.ts";
import { Registry } from "../../../src/core/registry/mod.ts";
import { facetedFolder, type TestFolder } from "../../core/registry/_archives.ts";

/** Records each kind of answer that holds records. */
async function record({ folder, cacheFolder }: TestFolder, cache: string, lock: string): Promise<LockedCalls> {
  await using registry = await Registry.open(folder, { cacheFolder: cache, lock });
  await registry.searchPage("country:Kenya", { pageSize: 50 });
  await registry.metadata({ query: "host_species:bat" });
  await registry.sequences({ ids: ["vj000000000001", "vj000000000004"] });
  await registry.searchPage("country:Mali");
  await registry.close();
  assertEquals(cacheFolder.length > 0, true);
  return (await readLock(lock))!;
}

Deno.test("answers of a registry that changed are explained record by record", async () => {
  const country = (number: number) => number % 2 === 0 ? "Kenya" : "Peru";
  await using before = await facetedFolder(12, (number) => [country(number), "bat"]);
  // Record 3 moves from Peru to Kenya, record 5 from bat to Bat; records 13 and 14 are new.
  await using after = await facetedFolder(14, (number) => [
    number === 3 ? "Kenya" : country(number),
    number === 5 ? "pig" : "bat",
  ]);
  const cache = before.cacheFolder;
  const locked = await record(before, cache, `${cache}.old.lock`);
  const asked = await record(after, cache, `${cache}.new.lock`);
  const options = { bodies: new LockBodies(cache), naming: SPECIFICATION_NAMING };
  assertEquals((await compareCalls(locked, locked, options)).every(({ outcome }) => outcome === "same"), true);

  const calls = await compareCalls(locked, asked, options);
  const byWords = (words: string) => calls.find(({ request }) => JSON.stringify(request).includes(words))!;
  const search = byWords("country:Kenya");
  assertEquals([search.outcome, search.values?.total], ["differs", ["6", "8"]]);
  assertEquals(search.changes?.map(({ kind, key }) => [kind, key]), [
    ["added", "vj000000000003"],
    ["added", "vj000000000014"],
  ]);
  const metadata = byWords("host_species:bat");
  assertEquals(
    metadata.changes?.map(({ kind, key, fields }) => [kind, key, fields.Country?.new ?? null]),
    [["changed", "vj000000000003", "Kenya"], ["removed", "vj000000000005", null], ["added", "vj000000000013", "Peru"], [
      "added",
      "vj000000000014",
      "Kenya",
    ]],
  );
  assertEquals(byWords("country:Mali").outcome, "same");
  assertEquals(calls.filter(({ operation }) => operation === "sequence").map(({ outcome }) => outcome), ["same"]);
});

Deno.test("a lock whose facts of an answer were changed is not the same, though the bytes are", async () => {
  await using folder = await facetedFolder(6, () => ["Kenya", "bat"]);
  const locked = await record(folder, folder.cacheFolder, `${folder.cacheFolder}.lock`);
  const options = { bodies: new LockBodies(folder.cacheFolder), naming: SPECIFICATION_NAMING };
  for (
    const changed of [{ records: 7 }, { bytes: 1 }, { set: "0".repeat(64) }, { archive: "0".repeat(64) }]
  ) {
    const edited = new Map([...locked].map(([key, call]) => [key, { ...call, ...changed }]));
    const [call] = await compareCalls(edited, locked, options);
    assertEquals([call.outcome, Object.keys(call.values ?? {})], ["differs", Object.keys(changed)]);
    assertEquals(call.reason?.includes("restore it"), true);
  }
});

Deno.test("a call whose list of accessions differs is compared with the one that the lock has", async () => {
  await using folder = await facetedFolder(60, (number) => [number % 3 === 0 ? "Kenya" : "Peru", "bat"]);
  const record = async (name: string, ids: readonly string[]) => {
    const lock = `${folder.cacheFolder}.${name}`;
    await using registry = await Registry.open(folder.folder, { cacheFolder: folder.cacheFolder, lock });
    await registry.metadata({ ids });
    await registry.close();
    return (await readLock(lock))!;
  };
  const ids = Array.from({ length: 40 }, (_, index) => `vj0000000000${String(index + 10)}`);
  const locked = await record("old", ids);
  const asked = await record("new", ids.slice(1));
  const calls = await compareCalls(locked, asked, {
    bodies: new LockBodies(folder.cacheFolder),
    naming: SPECIFICATION_NAMING,
  });
  const differing = calls.filter(({ outcome }) => outcome === "differs");
  assertEquals(differing.map(({ changes }) => changes?.map(({ kind, key }) => [kind, key])), [[["removed", ids[0]]]]);
  assertEquals(locked.has(differing[0].comparedWith!), true);
});

Deno.test("an answer without records is compared with one that has some", async () => {
  await using before = await facetedFolder(3, () => ["Kenya", "bat"]);
  await using after = await facetedFolder(6, () => ["Kenya", "bat"]);
  const cache = before.cacheFolder;
  const record = async (folder: string, lock: string) => {
    await using registry = await Registry.open(folder, { cacheFolder: cache, lock });
    await registry.sequences({ ids: ["vj000000000005"] });
    await registry.close();
    return (await readLock(lock))!;
  };
  const locked = await record(before.folder, `${cache}.old.lock`);
  const asked = await record(after.folder, `${cache}.new.lock`);
  const options = { bodies: new LockBodies(cache), naming: SPECIFICATION_NAMING };
  for (const [one, other, kind] of [[locked, asked, "added"], [asked, locked, "removed"]] as const) {
    const [{ outcome, changes, reason }] = await compareCalls(one, other, options);
    assertEquals(
      [outcome, changes?.map(({ kind, key }) => [kind, key])],
      ["differs", [[kind, "vj000000000005"]]],
      reason,
    );
  }
});

Deno.test("fields that only one answer has are named", async () => {
  await using folder = await facetedFolder(3, () => ["Kenya", "bat"]);
  const bodies = new LockBodies(folder.cacheFolder);
  const answer = async (text: string): Promise<LockedCalls> => {
    const sha256 = sha256Of(text);
    const bytes = new TextEncoder().encode(text);
    const writer = await bodies.start();
    writer.write(bytes);
    writer.commit(sha256);
    const set = startSetDigest("text/csv");
    set.update(bytes);
    const [call] = [...(await record(folder, folder.cacheFolder, `${folder.cacheFolder}.lock`)).values()];
    const answered = { ...call, mediaType: "text/csv", ...set.digest(), sha256, bytes: bytes.length };
    return new Map([["0".repeat(64), answered]]);
  };
  const [one, other] = [await answer("accession,Country\na,Kenya\n"), await answer("accession,Host\na,bat\n")];
  const [call] = await compareCalls(one, other, { bodies, naming: SPECIFICATION_NAMING });
  assertEquals([call.outcome, call.values], ["differs", { fields: ['["Country"]', '["Host"]'] }]);
  assertEquals(callLines(call)[1], '  fields: "[\\"Country\\"]" → "[\\"Host\\"]"');
});

Deno.test("a record is a line, whatever is in its key", () => {
  const change = { table: "a", kind: "added" as const, key: "a\n  - b", fields: {} };
  const counts = { old: 0, new: 1, added: 1, removed: 0, changed: 0, unchanged: 0 };
  const call = { key: "0".repeat(64), operation: "search", request: {}, outcome: "differs" as const };
  assertEquals(callLines({ ...call, counts, changes: [change] }).at(-1), "  + a\\u{a}  - b");
});
