import { assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { alignGenomes } from "../../../src/alike/mod.ts";
import { type FamilyMember, familyMembers } from "../../../src/embedded/sample/mod.ts";

const MEMBERS = [...familyMembers({ families: 60, members: 12, seed: 5 })].filter(({ sequence }) =>
  sequence.length < 30_000
);
const decoder = new TextDecoder();

function membersThatAre(kind: FamilyMember["kinds"][number]): FamilyMember[] {
  return MEMBERS.filter(({ kinds }) => kinds.includes(kind));
}

function ancestorOf({ family }: FamilyMember): FamilyMember {
  return MEMBERS.find((member) => member.family === family && member.kinds[0] === "ancestor")!;
}

Deno.test("familyMembers() makes the same bases again, other ones from another seed", () => {
  const [first, again, other] = [1, 1, 2].map((seed) =>
    [...familyMembers({ families: 2, seed })].map(({ sequence }) => decoder.decode(sequence))
  );
  assertEquals(again, first);
  assertEquals(other.some((sequence) => first.includes(sequence)), false);
});

Deno.test("an option of families that is undefined is one that is not given", () => {
  const given = [...familyMembers({ families: 2, members: undefined, seed: undefined, leastIdentity: undefined })];
  assertEquals(given, [...familyMembers({ families: 2 })]);
});

Deno.test("an alignment finds the identity that is stated, whatever a member is", () => {
  const checked = MEMBERS.filter(({ kinds, identity }) => identity > 0.88 && !kinds.includes("gapped"));
  assertEquals(checked.length > 100, true);
  for (const member of checked) {
    const { ani, strand, alignedFraction } = alignGenomes(member.sequence, ancestorOf(member).sequence);
    assertAlmostEquals(ani, member.identity, 0.01, member.id);
    assertEquals(strand, member.kinds.includes("reverse") ? "-" : "+");
    assertAlmostEquals(alignedFraction, member.ownBases / member.sequence.length, 0.05, member.id);
  }
});

Deno.test("every kind of member is what it is called", () => {
  for (const member of membersThatAre("duplicate")) {
    assertEquals([member.identity, member.sequence.length], [1, ancestorOf(member).sequence.length]);
  }
  for (const { start, end, ...member } of membersThatAre("truncated")) {
    assertEquals(end - start < ancestorOf({ start, end, ...member }).sequence.length, true);
  }
  for (const { sequence } of membersThatAre("gapped")) assertEquals(/NN?/.test(decoder.decode(sequence)), true);
  for (const { appended, ownBases, sequence } of membersThatAre("chimera")) {
    const other = MEMBERS.find(({ id }) => id === appended);
    if (other === undefined) continue;
    const { aligned, ani } = alignGenomes(sequence, other.sequence);
    assertAlmostEquals(aligned / (sequence.length - ownBases), 1, 0.05);
    assertAlmostEquals(ani, 1, 0.02);
  }
  const kinds = (["duplicate", "truncated", "gapped", "chimera", "reverse"] as const).map(membersThatAre);
  assertEquals(kinds.every(({ length }) => length > 0), true);
});

Deno.test("identities are from the lowest one to 1, and so are their options", () => {
  const low = Math.min(...MEMBERS.filter(({ kinds }) => !kinds.includes("gapped")).map(({ identity }) => identity));
  assertEquals(low > 0.79 && low < 0.84, true);
  assertThrows(() => familyMembers({ families: 0 }), RangeError, '"families"');
  assertThrows(() => familyMembers({ families: 1, leastIdentity: 0.2 }), RangeError, '"leastIdentity"');
});
