/** Every deviation of the tables, in the command line and in the library, against a server on loopback. */
import { assertEquals } from "@std/assert";
import { checkDeviation, type Deviations } from "./_deviation.ts";
import { EXPORTS } from "./_exports.ts";
import { SEARCHES } from "./_searches.ts";
import { SEQUENCES_TABLE } from "./_sequences.ts";
import { LIMITS } from "./_limits.ts";
import { NAMINGS } from "./_namings.ts";
import { SHAPES } from "./_shapes.ts";
import { TRANSPORT } from "./_transport.ts";
import { WORDS } from "./_words.ts";

/** The tables, by what the deviations are about. */
const TABLES: Readonly<Record<string, Deviations>> = {
  exports: EXPORTS,
  searches: SEARCHES,
  sequences: SEQUENCES_TABLE,
  limits: LIMITS,
  namings: NAMINGS,
  shapes: SHAPES,
  transport: TRANSPORT,
  words: WORDS,
};

for (const [name, table] of Object.entries(TABLES)) {
  Deno.test(`a registry that deviates in ${name}: complete or explained`, async (t) => {
    for (const [deviation, row] of Object.entries(table)) await t.step(deviation, () => checkDeviation(row));
  });
}

Deno.test("there are deviations in every table", () => {
  assertEquals(Object.values(TABLES).filter((table) => Object.keys(table).length === 0), []);
});
