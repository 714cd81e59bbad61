import { assert } from "@std/assert";
import fc from "fast-check";
import { chooseMediaType } from "../../../../src/embedded/service/http/accept.ts";
import { RUNS } from "../_random_tables.ts";

Deno.test("chooseMediaType() never throws and only chooses what is offered", () => {
  const offers = ["text/csv", "application/json"];
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."textcsvapplijson/*;q=0.1, \t") }), (header) => {
      const choice = chooseMediaType(header, offers);
      assert(choice === undefined || offers.includes(choice));
    }),
    RUNS,
  );
});
