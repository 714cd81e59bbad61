import { assertEquals } from "@std/assert";
import { RepeatedNotes } from "../../../src/cli/service/repeated_notes.ts";

Deno.test("RepeatedNotes passes on the first of a kind, and the number of the others at the end", () => {
  const seen: string[] = [];
  {
    using notes = new RepeatedNotes((line) => seen.push(line));
    for (let time = 0; time < 5; time++) notes.say("full");
    notes.say("gone", 3);
    notes.say("once");
    assertEquals(seen, ["full", "gone", "once"]);
  }
  assertEquals(seen.slice(3), ["full (4 more)", "gone (2 more)"]);
});

Deno.test("RepeatedNotes tells what repeats once in a while, and what comes again later at once", async () => {
  const { promise: told, resolve } = Promise.withResolvers<void>();
  const seen: string[] = [];
  using notes = new RepeatedNotes((line) => {
    seen.push(line);
    if (line.endsWith("more)")) resolve();
  }, 5);
  const last = setTimeout(() => {}, 1000);
  notes.say("full");
  notes.say("full");
  await told;
  clearTimeout(last);
  assertEquals(seen, ["full", "full (1 more)"]);
});

Deno.test("RepeatedNotes holds a bounded number of kinds", () => {
  const seen: string[] = [];
  {
    using notes = new RepeatedNotes((line) => seen.push(line));
    for (let kind = 0; kind < 1000; kind++) notes.say(`fault ${kind}`);
  }
  assertEquals([seen.length, seen.slice(50)], [52, ["other faults", "other faults (949 more)"]]);
});
