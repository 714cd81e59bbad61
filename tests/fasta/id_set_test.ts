import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { IdSet } from "../../src/fasta/_id_set.ts";

Deno.test("IdSet finds what a Set finds", () => {
  const accession = fc.bigInt({ min: 0n, max: 999_999_999_999n }).map((n) => `vj${String(n).padStart(12, "0")}`);
  const near = fc.nat(50).map((n) => `vj${String(n).padStart(12, "0")}`);
  const other = fc.oneof(
    fc.string({ maxLength: 3 }),
    near.map((id) => id.replace("vj", "xy")),
    near.map((id) => id.slice(0, -1) + "x"),
    near.map((id) => id.replace("0", "٠")),
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(accession, near, other), { maxLength: 300 }), (ids) => {
      const ours = new IdSet();
      const plain = new Set<string>();
      for (const id of ids) {
        assertEquals(ours.seen(id), plain.has(id));
        plain.add(id);
      }
    }),
  );
});

Deno.test("IdSet keeps many accessions apart", () => {
  const ids = new IdSet();
  for (const step of [1, 4_294_967_296, 1024]) {
    for (let n = step === 1 ? 0 : 1; n < 200; n++) {
      assertEquals(ids.seen(`vj${String((n * step + (step === 1024 ? 7 : 0)) % 1e12).padStart(12, "0")}`), false);
    }
  }
  for (let n = 1_000_000; n < 1_100_000; n++) ids.seen(`vj${String(n).padStart(12, "0")}`);
  for (let n = 1_000_000; n < 1_100_000; n += 97) assertEquals(ids.seen(`vj${String(n).padStart(12, "0")}`), true);
});
