/**
 * 2,000 answers of live tables beside plain SQL over the same rows. Run by `deno task checks live-answers`;
 * `SEQREG_SEED` repeats a run.
 */
import { Beside } from "../../jupyter/live/_answers.ts";

const SEED = Number(Deno.env.get("SEQREG_SEED") ?? Math.floor(Math.random() * 2 ** 31));
/** Files of many sizes: of several row groups, of one row, of none. */
const TABLES = [[1500, 0, 1, 2600, 900], [5000], [300, 300, 300, 300, 300, 300, 300]];

for (const [index, sizes] of TABLES.entries()) {
  Deno.test(`answers over files of ${sizes.join(", ")} rows equal plain SQL (seed ${SEED})`, async () => {
    await using beside = await Beside.make(sizes);

    await beside.compare(index === 0 ? 800 : 600, SEED + index);
  });
}
