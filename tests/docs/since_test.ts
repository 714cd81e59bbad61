/** In which version a name came: recorded at a release, and never changed afterwards. */
import { assert, assertEquals } from "@std/assert";
import { COMMANDS_ENTRY, NEXT_VERSION, readSince, recordNames, sinceOf } from "../../tools/docs/_since.ts";
import config from "../../deno.json" with { type: "json" };
import { COMMANDS } from "../../src/cli/_commands.ts";

Deno.test("a release records what is new, and leaves what earlier versions brought", () => {
  const first = recordNames({}, { ".": ["Registry"] }, "0.1.0");
  assertEquals(sinceOf(first, ".", "Registry"), "0.1.0");
  assertEquals(sinceOf(first, ".", "live"), NEXT_VERSION);
  const second = recordNames(first, { ".": ["live", "Registry"], "./alike": ["nearest"] }, "0.2.0");
  assertEquals(second, { "0.1.0": { ".": ["Registry"] }, "0.2.0": { ".": ["live"], "./alike": ["nearest"] } });
  assertEquals(recordNames(second, { ".": ["live", "Registry"] }, "0.2.0"), second);
});

Deno.test("tools/docs/since.json is about entry points and commands that there are", async () => {
  const since = await readSince();
  for (const [version, entries] of Object.entries(since)) {
    assert(/^\d+\.\d+\.\d+$/.test(version), version);
    for (const entry of Object.keys(entries)) {
      assert(entry === COMMANDS_ENTRY || Object.hasOwn(config.exports, entry), entry);
    }
  }
  for (const name of ["search", "lake", "fasta stats"]) {
    assert(COMMANDS.has(name) && sinceOf(since, COMMANDS_ENTRY, name) === "0.1.0", name);
  }
  assert(COMMANDS.has("diff") && sinceOf(since, COMMANDS_ENTRY, "diff") !== "0.1.0");
});
