/**
 * Bits flipped in imports and lakes: every one is noticed, or changes nothing.
 *
 * `SEQREG_FLIPS=1000 SEQREG_SEED=2 deno test -A tests/checks/flips.ts` flips so many bits of each kind.
 */
import { assertEquals } from "@std/assert";
import { flipImports, flipLakes } from "./_flips.ts";

const flips = Number(Deno.env.get("SEQREG_FLIPS") ?? 50);
const seed = Number(Deno.env.get("SEQREG_SEED") ?? 1);

for (const [what, run] of Object.entries({ imports: flipImports, lakes: flipLakes })) {
  Deno.test(`${flips} flipped bits of ${what}, seed ${seed}, are noticed or harmless`, async () => {
    const { noticed, harmless } = await run(flips, seed);
    console.log(`${what}: ${noticed} noticed, ${harmless} harmless, of ${flips}`);
    assertEquals(noticed + harmless, flips);
  });
}
