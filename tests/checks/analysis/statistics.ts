/**
 * The statistics of analyses as packages of the field compute them: delays by lifelines, diversity by scikit-bio, weeks
 * by epiweeks, kappa by statsmodels. Run by `deno task checks statistics`. `PYTHON` names a Python with lifelines and
 * scikit-bio.
 */
import { assert, assertEquals } from "@std/assert";
import { epiWeek, isoWeek } from "../../../src/core/contract/values/mod.ts";
import { benjaminiHochberg } from "../../../src/analysis/statistics/cluster_bootstrap.ts";
import { normalTail } from "../../../src/analysis/statistics/special_functions.ts";
import { delayDistribution } from "../../../src/analysis/statistics/product_limit.ts";
import { cohensKappa } from "../../../src/analysis/statistics/agreement.ts";
import { Abundances } from "../../../src/analysis/statistics/hill_numbers.ts";
import { Random } from "../../../src/analysis/statistics/random.ts";
import { testNeeding } from "../../_needs.ts";
import { needsModules, PYTHON } from "../../_python.ts";
import { UNTIDY } from "../../analysis/_untidy.ts";

/** Runs a program in Python on data as JSON; what it prints is JSON. */
async function ask(program: string, data: unknown): Promise<unknown> {
  const path = await Deno.makeTempFile({ suffix: ".json" });
  try {
    await Deno.writeTextFile(path, JSON.stringify(data));
    const { success, stdout, stderr } = await new Deno.Command(PYTHON, { args: ["-c", program, path] }).output();
    assert(success, new TextDecoder().decode(stderr).slice(-2000));
    return JSON.parse(new TextDecoder().decode(stdout));
  } finally {
    await Deno.remove(path);
  }
}

const numbersOf = (value: unknown): number[] => Array.isArray(value) ? value.map(Number) : [];

/**
 * Backwards in time; who enters on the day of an event is at risk of it, which lifelines needs an earlier entry for.
 */
const LIFELINES = `
import json, sys
import numpy as np
from lifelines import KaplanMeierFitter
cases = json.load(open(sys.argv[1]))
answers = []
for case in cases:
    delay, window, tau = np.array(case["delays"]), np.array(case["windows"]), case["upTo"] + 1
    used = delay <= case["upTo"]
    fitter = KaplanMeierFitter().fit(tau - delay[used], entry=tau - window[used] - 0.5)
    interval = fitter.confidence_interval_survival_function_
    at = [tau - days - 1 for days in case["days"]]
    answers.append([[float(frame.asof(one)) for one in at]
        for frame in (fitter.survival_function_.iloc[:, 0], interval.iloc[:, 0], interval.iloc[:, 1])])
print(json.dumps(answers))
`;

testNeeding(needsModules("lifelines"), "shares of delays and their intervals are those of lifelines", async () => {
  const random = new Random(Number(Deno.env.get("SEQREG_SEED") ?? "3"));
  const cases = Array.from({ length: 20 }, (_, at) => {
    const [delays, windows]: [number[], number[]] = [[], []];
    for (let record = 0; record < 50 * (at + 1); record++) {
      const window = Math.floor(random.uniform() * 400);
      const days = Math.floor(-(20 + 10 * at) * Math.log(1 - random.uniform()));
      if (days > window) continue;
      delays.push(days);
      windows.push(window);
    }
    return { delays, windows };
  });
  // Untidy records, with every form of a date.
  const known = UNTIDY.flatMap(({ collected, released }) => {
    const [from, to] = [collected.day, released.day];
    return from === undefined || to === undefined || to < from ? [] : [{ from, to }];
  });
  const last = Math.max(...known.map(({ to }) => to));
  cases.push({ delays: known.map(({ from, to }) => to - from), windows: known.map(({ from }) => last - from) });
  const once = (days: readonly number[]) => days.map((one) => ({ days: one, count: 1 }));
  const ours = cases.map(({ delays, windows }) => delayDistribution(once(delays), once(windows)));
  const asked = cases.flatMap((one, at) => {
    const found = ours[at];
    return found === undefined ? [] : [{ ...one, upTo: found.upTo, days: found.shares.map(({ days }) => days) }];
  });
  assert(asked.length >= 15);
  const theirs = await ask(LIFELINES, asked);
  assert(Array.isArray(theirs));
  for (const [at, found] of ours.filter((one) => one !== undefined).entries()) {
    const [shares, lows, highs] = theirs[at].map(numbersOf);
    for (const [index, { share, low, high, days }] of found.shares.entries()) {
      const both = [share, low, high].map((one) => one.toFixed(9));
      assertEquals(
        both,
        [shares[index], lows[index], highs[index]].map((one) => one.toFixed(9)),
        `${at}, ${days} days`,
      );
    }
  }
});

const EPIWEEKS = `
import json, sys
from datetime import date, timedelta
from epiweeks import Week
days = json.load(open(sys.argv[1]))
first = date(1970, 1, 1)
print(json.dumps([[f"{week.year}-W{week.week:02}" for week in (Week.fromdate(first + timedelta(day), system=system)
    for system in ("iso", "cdc"))] for day in days]))
`;

testNeeding(needsModules("epiweeks"), "weeks of 200 years are those of epiweeks", async () => {
  const days = Array.from({ length: 73_000 }, (_, at) => at - 25_567);
  const theirs = await ask(EPIWEEKS, days);
  assertEquals(JSON.stringify(days.map((day) => [isoWeek(day), epiWeek(day)])), JSON.stringify(theirs));
});

const SCIKIT_BIO = `
import json, sys
import numpy as np
from skbio.diversity import alpha
answers = []
for counts in json.load(open(sys.argv[1])):
    counts = np.array(counts)
    n, once, twice = counts.sum(), (counts == 1).sum(), (counts == 2).sum()
    biased = (n - 1) / n
    answers.append([int(alpha.observed_features(counts)),
        float(counts.astype(bool).sum() + biased * (alpha.chao1(counts, bias_corrected=twice == 0) - counts.astype(bool).sum())),
        float(alpha.hill(counts, order=1)), float(alpha.hill(counts, order=2)),
        float(1 / alpha.simpson_d(counts, finite=True)) if alpha.simpson_d(counts, finite=True) > 0 else 0])
print(json.dumps(answers))
`;

testNeeding(needsModules("skbio"), "Hill numbers and Chao1 are those of scikit-bio", async () => {
  const random = new Random(4);
  const cases = Array.from(
    { length: 50 },
    (_, at) => Array.from({ length: 3 + at }, () => 1 + Math.floor(30 * random.uniform() ** (1 + at % 7))),
  );
  const theirs = await ask(SCIKIT_BIO, cases);
  assert(Array.isArray(theirs));
  for (const [at, counts] of cases.entries()) {
    const abundances = new Abundances(
      new Map(Array.from(Map.groupBy(counts, (times) => times), ([times, kinds]) => [times, kinds.length])),
    );
    const { n } = abundances;
    const [seen, chao1, shannon, simpson, endless] = numbersOf(theirs[at]);
    assertEquals(
      [abundances.hill(0, n), abundances.chao1, abundances.hill(1, n), abundances.hill(2, n), abundances.asymptote(2)]
        .map((one) => one.toFixed(9)),
      [seen, chao1, shannon, simpson, endless].map((one) => one.toFixed(9)),
      `case ${at}`,
    );
  }
});

const ADJUSTED = `
import json, sys
from statsmodels.stats.multitest import multipletests
from scipy.stats import norm
scores = json.load(open(sys.argv[1]))
chances = norm.sf(scores) * 2
print(json.dumps([list(chances), list(multipletests(chances, method="fdr_bh")[1])]))
`;

testNeeding(
  needsModules("statsmodels", "scipy"),
  "chances and their adjustment are those of scipy and statsmodels",
  async () => {
    const random = new Random(7);
    const scores = Array.from({ length: 300 }, () => Math.abs(3 * random.normal()));
    const theirs = await ask(ADJUSTED, scores);
    assert(Array.isArray(theirs));
    const chances = scores.map((score) => 2 * normalTail(score));
    for (const [at, ours] of [chances, benjaminiHochberg(chances)].entries()) {
      for (const [index, expected] of numbersOf(theirs[at]).entries()) {
        assert(Math.abs(ours[index] / expected - 1) < 1e-9, `${ours[index]} and ${expected}`);
      }
    }
  },
);

const STATSMODELS = `
import json, sys
import numpy as np
from statsmodels.stats.inter_rater import cohens_kappa
answers = []
for table in json.load(open(sys.argv[1])):
    found = cohens_kappa(np.array(table))
    answers.append([float(found.kappa), float(found.kappa_low), float(found.kappa_upp)])
print(json.dumps(answers))
`;

testNeeding(needsModules("statsmodels"), "Cohen's kappa and its interval are those of statsmodels", async () => {
  const random = new Random(6);
  const tables = Array.from({ length: 40 }, (_, at) => {
    const names = 2 + at % 5;
    return Array.from(
      { length: names },
      (_, row) =>
        Array.from({ length: names }, (_, column) => Math.floor((row === column ? 90 : 20) * random.uniform())),
    );
  });
  const theirs = await ask(STATSMODELS, tables);
  assert(Array.isArray(theirs));
  for (const [at, table] of tables.entries()) {
    const { kappa } = cohensKappa(
      table.flatMap((row, one) => row.map((count, other) => ({ one: `${one}`, other: `${other}`, count }))),
    );
    const expected = numbersOf(theirs[at]).map((one) => Math.max(-1, Math.min(1, one)).toFixed(9));
    assertEquals([kappa?.value, kappa?.low, kappa?.high].map((one) => one?.toFixed(9)), expected, `table ${at}`);
  }
});
