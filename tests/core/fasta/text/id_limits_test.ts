import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { ID_LIMITS } from "../../../../src/core/fasta/text/id_limits.ts";
import { IdSet } from "./_id_set.ts";
import { hashOf } from "../../../../src/core/fasta/scan/scanner.ts";

/** Whether a set has seen an id, which stands between other bytes; with few hashes, ids meet on one place. */
function seen(ids: IdSet, id: string, hashes = 0xffff_ffff): boolean {
  const bytes = new TextEncoder().encode(`<${id}>`);
  return ids.seen(hashOf(bytes, 1, bytes.length - 1, 0x9e3779b9) & hashes, bytes, 1, bytes.length - 1);
}

Deno.test("IdSet finds what a Set finds", () => {
  const near = fc.nat(50).map((n) => `vj${String(n).padStart(12, "0")}`);
  const id = fc.oneof(
    near,
    near.map((id) => id.replace("vj", "xy")),
    near.map((id) => id.slice(0, -1)),
    fc.string({ maxLength: 3 }),
    fc.string({ unit: "grapheme", maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(id, { maxLength: 300 }), fc.constantFrom(0xffff_ffff, 3, 0), (ids, hashes) => {
      const ours = new IdSet(ID_LIMITS);
      const plain = new Set<string>();
      for (const id of ids) {
        assertEquals(seen(ours, id, hashes), plain.has(id));
        plain.add(id);
      }
    }),
  );
});

Deno.test("IdSet keeps many ids apart", () => {
  const ids = new IdSet(ID_LIMITS);
  for (let n = 0; n < 100_000; n++) assertEquals(seen(ids, `vj${String(n).padStart(12, "0")}`), false);
  for (let n = 0; n < 100_000; n += 97) assertEquals(seen(ids, `vj${String(n).padStart(12, "0")}`), true);
  assertEquals([seen(ids, ""), seen(ids, ""), ids.isOverfull], [false, true, false]);
});
