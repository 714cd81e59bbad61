import { assert, assertEquals } from "@std/assert";
import pl from "nodejs-polars";
import { taxonomyAgreement } from "../../../src/analysis/mod.ts";
import { cohensKappa, limitsOfAgreement } from "../../../src/analysis/statistics/agreement.ts";

const round = (value: number | undefined) => value?.toFixed(2);

Deno.test("limitsOfAgreement() returns the published numbers of 17 pairs of peak flow meters", () => {
  // Bland and Altman 1986, Lancet 327:307, first measurements by the large and the mini meter, in l/min.
  const large = [494, 395, 516, 434, 476, 557, 413, 442, 650, 433, 417, 656, 267, 478, 178, 423, 427];
  const mini = [512, 430, 520, 428, 500, 600, 364, 380, 658, 445, 432, 626, 260, 477, 259, 350, 451];
  const differences = large.map((value, at) => value - mini[at]);
  const limits = limitsOfAgreement({
    n: differences.length,
    sum: differences.reduce((sum, one) => sum + one, 0),
    squares: differences.reduce((sum, one) => sum + one ** 2, 0),
  });
  assertEquals([limits?.bias, limits?.sd].map(round), ["-2.12", "38.77"]);
  assertEquals([limits?.low, limits?.high].map(round), ["-78.10", "73.86"]);
  assertEquals(limitsOfAgreement({ n: 1, sum: 1, squares: 1 }), undefined);
});

Deno.test("cohensKappa() subtracts chance agreement", () => {
  const count = (one: string, other: string, count: number) => ({ one, other, count });
  // Textbook example: 20 + 15 of 50 alike, kappa 0.4.
  const { agreed, kappa } = cohensKappa([
    count("y", "y", 20),
    count("y", "n", 5),
    count("n", "y", 10),
    count("n", "n", 15),
  ]);
  assertEquals([agreed, Number(kappa?.value.toFixed(9))], [0.7, 0.4]);
  assertEquals([round(kappa?.low), round(kappa?.high)], ["0.15", "0.65"]);
  assertEquals(cohensKappa([count("a", "a", 9)]).kappa, undefined);
  assertEquals(cohensKappa([count("a", "b", 9)]).kappa?.value, 0);
});

Deno.test("taxonomyAgreement() of records compares every two fields of a rank, by the keys of names", async () => {
  const source = pl.DataFrame({
    "Family ICTV": ["A", "A", " B", "B", "?", null],
    "Family NCBI": ["A", "B", "B", "B", "B", "A"],
    "Family GTDB": ["A", "A", "A", "A", "A", "A"],
    Genus: ["a", "a", "b", "b", "b", "b"],
  });
  const { frame, chart, notes } = await taxonomyAgreement(source, { compare: "records" });
  assertEquals(frame.select("rank", "one", "other", "records", "agreed").rows(), [
    ["family", "Family ICTV", "Family NCBI", 4, 3],
    ["family", "Family ICTV", "Family GTDB", 4, 2],
    ["family", "Family NCBI", "Family GTDB", 6, 2],
  ]);
  assertEquals(frame.getColumn("kappa").toArray().map((value) => round(Number(value))), ["0.50", "0.00", "0.00"]);
  assert(chart !== undefined && notes.some((note) => note.includes("(pₒ − pₑ) / (1 − pₑ)")));
  const none = await taxonomyAgreement(source.select("Genus"), { compare: "records" });
  assertEquals([none.chart, none.notes[0].startsWith("There is nothing to compare")], [undefined, true]);
});
