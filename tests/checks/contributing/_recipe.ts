/** A recipe is added: how many genera are found in each host. */
import type { Scratch } from "./_scratch.ts";

/** Follows the section "How to add a recipe". */
export async function addRecipe(scratch: Scratch): Promise<void> {
  await scratch.write("src/analysis/recipes/genera_by_host.ts", RECIPE);
  await scratch.insert(
    "src/analysis/mod.ts",
    "./recipes/gc_by_molecule.ts",
    'export { generaByHost, type GeneraByHostOptions } from "./recipes/genera_by_host.ts";',
  );
  await scratch.insert("src/cli/commands/chart.ts", '  "hostRange",', '  "generaByHost",');
  await scratch.replace("docs/analyses.md", "`hostRange`", "`hostRange`, `generaByHost`");
  await scratch.insert(
    "tools/site/_gallery_entries.ts",
    'sample("How does a collection grow?"',
    '    sample("How many genera has each host?", "generaByHost(lake)"),',
  );
  await scratch.insert(
    "tests/analysis/_recipes.ts",
    "  hostRange: (source)",
    "  generaByHost: (source) => analysis.generaByHost(source),",
  );
  await scratch.insert(
    "tests/analysis/options_test.ts",
    '  ["hostRange", {',
    '  ["generaByHost", { filter: "x" }, TypeError, "must be an object"],',
  );
  await scratch.insert(
    "tests/analysis/_compare_all.ts",
    '  await compare("host range"',
    `  await compare("genera by host", ["species", "host"], () => generaByHost(lake), () =>
    'SELECT "Host Species" AS host, count(DISTINCT Genus) AS genera, count(Genus) AS records FROM lake ' +
    'WHERE "Host Species" IS NOT NULL AND Genus IS NOT NULL GROUP BY 1 ORDER BY genera DESC, host');`,
  );
  await scratch.insert(
    "tests/analysis/_compare_all.ts",
    "/recipes/gc_by_molecule.ts",
    'import { generaByHost } from "../../src/analysis/recipes/genera_by_host.ts";',
  );
}

const RECIPE = `/**
 * How many genera are found in each host.
 *
 * @module
 */
import { checkOptions } from "@seqreg/core/options/check_options";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import { ANALYSIS_OPTIONS } from "../run/analysis_options.ts";
import type { Analysis, AnalysisOptions } from "../run/analysis.ts";
import { Run } from "../run/run.ts";
import type { AnalysisSource } from "../source/source.ts";
import { counted, label } from "../chart/words.ts";

/** Options of {@linkcode generaByHost}. */
export type GeneraByHostOptions = AnalysisOptions;

/** The rules of {@linkcode GeneraByHostOptions}. */
export const GENERA_BY_HOST_OPTIONS = { ...ANALYSIS_OPTIONS } satisfies OptionRules<GeneraByHostOptions>;

const SHAPE = { host: "String", genera: "Int64", records: "Int64" } as const;

/**
 * Counts the genera that are found in each host.
 *
 * @param source A frame, a result of a registry, or a lake.
 * @param options What all analyses share.
 * @returns Hosts × \`host\` (String), \`genera\`, \`records\` (Int64), those with most genera first.
 *
 * @example
 * \`\`\`ts
 * import { assertEquals } from "@std/assert";
 * import pl from "nodejs-polars";
 * import { generaByHost } from "./genera_by_host.ts";
 *
 * const { frame } = await generaByHost(pl.DataFrame({ "Host Species": ["bat", "bat"], Genus: ["a", "b"] }));
 *
 * assertEquals(frame.toRecords(), [{ host: "bat", genera: 2, records: 2 }]);
 * \`\`\`
 */
export async function generaByHost(source: AnalysisSource, options: GeneraByHostOptions = {}): Promise<Analysis> {
  checkOptions("generaByHost()", options, GENERA_BY_HOST_OPTIONS);
  const title = "Genera by host";
  const run = await Run.start(source, options, { title, shape: SHAPE, needs: ["host", "genus"] });
  if (run.absent.length > 0) return run.stop();
  const hosts = new Map<string, { host: string; genera: number; records: number }>();
  let missing = 0;
  for (const { keys: [host, genus], count } of await run.tallyTexts(["host", "genus"])) {
    if (host === null || genus === null) {
      missing += count;
      continue;
    }
    const row = hosts.get(String(host)) ?? { host: String(host), genera: 0, records: 0 };
    hosts.set(row.host, { ...row, genera: row.genera + 1, records: row.records + count });
  }
  const rows = [...hosts.values()].sort((one, other) => other.genera - one.genera || (one.host < other.host ? -1 : 1));
  if (rows.length === 0) return run.stop("There is nothing to show: no record has both values");
  const shown = rows.slice(0, 20);
  return await run.finish(rows, {
    counts: { n: rows.reduce((sum, { records }) => sum + records, 0), missing },
    meta: {
      title,
      subtitle: \`The \${counted(shown.length, "hosts")} with most genera\`,
      description: \`Bars of the genera of \${counted(shown.length, "hosts")}. Most: \${label(shown[0].host)}.\`,
    },
    spec: (plot) => ({
      marginLeft: 160,
      x: { label: "genera", grid: true },
      y: { label: null, domain: shown.map(({ host }) => host) },
      marks: [plot.barX(shown, { x: "genera", y: "host" }), plot.ruleX([0])],
    }),
  });
}
`;
